#include "scheduler/run/launches/batch_member.h"

#include <algorithm>
#include <utility>

namespace wb {

uint64_t BatchMember::Waiting(TimePoint now) const {
  if (batch_ == nullptr && own_.Any({}) != nullptr) return 0;
  if (!state_.MaySeat() || state_.IsEnded() || state_.IsExpired(now)) return 0;
  return state_.Waiting({});
}

bool BatchMember::Join(SharedBatch& batch, TimePoint now) {
  if (batch_ != nullptr && batch_ != &batch) return false;
  const uint64_t seat_bytes = batch.seat_bytes();
  const uint64_t affordable = state_.memory.OwnLeft() / std::max<uint64_t>(seat_bytes, 1);
  const uint64_t most = std::min({Waiting(now), uint64_t{batch.seats.free_seats()}, affordable});
  if (most == 0) return false;
  const Claim claim = state_.job->Seat(state_.device, {}, most);
  if (claim.size() == 0) return false;  // another device was quicker
  state_.memory.Borrow(claim.size() * seat_bytes);
  batch.seats.SeatFor(state_.job->plan, slots_, claim, seats_);
  if (batch_ == nullptr) batch.members.push_back(this);
  batch_ = &batch;
  state_.job->limits.StartClock(now);
  state_.StartSetup(now);
  state_.job->Record([](JobProgress& progress) { progress.waiting_for.clear(); });
  return true;
}

void BatchMember::RecordFuel(uint64_t fuel) {
  if (fuel_ != fuel) state_.job->limits.RecordSeatedFuel(std::exchange(fuel_, fuel), fuel);
}

void BatchMember::RecordImported() {
  if (batch_ != nullptr) RecordFuel(batch_->seats.FuelIn(seats_));
}

MemberOutcome BatchMember::Complete(SharedBatch& batch) {
  state_.has_completed_launch = true;
  const uint64_t before = seats_.size();
  const uint64_t fuel_before = fuel_;
  RecordFuel(0);  // or instances that have ended would count twice
  batch.seats.GiveRooms(seats_, [this] { return state_.job->TakeWholeRoom(); });
  Harvest harvest = batch.seats.CollectFrom(state_.job->plan, state_.origin(), seats_);
  const uint64_t seated_fuel = harvest.seated.fuel;
  if (const uint64_t running = harvest.seated.running; running != 0) {
    state_.job->Record([running](JobProgress& progress) { progress.usage.carried += running; });
  }
  MemberOutcome outcome;
  outcome.sound = harvest.sound;
  std::vector<InstanceRef> not_started;
  if (outcome.sound) {
    not_started = batch.seats.Vacate(seats_, SeatTable::Which::kNotStarted);
  }
  outcome.ran = before - not_started.size();
  state_.job->Unseat(state_.device, not_started);
  LaunchOutcome taken;
  state_.Take(std::move(harvest), batch.seats.shape(), taken);
  outcome.instances = taken.instances;
  outcome.drained = taken.drained;
  outcome.fuel = taken.fuel;
  outcome.brought = taken.brought;
  outcome.fuel_run = taken.ran - std::min(taken.ran, fuel_before);
  RecordFuel(seated_fuel);
  state_.memory.Return((before - seats_.size()) * batch.seat_bytes());
  if (seats_.empty()) batch_ = nullptr;
  return outcome;
}

void BatchMember::Charge(std::chrono::nanoseconds busy, const LaneFuel& lane_fuel) {
  state_.job->Record([busy, &lane_fuel](JobProgress& progress) {
    progress.usage.bursts += 1;
    progress.usage.device_time += busy;
    progress.usage.lane_fuel.Add(lane_fuel);
  });
}

Result<uint64_t> BatchMember::ExportLanes(Device& device, const Migration& migration) {
  if (batch_ == nullptr || batch_->in_flight) return uint64_t{0};
  return batch_->seats.ExportLanes(device, state_.TermsOf(migration), seats_);
}

Result<uint64_t> BatchMember::KeepStates(Device& device, StateKeeper& keeper) {
  if (batch_ == nullptr || batch_->in_flight) return uint64_t{0};
  return batch_->seats.KeepStates(device, state_.KeepingTermsOf(keeper), seats_);
}

void BatchMember::Leave() {
  if (batch_ == nullptr) return;
  SharedBatch& batch = *batch_;
  std::vector<uint32_t> seats = GiveUpSeats();
  state_.job->Unseat(state_.device, batch.seats.Vacate(seats, SeatTable::Which::kAll));
}

std::vector<InstanceRef> BatchMember::Abandon() {
  if (batch_ == nullptr) return {};
  SharedBatch& batch = *batch_;
  std::vector<uint32_t> seats = GiveUpSeats();
  return batch.seats.Abandon(seats);
}

std::vector<uint32_t> BatchMember::GiveUpSeats() {
  auto& members = batch_->members;
  members.erase(std::find(members.begin(), members.end(), this));
  state_.memory.Return(seats_.size() * batch_->seat_bytes());
  state_.job->limits.RecordLeftFuel(std::exchange(fuel_, 0));
  batch_ = nullptr;
  return std::exchange(seats_, {});
}

}  // namespace wb
