#pragma once

// GateWaits: jobs whose devices are closed to instances. A job that may run anywhere goes to the
// interpreter instead, or to a GPU where that ends sooner, and comes back when its device opens;
// the others wait at the coordinator.
//
// Only on the coordinator's thread.

#include "scheduler/dispatch/coordinated_job.h"
#include "scheduler/dispatch/device_set.h"
#include "scheduler/dispatch/interpreter_warmup.h"
#include "scheduler/dispatch/job_moves.h"
#include "scheduler/dispatch/job_pictures.h"
#include "scheduler/dispatch/job_places.h"
#include "scheduler/dispatch/wait_board.h"

namespace wb {

class GateWaits {
 public:
  struct Parts {
    CoordinatedJobs& jobs;
    const DeviceSet& devices;
    const JobPlaces& places;
    JobPictures& pictures;
    WaitBoard& board;
    InterpreterWarmup& warmup;
  };
  GateWaits(const Parts& parts, JobMoves& moves) : parts_(parts), moves_(moves) {}

  // Where a job goes that is meant for that class of device; nullptr: nowhere now.
  DeviceLoop* OpenDevice(const ActiveJobRef& job, DeviceClass device_class);
  // Of a job in kWaitingForDevice: says which closed devices it waits for.
  void AwaitOpening(const ActiveJobRef& job, DeviceClass device_class);
  // A GPU that stands in for the CPU device has the pipeline. The job goes there or to the
  // interpreter, as measured; where nothing is known it goes to the interpreter first.
  void StandIn(const ActiveJobRef& job, DeviceLoop* gpu, const BuiltPipeline& built);
  // A device was closed or opened, or is new.
  void OnGatesChanged();

 private:
  void GoBackIfOpen(const ActiveJobRef& job);

  const Parts parts_;
  JobMoves& moves_;
};

}  // namespace wb
