#include "daemon/cluster/shared_forecast.h"

#include <algorithm>

namespace wb {

void SharedForecast::Note(const SharedJob& job, const DurableRecord& record, uint64_t instances) {
  if (record.first_turn_unix_ns == 0) return;
  const TimePoint at{std::chrono::nanoseconds(job.changed_unix_ns)};
  const JobTotals& totals = record.totals;
  changed_unix_ns_ = job.changed_unix_ns;
  if (!seen_) {
    seen_ = totals;
    return estimator_.Start(at);
  }
  estimator_.RecordEnded(totals.counts.finished - seen_->counts.finished, totals.fuel - seen_->fuel,
                         totals.fuel_squares - seen_->fuel_squares, totals.longest_fuel);
  seen_ = totals;
  estimator_.Record(at, job.claimed, 0, instances - std::min(instances, totals.counts.finished));
}

void SharedForecast::Show(JobInfo* info) const {
  if (info->state != JobState::kRunning) return;
  const JobForecast forecast = estimator_.Forecast();
  info->instructions_per_second = forecast.instructions_per_second;
  if (!forecast.left) return;
  info->eta = {changed_unix_ns_ + forecast.left->least.count(),
               changed_unix_ns_ + forecast.left->most.count()};
}

}  // namespace wb
