#include "scheduler/job/active/active_limits.h"

#include <algorithm>
#include <vector>

namespace wb {

void ActiveLimits::StartClock(TimePoint now) {
  MutexLock lock(ledger_.mutex);
  ledger_.meter.StartClock(now);
  ledger_.estimator.Start(now);
}

std::optional<TimePoint> ActiveLimits::deadline() const {
  MutexLock lock(ledger_.mutex);
  return ledger_.meter.deadline();
}

void ActiveLimits::RecordSeatedFuel(uint64_t before, uint64_t now) {
  MutexLock lock(ledger_.mutex);
  ledger_.meter.RecordSeated(before, now);
}

void ActiveLimits::RecordLeftFuel(uint64_t fuel) {
  MutexLock lock(ledger_.mutex);
  if (ledger_.HasEnded()) return ledger_.meter.RecordGivenUp(fuel);
  ledger_.meter.RecordSeated(fuel, 0);
}

uint64_t ActiveLimits::FuelPerLane(uint64_t lanes) const {
  MutexLock lock(ledger_.mutex);
  return ledger_.meter.FuelPerLane(lanes);
}

bool ActiveLimits::IsOver(TimePoint now) {
  MutexLock lock(ledger_.mutex);
  return ledger_.meter.IsOver(now);
}

void ActiveLimits::EndOver() {
  MutexLock lock(ledger_.mutex);
  const std::optional<End> end = ledger_.meter.reached();
  if (!end) return;
  std::string& limit = ledger_.progress.usage.limit;
  if (limit.empty()) limit = ledger_.meter.Words();
  EndWaiting(*end);
}

// Those that had a turn make ranges of neighbours in the same attempt.
void ActiveLimits::EndWaiting(End end) {
  const std::vector<InstanceRef> asking = ledger_.calls.TakeAll();
  for (const InstanceRef& instance : asking) ledger_.Return(instance);
  if (!asking.empty()) ledger_.sink->Release(asking.size());
  const Backlog::Rest rest = ledger_.backlog.TakeRest();
  EndedRange range;
  for (const InstanceRef& instance : rest.returned) {
    const bool is_next =
        instance.instance == range.first + range.count && instance.attempt == range.attempt;
    if (!is_next) {
      EndUnfinished(range);
      range = {instance.instance, 0, instance.attempt, end};
    }
    range.end = end;
    ++range.count;
  }
  EndUnfinished(range);
  for (const InstanceRange& fresh : rest.fresh) {
    EndUnfinished({fresh.first, fresh.count, rest.attempt, end});
  }
}

// Of a group that was to run again as a whole, those that had not finished before.
void ActiveLimits::EndUnfinished(const EndedRange& range) {
  const JobSpec& spec = ledger_.plan.spec;
  if (ledger_.plan.group == 1 || spec.before == nullptr) return EndRange(range);
  for (const InstanceRange& missing : spec.before->finished.Missing(spec.instances)) {
    EndedRange part = range;
    part.first = std::max(range.first, missing.first);
    const uint64_t end = std::min(range.first + range.count, missing.first + missing.count);
    part.count = end - std::min(end, part.first);
    EndRange(part);
  }
}

void ActiveLimits::EndRange(const EndedRange& range) {
  if (range.count == 0) return;
  ledger_.progress.finished += range.count;
  ledger_.sink->OnEnded(range);
}

}  // namespace wb
