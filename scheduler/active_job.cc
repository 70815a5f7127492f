#include "scheduler/active_job.h"

#include <algorithm>

#include "compiler/base/check.h"

namespace wb {

void ActiveJob::TellLocked() {
  progress_.running = seated_;
  sink_->OnProgress(progress_);
}

uint64_t ActiveJob::RoomLocked() const {
  const uint64_t room = sink_->Room();
  return room > seated_ ? room - seated_ : 0;
}

bool ActiveJob::AllFinished() const {
  MutexLock lock(mutex_);
  return progress_.finished == plan.spec.instances;
}

std::optional<uint64_t> ActiveJob::HeldUpByReader() const {
  MutexLock lock(mutex_);
  if (seated_ > 0 || backlog_.size() == 0 || RoomLocked() > 0) return std::nullopt;
  return progress_.finished;
}

uint64_t ActiveJob::Room() const {
  MutexLock lock(mutex_);
  return RoomLocked();
}

Backlog::Sizes ActiveJob::Waiting() const {
  MutexLock lock(mutex_);
  return backlog_.sizes();
}

Claim ActiveJob::Seat(SeatClass seat_class, uint64_t at_most) {
  MutexLock lock(mutex_);
  Claim claim = backlog_.Take(seat_class, std::min(at_most, RoomLocked()));
  seated_ += claim.size();
  return claim;
}

void ActiveJob::Unseat(const std::vector<Ticket>& tickets) {
  MutexLock lock(mutex_);
  WB_CHECK(seated_ >= tickets.size());
  seated_ -= tickets.size();
  for (const Ticket& ticket : tickets) backlog_.Return(ticket);
}

void ActiveJob::DeliverLocked(std::vector<InstanceResult> results) {
  if (results.empty()) return;
  WB_CHECK(seated_ >= results.size());
  seated_ -= results.size();
  for (InstanceResult& result : results) {
    progress_.usage.fuel += result.fuel;
    meter_.Count(result);
    if (result.end == End::kResultsLimit) progress_.usage.limit = meter_.Words();
  }
  progress_.finished += results.size();
  sink_->OnResults(std::move(results));
}

void ActiveJob::Deliver(std::vector<InstanceResult> results) {
  MutexLock lock(mutex_);
  DeliverLocked(std::move(results));
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
  seated_ += results.size();
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

void ActiveJob::Finish(const Status& status) {
  MutexLock lock(mutex_);
  progress_.phase = JobPhase::kEnded;
  progress_.waiting_for.clear();
  // A job that had all its results before the cancel came is not a cancelled one.
  const bool is_cancelled = status.ok() && progress_.finished != plan.spec.instances;
  sink_->OnEnd(status, is_cancelled, progress_.usage);
}

}  // namespace wb
