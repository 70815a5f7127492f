#pragma once

// InterpreterWarmup: jobs that run on the interpreter until the device that they are meant for has
// a pipeline that is quicker.
//
// Only on the coordinator's thread.

#include <string>

#include "scheduler/dispatch/coordinated_job.h"
#include "scheduler/dispatch/deferred_builds.h"
#include "scheduler/dispatch/device_set.h"
#include "scheduler/dispatch/job_moves.h"
#include "scheduler/dispatch/job_pictures.h"
#include "scheduler/dispatch/job_places.h"
#include "scheduler/dispatch/quick_builds.h"
#include "scheduler/dispatch/rebalance.h"

namespace wb {

class InterpreterWarmup {
 public:
  struct Parts {
    CoordinatedJobs& jobs;
    const DeviceSet& devices;
    const JobPlaces& places;
    JobPictures& pictures;
    QuickBuilds& quick;
    DeferredBuilds& deferred;
    Rebalance& rebalance;
    PipelineBuilder& builder;
  };
  InterpreterWarmup(const Parts& parts, JobMoves& moves) : parts_(parts), moves_(moves) {}

  // The job's device has no pipeline yet: it goes to the interpreter, or its compiler begins.
  // False: the job has ended or runs.
  bool OnCompiling(const ActiveJobRef& job, DeviceLoop* device, const LoweredRef& lowered);
  // To the interpreter although the device has this pipeline. `reason`: a sentence.
  void StartBeside(const ActiveJobRef& job, DeviceLoop* device, const BuiltPipeline& built,
                   std::string reason);

  // Of a job on the interpreter. Its device has a pipeline now, or a better one.
  void OnBuilt(const ActiveJobRef& job, DeviceLoop* device, const BuiltPipeline& built);
  void OnBuildFailed(const ActiveJobRef& job, DeviceLoop* device, const Status& status);
  // Asks the interpreter for the job where its device's pipeline is quicker; begins the compiler
  // where that pays. While the device has a quick build that is slower, GPUs may join the job.
  void Review(const ActiveJobRef& job);
  void OnGatesChanged(const ActiveJobRef& job);

 private:
  void Start(const ActiveJobRef& job, DeviceLoop* device, const BuiltPipeline& interpreted);

  const Parts parts_;
  JobMoves& moves_;
};

}  // namespace wb
