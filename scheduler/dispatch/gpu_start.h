#pragma once

// GpuStart: jobs of which it is known how long they are and how fast each device is. Such a job
// begins on a GPU alone where the CPU device would not end it clearly sooner: instances on
// the CPU device would have to end, or to move, before the job does.
//
// Only on the coordinator's thread.

#include "scheduler/dispatch/coordinated_job.h"
#include "scheduler/dispatch/device_set.h"
#include "scheduler/dispatch/job_moves.h"
#include "scheduler/dispatch/job_pictures.h"
#include "scheduler/dispatch/job_places.h"
#include "scheduler/dispatch/rebalance.h"

namespace wb {

class GpuStart {
 public:
  struct Parts {
    CoordinatedJobs& jobs;
    const DeviceSet& devices;
    const JobPlaces& places;
    JobPictures& pictures;
    Rebalance& rebalance;
  };
  GpuStart(const Parts& parts, JobMoves& moves) : parts_(parts), moves_(moves) {}

  // The device has this pipeline. False: the job begins there. True: it begins on a GPU, or waits
  // in kProbingGpu until it is known whether that has a pipeline.
  bool Begins(const ActiveJobRef& job, DeviceLoop* device, const BuiltPipeline& built);
  // It is known: the job has left kProbingGpu and is placed.
  void EndProbe(const ActiveJobRef& job);

 private:
  DeviceLoop* BestGpu(const ActiveJobRef& job);  // nullptr: it begins on the CPU device

  const Parts parts_;
  JobMoves& moves_;
};

}  // namespace wb
