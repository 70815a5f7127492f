#include "scheduler/dispatch/job_deadlines.h"

namespace wb {

void JobDeadlines::Watch(const ActiveJobRef& job) {
  if (const auto deadline = job->limits.deadline()) time_.wake_by(*deadline);
}

bool JobDeadlines::EndIfNothingIsLeft(const ActiveJobRef& job) {
  if (job->plan.spec.before == nullptr) return false;
  const bool is_over = !job->AllFinished() && job->limits.IsOver(time_.clock.Now());
  if (is_over) job->limits.EndOver();
  if (!job->AllFinished()) return false;
  moves_.End(job, {});
  return true;
}

bool JobDeadlines::EndCalls() {
  bool some = false;
  for (const ActiveJobRef& job : jobs_.All()) {
    some = job->calls.Expire(time_.clock.Now()) || some;
    if (const auto next = job->calls.NextExpiry()) time_.wake_by(*next);
    if (jobs_.IsHeld(job) && job->AllFinished()) moves_.End(job, {});
  }
  return some;
}

void JobDeadlines::EndOverdue() {
  const TimePoint now = time_.clock.Now();
  for (const ActiveJobRef& job : jobs_.All()) {
    if (!jobs_.IsHeld(job)) continue;
    if (!job->limits.IsOver(now)) {
      Watch(job);
      continue;
    }
    job->limits.EndOver();
    if (job->AllFinished()) moves_.End(job, {});  // else another device ends its instances
  }
}

}  // namespace wb
