#pragma once

// JobDeadlines: ends jobs that no device has when a limit of theirs is over, and host calls that
// have waited for too long.
//
// Only on the coordinator's thread.

#include "scheduler/dispatch/coordinated_job.h"
#include "scheduler/dispatch/deferred_builds.h"
#include "scheduler/dispatch/job_moves.h"

namespace wb {

class JobDeadlines {
 public:
  // EndCalls() and EndOverdue() are to be called at what `wake_by` of the time says, or soon after.
  JobDeadlines(CoordinatedJobs& jobs, const DeferredBuilds::Time& time, JobMoves& moves)
      : jobs_(jobs), time_(time), moves_(moves) {}

  // EndOverdue() is due at the job's deadline, if it has one.
  void Watch(const ActiveJobRef& job);
  // Of a job that was just admitted: one that goes on where an earlier scheduler stopped may be
  // done, or have used its limits. True: it has ended.
  bool EndIfNothingIsLeft(const ActiveJobRef& job);
  // Host calls that have waited for too long end their instances. True: there were some, which
  // devices that have their jobs are to see.
  bool EndCalls();
  void EndOverdue();

 private:
  CoordinatedJobs& jobs_;
  const DeferredBuilds::Time time_;
  JobMoves& moves_;
};

}  // namespace wb
