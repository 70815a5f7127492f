#include "scheduler/job/active_job.h"

#include <algorithm>

namespace wb {
namespace {

// Used so far by an instance that takes its state along.
uint64_t MovedFuel(const InstanceRef& instance) {
  return instance.moved ? instance.moved->fuel : 0;
}

}  // namespace

void ActiveJob::PublishLocked() {
  progress_.running = seats_.seated();
  progress_.usage.fuel = meter_.used_fuel();
  sink_->OnProgress(progress_);
}

bool ActiveJob::AllFinished() const {
  MutexLock lock(mutex_);
  return progress_.finished == plan.spec.instances;
}

std::optional<uint64_t> ActiveJob::HeldUpByReader() const {
  MutexLock lock(mutex_);
  if (seats_.seated() > 0 || backlog_.size() == 0 || sink_->Room() > 0) return std::nullopt;
  return progress_.finished;
}

uint64_t ActiveJob::Room() const { return sink_->Room(); }

bool ActiveJob::HasWaiting() const {
  MutexLock lock(mutex_);
  return backlog_.size() > 0;
}

void ActiveJob::Join(const std::string& device) {
  MutexLock lock(mutex_);
  seats_.Join(device, clock_.Now());
  progress_.device = seats_.Names();
  devices_.store(static_cast<uint32_t>(seats_.devices()));
}

void ActiveJob::Leave(const std::string& device) {
  MutexLock lock(mutex_);
  seats_.Leave(device);
  if (seats_.devices() > 0) progress_.device = seats_.Names();
  devices_.store(static_cast<uint32_t>(seats_.devices()));
}

void ActiveJob::SetPace(const std::string& device, const Worker& pace) {
  MutexLock lock(mutex_);
  seats_.SetPace(device, pace, clock_.Now());
}

void ActiveJob::SetTaking(const std::string& device, bool takes) {
  MutexLock lock(mutex_);
  seats_.SetTaking(device, takes);
}

uint64_t ActiveJob::ShareLocked(const std::string& device) const {
  const uint64_t waiting = backlog_.size();
  if (seats_.devices() < 2) return waiting;
  return seats_.Allowance(device, waiting, clock_.Now());
}

Backlog::Sizes ActiveJob::Waiting(const std::string& device) const {
  MutexLock lock(mutex_);
  Backlog::Sizes sizes;
  uint64_t left = ShareLocked(device);
  for (const auto& [seat_class, count] : backlog_.sizes()) {
    const uint64_t share = std::min(count, left);
    left -= share;
    if (share > 0) sizes.emplace_back(seat_class, share);
  }
  return sizes;
}

Claim ActiveJob::Seat(const std::string& device, SeatClass seat_class, uint64_t at_most) {
  MutexLock lock(mutex_);
  const uint64_t most = meter_.MostSeated();
  const uint64_t affordable = most - std::min(most, seats_.seated());
  const uint64_t wanted =
      std::min({at_most, ShareLocked(device), affordable, backlog_.size(seat_class)});
  Claim claim = backlog_.Take(seat_class, wanted == 0 ? 0 : sink_->Reserve(wanted));
  seats_.Seat(device, claim.size(), clock_.Now());
  uint64_t moved = 0;  // from now on the device says what these have used
  for (uint64_t i = 0; i < claim.returned(); ++i) moved += MovedFuel(claim.At(i));
  if (moved > 0) meter_.RecordSeated(moved, 0);
  return claim;
}

void ActiveJob::Unseat(const std::string& device, const std::vector<InstanceRef>& instances) {
  MutexLock lock(mutex_);
  seats_.Unseat(device, instances.size());
  if (!instances.empty()) sink_->Release(instances.size());
  uint64_t moved = 0;
  for (const InstanceRef& instance : instances) {
    moved += MovedFuel(instance);
    backlog_.Return(instance);
  }
  if (moved > 0 && !HasEndedLocked()) meter_.RecordSeated(0, moved);
}

void ActiveJob::Deliver(const std::string& device, ResultBatch results) {
  MutexLock lock(mutex_);
  seats_.Unseat(device, results.size());
  DeliverLocked(std::move(results));
}

void ActiveJob::DeliverLocked(ResultBatch results) {
  if (results.empty()) return;
  meter_.Count(results);
  if (results.count(End::kResultsLimit) > 0) progress_.usage.limit = meter_.Words();
  progress_.finished += results.size();
  sink_->OnResults(std::move(results));
}

void ActiveJob::EndRangeLocked(const EndedRange& range) {
  if (range.count == 0) return;
  progress_.finished += range.count;
  sink_->OnEnded(range);
}

// Those that had a turn make ranges of neighbours in the same attempt.
void ActiveJob::EndWaitingLocked(End end) {
  const Claim rest = backlog_.TakeRest();
  EndedRange range;
  for (uint64_t i = 0; i < rest.returned(); ++i) {
    const InstanceRef instance = rest.At(i);
    const bool is_next =
        instance.instance == range.first + range.count && instance.attempt == range.attempt;
    if (!is_next) {
      EndRangeLocked(range);
      range = {instance.instance, 0, instance.attempt, end};
    }
    range.end = end;
    ++range.count;
  }
  EndRangeLocked(range);
  EndRangeLocked({rest.first_fresh(), rest.fresh(), 1, end});
}

std::optional<TimePoint> ActiveJob::deadline() const {
  MutexLock lock(mutex_);
  return meter_.deadline();
}

void ActiveJob::StartClock(TimePoint now) {
  MutexLock lock(mutex_);
  meter_.StartClock(now);
}

bool ActiveJob::IsOver(TimePoint now) {
  MutexLock lock(mutex_);
  return meter_.IsOver(now);
}

void ActiveJob::EndOver() {
  MutexLock lock(mutex_);
  const std::optional<End> end = meter_.reached();
  if (!end) return;
  if (progress_.usage.limit.empty()) progress_.usage.limit = meter_.Words();
  EndWaitingLocked(*end);
}

void ActiveJob::RecordSeatedFuel(uint64_t before, uint64_t now) {
  MutexLock lock(mutex_);
  meter_.RecordSeated(before, now);
}

void ActiveJob::RecordLeftFuel(uint64_t fuel) {
  MutexLock lock(mutex_);
  if (HasEndedLocked()) return meter_.RecordGivenUp(fuel);
  meter_.RecordSeated(fuel, 0);
}

uint64_t ActiveJob::FuelPerLane(uint64_t lanes) const {
  MutexLock lock(mutex_);
  return meter_.FuelPerLane(lanes);
}

ActiveJob::Seated ActiveJob::SeatedAt(const std::string& device) const {
  MutexLock lock(mutex_);
  return {seats_.seated(device), seats_.Age(device, clock_.Now())};
}

ActiveJob::Extent ActiveJob::Left() const {
  MutexLock lock(mutex_);
  Extent left{backlog_.size(), 0, false};
  left.is_whole = progress_.finished == plan.spec.instances && progress_.usage.limit.empty();
  if (progress_.finished > 0) {
    left.fuel_per_instance =
        static_cast<double>(meter_.ended_fuel()) / static_cast<double>(progress_.finished);
  }
  return left;
}

void ActiveJob::Finish(const Status& status) {
  MutexLock lock(mutex_);
  progress_.phase = JobPhase::kEnded;
  progress_.waiting_for.clear();
  // A job that had all its results before the cancel came is not a cancelled one.
  progress_.usage.fuel = meter_.used_fuel();
  const bool is_cancelled = status.ok() && progress_.finished != plan.spec.instances;
  sink_->OnEnd(status, is_cancelled, progress_.usage);
}

}  // namespace wb
