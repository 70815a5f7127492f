#pragma once

// CoordinatedJob: all that the coordinator knows of one job; and CoordinatedJobs, which has one for
// each job from Submit to its end.
//
// Only on the coordinator's thread.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scheduler/dispatch/job_stage.h"
#include "scheduler/job/active/active_job.h"
#include "scheduler/pipelines/lowering.h"
#include "scheduler/pipelines/pipeline_builder.h"
#include "scheduler/run/device_loop.h"

namespace wb {

// What the coordinator knows of a job on one device.
struct PlacementState {
  enum class Pipeline : uint8_t { kUnknown, kLooking, kAbsent, kBuilding, kReady, kFailed };
  Pipeline pipeline = Pipeline::kUnknown;
  LoweredRef lowered;
  std::optional<BuiltPipeline> built;  // quick or full
  bool runs = false;                   // the device has the job
  bool is_asked_back = false;          // and was asked to give it back
  uint32_t joins = 0;                  // times that it joined the job
};

struct CoordinatedJob {
  JobStage stage = JobStage::kWaitingForTenant;
  std::map<DeviceLoop*, PlacementState> placements;
  // kOnInterpreter: the device whose pipeline the job waits for; nullptr: the interpreter is asked
  // for the job, and no device takes its place. kProbingGpu: the CPU device.
  DeviceLoop* target = nullptr;
  // kOnInterpreter: the key of that pipeline while no compiler works on it (deferred_builds.h).
  std::optional<Digest> deferred_build;
  // The interpreter has it because its own device is closed.
  bool is_displaced = false;

  bool IsOnDevice() const;
  void SetReady(DeviceLoop* device, const BuiltPipeline& built);  // the device has this pipeline
  // The pipeline that a job on the interpreter waited for; nullptr: it waits still.
  const BuiltPipeline* TargetPipeline();
};

class CoordinatedJobs {
 public:
  CoordinatedJob& Add(const ActiveJobRef& job);
  void Erase(const ActiveJobRef& job) { jobs_.erase(job); }
  CoordinatedJob* Find(const ActiveJobRef& job);  // nullptr: it has ended
  CoordinatedJob& At(const ActiveJobRef& job);    // it has not ended
  PlacementState* PlacementOf(const ActiveJobRef& job, DeviceLoop* device);  // nullptr likewise
  std::vector<ActiveJobRef> All() const;
  // Asks the device to give the job back. Once for each time that it has the job: a second request
  // could reach it when it has the job again.
  void AskBack(const ActiveJobRef& job, DeviceLoop* device);

  // Sets the stage that the table of stages names, and says what to do. Of a job that has ended:
  // kNothing, since answers may come late.
  JobAction Advance(const ActiveJobRef& job, JobEvent event);
  bool IsIn(const ActiveJobRef& job, JobStage stage);
  bool IsHeld(const ActiveJobRef& job);  // it has not ended, and no device has it

 private:
  std::map<ActiveJobRef, CoordinatedJob> jobs_;
};

// Why the job is where it is, for its progress.
void ExplainPlacement(ActiveJob& job, std::string reason);

}  // namespace wb
