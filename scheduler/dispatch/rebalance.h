#pragma once

// Rebalance: looks at where a job runs, by what its launches showed, and moves it: a device joins
// the job, or leaves it (placement/decision.h). A device that has no pipeline for the job first
// gets one: it is looked for, then built.
//
// Only on the coordinator's thread.

#include <string>

#include "scheduler/dispatch/coordinated_job.h"
#include "scheduler/dispatch/deferred_builds.h"
#include "scheduler/dispatch/device_set.h"
#include "scheduler/dispatch/gpu_spread.h"
#include "scheduler/dispatch/job_moves.h"
#include "scheduler/dispatch/job_pictures.h"
#include "scheduler/dispatch/job_places.h"
#include "scheduler/dispatch/quick_builds.h"
#include "scheduler/run/device_events.h"

namespace wb {

class Rebalance {
 public:
  struct Parts {
    CoordinatedJobs& jobs;
    const DeviceSet& devices;
    const JobPlaces& places;
    JobPictures& pictures;
    QuickBuilds& quick;
    GpuSpread& spread;
    DeferredBuilds& deferred;
    Lowering& lowering;
    PipelineBuilder& builder;
  };
  Rebalance(const Parts& parts, JobMoves& moves) : parts_(parts), moves_(moves) {}

  // Of a job that runs on devices: the next step towards its best places, if there is one.
  void Review(const ActiveJobRef& job);
  // The same, but the job does not go from a quick build to the interpreter.
  void Share(const ActiveJobRef& job);
  // Looks for the device's pipeline, in memory and on disk. The job is reviewed when it is found or
  // known to be absent.
  void ProbePipeline(const ActiveJobRef& job, DeviceLoop* device);
  // A device gave the job back. The other devices go on, with the instances that were seated there.
  // Where the interpreter leaves for the CPU device, or that for the interpreter, the other takes
  // its place.
  void GoOnWithOthers(const Departure& departure, GivenBack why, const Status& status);

 private:
  void Join(const ActiveJobRef& job, DeviceLoop* device, const std::string& reason);
  void GetInterpreted(const ActiveJobRef& job);
  void TakePlaceOfCpu(const ActiveJobRef& job);
  void TakePlaceOfInterpreter(const ActiveJobRef& job);
  void FindPipeline(const ActiveJobRef& job, DeviceLoop* device);
  void BuildPipeline(const ActiveJobRef& job, DeviceLoop* device);
  void RecordReady(const ActiveJobRef& job, DeviceLoop* device, const Result<BuiltPipeline>& built);

  const Parts parts_;
  JobMoves& moves_;
};

}  // namespace wb
