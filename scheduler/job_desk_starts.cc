// JobDesk: who may start, by the limits of the tenants.

#include "scheduler/job_desk.h"
#include "scheduler/quoted.h"

namespace wb {

void JobDesk::Admit(ActiveJobRef job) {
  held_.insert(job);
  WatchTime(job);
  const JobSpec& spec = job->plan.spec;
  if (starts_.Enter(job, spec.tenant, spec.priority, job->tenant.max_running_jobs)) {
    Prepare(job);
  } else {
    SayStanding(job);
  }
}

void JobDesk::SayStanding(const ActiveJobRef& job) {
  const auto standing = starts_.Of(job);
  job->Tell([&](JobProgress& progress) {
    progress.waiting_for = "its tenant " + Quoted(job->plan.spec.tenant) + ", which has " +
                           Quoted(uint64_t{standing.under_way}) +
                           " jobs under way, as many as it may have; " +
                           Quoted(uint64_t{standing.before}) + " wait before it";
  });
}

// Preparing may end a job, and that start the next: a loop, however many there are.
void JobDesk::StartNext() {
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
