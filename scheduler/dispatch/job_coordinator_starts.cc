// JobCoordinator: who may start, by the limits of the tenants.

#include "scheduler/base/quoted.h"
#include "scheduler/dispatch/job_coordinator.h"

namespace wb {

void JobCoordinator::Admit(ActiveJobRef job) {
  held_.insert(job);
  WatchTime(job);
  const JobSpec& spec = job->plan.spec;
  bool may_start = false;
  {
    MutexLock lock(mutex_);
    may_start = starts_.Enter(job, spec.tenant, spec.priority, job->tenant.max_running_jobs);
  }
  if (may_start) return Prepare(job);
  const std::vector<WaitReason> waits = WaitsOf(job);
  job->Publish([&waits](JobProgress& progress) { progress.waiting_for = waits.front().words; });
}

// Preparing may end a job, and that start the next: a loop, however many there are.
void JobCoordinator::StartNext() {
  if (starting_) return;
  starting_ = true;
  while (!may_start_.empty()) {
    const ActiveJobRef job = may_start_.front();
    may_start_.pop_front();
    if (Holds(job)) Prepare(job);
  }
  starting_ = false;
}

}  // namespace wb
