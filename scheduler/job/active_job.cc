#include "scheduler/job/active_job.h"

#include <algorithm>
#include <utility>

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
  if (seats_.seated() > 0 || backlog_.size() == 0) return std::nullopt;
  bool may = false;
  for (const SeatClass seat_class : backlog_.classes()) may = may || MaySeatLocked(seat_class);
  if (may && sink_->Room() > 0) return std::nullopt;
  return progress_.finished;
}

bool ActiveJob::MaySeatLocked(SeatClass seat_class) const {
  if (seat_class.whole_result) return sink_->WholeRoom() > 0;
  return backlog_.outgrown() < kMostOutgrown;
}

WholeRoomRef ActiveJob::TakeWholeRoom() const {
  std::vector<WholeRoomRef> rooms = WholeRoom::Take(sink_, 1);
  return rooms.empty() ? nullptr : std::move(rooms[0]);
}

// One that had room for all of its result may have written that much, and needs it again.
void ActiveJob::ReturnLocked(InstanceRef instance) {
  if (std::exchange(instance.room, nullptr)) instance.seat_class.whole_result = true;
  backlog_.Return(instance);
}

uint64_t ActiveJob::Room() const { return sink_->Room(); }

bool ActiveJob::HasWaiting() const {
  MutexLock lock(mutex_);
  return backlog_.size() > 0 || calls_.asking() > 0;
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
    if (!MaySeatLocked(seat_class)) continue;
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
      std::min({at_most, ShareLocked(device), affordable, MostOfClassLocked(seat_class)});
  uint64_t granted = wanted == 0 || !MaySeatLocked(seat_class) ? 0 : sink_->Reserve(wanted);
  std::vector<WholeRoomRef> rooms;
  if (seat_class.whole_result && granted > 0) {
    rooms = WholeRoom::Take(sink_, granted);
    if (rooms.size() < granted) sink_->Release(granted - rooms.size());
    granted = rooms.size();
  }
  Claim claim = backlog_.Take(seat_class, granted);
  if (seat_class.whole_result) claim.GiveRooms(std::move(rooms));
  seats_.Seat(device, claim.size(), clock_.Now());
  uint64_t moved = 0;  // from now on the device says what these have used
  for (uint64_t i = 0; i < claim.returned(); ++i) moved += MovedFuel(claim.At(i));
  if (moved > 0) meter_.RecordSeated(moved, 0);
  return claim;
}

// Of a job with host calls fresh instances start only as long as there is room for the states of
// those that ask, and for what the log keeps of those that have asked.
uint64_t ActiveJob::MostOfClassLocked(SeatClass seat_class) const {
  const uint64_t waiting = backlog_.size(seat_class);
  if (plan.spec.host_calls == nullptr) return waiting;
  if (calls_.asking() > 0 && !plan.spec.host_calls->HasRoom()) return 0;
  const uint64_t under_way = seats_.seated() + calls_.asking() + backlog_.returned();
  const uint64_t fresh = kMostWithCalls - std::min(kMostWithCalls, under_way);
  return std::min(waiting, backlog_.returned(seat_class) + fresh);
}

void ActiveJob::Unseat(const std::string& device, const std::vector<InstanceRef>& instances) {
  MutexLock lock(mutex_);
  seats_.Unseat(device, instances.size());
  if (!instances.empty()) sink_->Release(instances.size());
  uint64_t moved = 0;
  for (const InstanceRef& instance : instances) {
    moved += MovedFuel(instance);
    ReturnLocked(instance);
  }
  if (moved > 0 && !HasEndedLocked()) meter_.RecordSeated(0, moved);
}

void ActiveJob::Deliver(const std::string& device, ResultBatch results) {
  MutexLock lock(mutex_);
  seats_.Unseat(device, results.size());
  DeliverLocked(std::move(results));
}

void ActiveJob::Ask(const std::string& device, std::vector<AskingInstance> asking) {
  if (asking.empty()) return;
  MutexLock lock(mutex_);
  seats_.Unseat(device, asking.size());
  HostCallOutcome outcome;
  uint64_t fuel = 0;
  for (AskingInstance& one : asking) {
    if (one.state) fuel += one.state->fuel;
    calls_.Ask(std::move(one), clock_.Now(), outcome);
  }
  if (fuel > 0 && !HasEndedLocked()) meter_.RecordSeated(0, fuel);
  SettleLocked(std::move(outcome));
}

void ActiveJob::Answer(std::vector<HostAnswer> answers) {
  MutexLock lock(mutex_);
  HostCallOutcome outcome;
  for (HostAnswer& answer : answers) calls_.Answer(std::move(answer), outcome);
  SettleLocked(std::move(outcome));
  PublishLocked();
}

bool ActiveJob::ExpireCalls(TimePoint now) {
  MutexLock lock(mutex_);
  HostCallOutcome outcome;
  calls_.Expire(now, outcome);
  const bool some = !outcome.ended.empty();
  if (some) SettleLocked(std::move(outcome));
  if (some) PublishLocked();
  return some;
}

std::optional<TimePoint> ActiveJob::NextCallExpiry() const {
  MutexLock lock(mutex_);
  return calls_.next_expiry();
}

uint64_t ActiveJob::Asking() const {
  MutexLock lock(mutex_);
  return calls_.asking();
}

bool ActiveJob::HasAnswer(uint64_t instance, uint64_t number) const {
  MutexLock lock(mutex_);
  return calls_.HasAnswer(instance, number);
}

// An instance that asks keeps its room for a result until it waits for a seat again.
void ActiveJob::SettleLocked(HostCallOutcome outcome) {
  const bool goes_on = !HasEndedLocked();
  if (goes_on && outcome.fuel_left > 0) meter_.RecordSeated(outcome.fuel_left, 0);
  if (goes_on && outcome.fuel_paid > 0) meter_.RecordSeated(0, outcome.fuel_paid);
  for (const InstanceRef& instance : outcome.go_on) ReturnLocked(instance);
  if (!outcome.go_on.empty()) sink_->Release(outcome.go_on.size());
  std::vector<uint64_t> ended;
  for (const InstanceResult& result : outcome.ended) ended.push_back(result.instance);
  if (!outcome.ended.empty()) DeliverLocked(ResultBatch(std::move(outcome.ended)));
  HostCallQueue& queue = *plan.spec.host_calls;
  if (!ended.empty()) queue.Withdraw(ended);
  if (outcome.asked.empty()) return;
  queue.Ask(outcome.asked);
  if (call_expiry_due_) call_expiry_due_(*calls_.next_expiry());
}

void ActiveJob::DeliverLocked(ResultBatch results) {
  if (results.empty()) return;
  if (calls_.has_answers()) {
    for (const InstanceResult& result : results.results()) calls_.Forget(result.instance);
  }
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
  const std::vector<InstanceRef> asking = calls_.TakeAll();
  for (const InstanceRef& instance : asking) ReturnLocked(instance);
  if (!asking.empty()) sink_->Release(asking.size());
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
  if (plan.spec.host_calls != nullptr) plan.spec.host_calls->Close();
  progress_.waiting_for.clear();
  // A job that had all its results before the cancel came is not a cancelled one.
  progress_.usage.fuel = meter_.used_fuel();
  const bool is_cancelled = status.ok() && progress_.finished != plan.spec.instances;
  sink_->OnEnd(status, is_cancelled, progress_.usage);
}

}  // namespace wb
