#include "scheduler/active_job.h"

#include <algorithm>

namespace wb {

void ActiveJob::TellLocked() {
  progress_.running = seats_.seated();
  sink_->OnProgress(progress_);
}

uint64_t ActiveJob::RoomLocked() const {
  const uint64_t room = sink_->Room();
  return room > seats_.seated() ? room - seats_.seated() : 0;
}

bool ActiveJob::AllFinished() const {
  MutexLock lock(mutex_);
  return progress_.finished == plan.spec.instances;
}

std::optional<uint64_t> ActiveJob::HeldUpByReader() const {
  MutexLock lock(mutex_);
  if (seats_.seated() > 0 || backlog_.size() == 0 || RoomLocked() > 0) return std::nullopt;
  return progress_.finished;
}

uint64_t ActiveJob::Room() const {
  MutexLock lock(mutex_);
  return RoomLocked();
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
  Claim claim =
      backlog_.Take(seat_class, std::min({at_most, RoomLocked(), ShareLocked(device), affordable}));
  seats_.Seat(device, claim.size(), clock_.Now());
  return claim;
}

void ActiveJob::Unseat(const std::string& device, const std::vector<Ticket>& tickets) {
  MutexLock lock(mutex_);
  seats_.Unseat(device, tickets.size());
  for (const Ticket& ticket : tickets) backlog_.Return(ticket);
}

void ActiveJob::Deliver(const std::string& device, ResultBatch results) {
  MutexLock lock(mutex_);
  seats_.Unseat(device, results.size());
  DeliverLocked(std::move(results));
}

void ActiveJob::DeliverLocked(ResultBatch results) {
  if (results.empty()) return;
  progress_.usage.fuel += results.fuel();
  meter_.Count(results);
  if (results.count(End::kResultsLimit) > 0) progress_.usage.limit = meter_.Words();
  progress_.finished += results.size();
  sink_->OnResults(std::move(results));
}

void ActiveJob::EndWaiting(End end, uint64_t at_most) {
  MutexLock lock(mutex_);
  EndWaitingLocked(end, at_most);
}

void ActiveJob::EndWaitingLocked(End end, uint64_t at_most) {
  const uint64_t count = std::min({RoomLocked(), backlog_.size(), at_most});
  std::vector<InstanceResult> results;
  while (results.size() < count) {
    const Ticket ticket = backlog_.TakeAny();
    results.emplace_back();
    results.back().instance = ticket.instance;
    results.back().attempt = ticket.attempt;
    results.back().end = end;
  }
  DeliverLocked(std::move(results));
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

void ActiveJob::EndOver(uint64_t at_most) {
  MutexLock lock(mutex_);
  const std::optional<End> end = meter_.reached();
  if (!end) return;
  if (progress_.usage.limit.empty()) progress_.usage.limit = meter_.Words();
  EndWaitingLocked(*end, at_most);
}

void ActiveJob::NoteSeatedFuel(uint64_t before, uint64_t now) {
  MutexLock lock(mutex_);
  meter_.NoteSeated(before, now);
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
        static_cast<double>(progress_.usage.fuel) / static_cast<double>(progress_.finished);
  }
  return left;
}

void ActiveJob::Finish(const Status& status) {
  MutexLock lock(mutex_);
  progress_.phase = JobPhase::kEnded;
  progress_.waiting_for.clear();
  // A job that had all its results before the cancel came is not a cancelled one.
  const bool is_cancelled = status.ok() && progress_.finished != plan.spec.instances;
  sink_->OnEnd(status, is_cancelled, progress_.usage);
}

}  // namespace wb
