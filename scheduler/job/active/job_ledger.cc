#include "scheduler/job/active/job_ledger.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace wb {
namespace {

// Without branches: there may be millions a second.
uint64_t LongestOf(const std::vector<uint64_t>& fuels) {
  uint64_t longest = 0;
  for (const uint64_t fuel : fuels) longest = std::max(longest, fuel);
  return longest;
}

// Used by those that begin in a state.
uint64_t GivenFuel(const JobBefore* before) {
  uint64_t fuel = 0;
  if (before == nullptr) return fuel;
  for (const LeftInstance& left : before->midway) fuel += left.state->fuel();
  return fuel;
}

}  // namespace

JobLedger::JobLedger(const JobPlan& its_plan, const std::atomic<bool>& is_cancelled,
                     std::shared_ptr<ResultSink> its_sink, Clock& its_clock)
    : plan(its_plan),
      cancelled(is_cancelled),
      sink(std::move(its_sink)),
      clock(its_clock),
      backlog(plan.spec.instances, plan.spec.before.get(), plan.group),
      calls(plan.spec.host_imports, plan.spec.host_call_timeout),
      meter(plan.spec.limits, clock.Now(), plan.spec.before.get()) {
  progress.finished = plan.spec.before == nullptr ? 0 : plan.spec.before->finished.count();
  if (plan.group == 1) meter.RecordSeated(0, GivenFuel(plan.spec.before.get()));
  progress.usage.fuel = meter.used_fuel();
  if (plan.spec.before != nullptr) progress.usage.lost_states = plan.spec.before->lost_states;
}

// One that had room for all of its result may have written that much, and needs it again.
void JobLedger::Return(InstanceRef instance) {
  if (std::exchange(instance.room, nullptr)) instance.seat_class.whole_result = true;
  backlog.Return(instance);
}

// Of a group that ran again as a whole.
void JobLedger::DropFinishedBefore(ResultBatch& results) {
  std::vector<InstanceResult> fresh;
  for (size_t row = 0; row < results.size(); ++row) {
    if (!plan.spec.before->finished.Contains(results.instances()[row]))
      fresh.push_back(results.At(row));
  }
  if (fresh.size() == results.size()) return;
  sink->Release(results.size() - fresh.size());
  results = ResultBatch(fresh);
}

void JobLedger::Deliver(ResultBatch results) {
  if (plan.group > 1 && plan.spec.before != nullptr) DropFinishedBefore(results);
  if (results.empty()) return;
  if (calls.has_answers()) {
    for (const uint64_t instance : results.instances()) calls.Forget(instance);
  }
  estimator.RecordEnded(results.size(), results.fuel(), results.fuel_squares(),
                        LongestOf(results.fuels()));
  meter.Count(results);
  if (results.count(End::kResultsLimit) > 0) progress.usage.limit = meter.Words();
  progress.finished += results.size();
  sink->OnResults(std::move(results));
}

JobBefore JobLedger::Left() const {
  JobBefore left = meter.Left(clock.Now());
  left.attempt = plan.spec.before == nullptr ? 1 : plan.spec.before->attempt;
  for (const InstanceRange& range : backlog.Ended(plan.spec.instances)) {
    left.finished.Add(range.first, range.count);
  }
  if (plan.group > 1 && plan.spec.before != nullptr) {  // of groups that run again as a whole
    for (const InstanceRange& range : plan.spec.before->finished.ranges()) {
      left.finished.Add(range.first, range.count);
    }
  }
  left.midway_planned = plan.spec.InstancesPlanned();
  return left;
}

void JobLedger::Publish() {
  progress.running = seats.seated();
  progress.usage.fuel = meter.used_fuel();
  progress.usage.fuel_running = meter.seated_fuel();
  estimator.Record(clock.Now(), seats.seated(), meter.seated_fuel(),
                   plan.spec.instances - progress.finished);
  progress.forecast = estimator.Forecast();
  sink->OnProgress(progress);
}

}  // namespace wb
