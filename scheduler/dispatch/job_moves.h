#pragma once

// JobMoves: what the parts of the coordinator ask of it. Each may end the job.
//
// Only on the coordinator's thread.

#include <vector>

#include "scheduler/job/active/active_job.h"
#include "scheduler/pipelines/pipeline_builder.h"
#include "scheduler/run/device_loop.h"

namespace wb {

class JobMoves {
 public:
  virtual ~JobMoves() = default;
  // The job is prepared from its module on. It counts as one of its preparations.
  virtual void StartOver(const ActiveJobRef& job) = 0;
  // The same where neither the job nor its pipeline was at fault: it does not count.
  virtual void PrepareAgain(const ActiveJobRef& job) = 0;
  // To the device that has this pipeline, or first to a GPU alone or to the interpreter, where
  // those are quicker by what is known.
  virtual void Place(const ActiveJobRef& job, DeviceLoop* device, const BuiltPipeline& built) = 0;
  // To the device that has this pipeline, and others that share it.
  virtual void HandOver(const ActiveJobRef& job, DeviceLoop* device,
                        const BuiltPipeline& built) = 0;
  // These devices get the job, together: a device's share depends on the others.
  virtual void Join(const ActiveJobRef& job, const std::vector<DeviceLoop*>& devices,
                    const BuiltPipeline& built) = 0;
  virtual void Review(const ActiveJobRef& job) = 0;  // whether its place is still the best
  // A GPU's pipeline was found or is not to be had: a job in kProbingGpu goes on.
  virtual void GoOnAfterProbe(const ActiveJobRef& job) = 0;
  // The full build of a job that has the device's quick one: it goes on there at once.
  virtual void TakeBetter(const ActiveJobRef& job, DeviceLoop* device,
                          const BuiltPipeline& better) = 0;
  virtual void End(ActiveJobRef job, const Status& status) = 0;

 protected:
  JobMoves() = default;
  JobMoves(const JobMoves&) = default;
  JobMoves& operator=(const JobMoves&) = default;
};

}  // namespace wb
