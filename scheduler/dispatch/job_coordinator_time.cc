// JobCoordinator: what the clock brings: limits of time of jobs that wait here for a compiler or a
// device.

#include <vector>

#include "scheduler/dispatch/job_coordinator.h"

namespace wb {

void JobCoordinator::WatchTime(const ActiveJobRef& job) {
  if (const auto deadline = job->deadline()) time_.wake_by(*deadline);
}

void JobCoordinator::TimeHasCome() {
  EndOverdue();
  ReviewPutOff();
  builder_.TimeHasCome();
}

void JobCoordinator::EndOverdue() {
  const TimePoint now = time_.clock.Now();
  const std::vector<ActiveJobRef> held(held_.begin(), held_.end());
  for (const ActiveJobRef& job : held) {
    if (!job->IsOver(now)) {
      WatchTime(job);
      continue;
    }
    job->EndOver();
    if (job->AllFinished()) End(job, {});  // else another device ends what sits there
  }
}

}  // namespace wb
