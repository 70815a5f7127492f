#pragma once

// ReturnedJobs: where a job goes that its last device gave back, or that its device could get no
// pipeline for.
//
// Only on the coordinator's thread.

#include "scheduler/dispatch/coordinated_job.h"
#include "scheduler/dispatch/deferred_builds.h"
#include "scheduler/dispatch/device_set.h"
#include "scheduler/dispatch/job_moves.h"
#include "scheduler/dispatch/job_places.h"
#include "scheduler/dispatch/wait_board.h"
#include "scheduler/run/device_events.h"

namespace wb {

class ReturnedJobs {
 public:
  struct Parts {
    CoordinatedJobs& jobs;
    const DeviceSet& devices;
    JobPlaces& places;
    WaitBoard& board;
    DeferredBuilds& deferred;
    PipelineBuilder& builder;
  };
  ReturnedJobs(const Parts& parts, JobMoves& moves) : parts_(parts), moves_(moves) {}

  // The device's compiler gives no pipeline for the job.
  void OnBuildFailed(const ActiveJobRef& job, DeviceLoop* device, const Status& status);
  // Its last device gave it back.
  void FindAnotherPlace(const Departure& departure, GivenBack why, const Status& status);
  // From the interpreter, where it waited for its device's pipeline.
  void LeaveInterpreter(const ActiveJobRef& job, GivenBack why);

 private:
  void GoElsewhere(const ActiveJobRef& job, DeviceLoop* device, const Status& status);
  void BuildAnew(const Departure& departure, const Status& status);

  const Parts parts_;
  JobMoves& moves_;
};

}  // namespace wb
