// DeviceJob: its instances in a batch with those of other jobs.

#include <algorithm>
#include <utility>

#include "scheduler/run/device_job.h"

namespace wb {

void DeviceJob::JoinBatcher(std::shared_ptr<Batcher> batcher) {
  LeaveBatcher();
  batcher_ = std::move(batcher);
  if (batcher_ == nullptr) return;
  slots_ = SlotsOf(job_->plan);
  batcher_->Join(*this);
}

void DeviceJob::LeaveBatcher() {
  if (batcher_ == nullptr) return;
  Alight();
  batcher_->Leave(*this);
  batcher_.reset();
}

// A job without company has a dispatch of its own, and keeps it until nobody is left for it. Who
// was under an engine's death, or needs more than others, sits among its own.
bool DeviceJob::Shares() const {
  if (batch_ != nullptr) return true;
  return batcher_ != nullptr && batcher_->size() > 1 && seats_.Any({}) == nullptr;
}

bool DeviceJob::HasRide(uint64_t waiting) const {
  if (batch_ != nullptr) return !batch_->in_flight;
  return waiting > 0 && batcher_->HasPlace();
}

uint64_t DeviceJob::WaitingToBoard(TimePoint now) const {
  if (!Shares() || !MaySeat() || IsEnded() || IsExpired(now)) return 0;
  return Waiting({});
}

bool DeviceJob::Board(SharedBatch& batch, TimePoint now) {
  if (batch_ != nullptr && batch_ != &batch) return false;
  const uint64_t its_memory = memory_.OwnLeft() / std::max<uint64_t>(batch.seat_bytes(), 1);
  const uint64_t most =
      std::min({WaitingToBoard(now), uint64_t{batch.seats.free_seats()}, its_memory});
  if (most == 0) return false;
  const Claim claim = job_->Seat(device_, {}, most);
  if (claim.size() == 0) return false;  // another device was quicker
  memory_.Borrow(claim.size() * batch.seat_bytes());
  batch.seats.SeatFor(job_->plan, slots_, claim, shared_seats_);
  if (batch_ == nullptr) batch.members.push_back(this);
  batch_ = &batch;
  job_->StartClock(now);
  StartSetup(now);
  job_->Record([](JobProgress& progress) { progress.waiting_for.clear(); });
  return true;
}

// Without a place it goes on by itself, as a job without company.
Result<DeviceJob::Turn> DeviceJob::NextRide(Device& device, TimePoint now, const Times& times) {
  last_class_ = SeatClass{};
  WB_ASSIGN(SharedBatch * batch, batcher_->Fill(*this, device, now));
  if (batch == nullptr) {
    LeaveBatcher();
    return Turn();
  }
  return Turn{nullptr, batch, batcher_->LimitsOf(*batch, now, times)};
}

void DeviceJob::RecordSharedBatchFuel(uint64_t fuel) {
  if (shared_fuel_ != fuel) job_->RecordSeatedFuel(std::exchange(shared_fuel_, fuel), fuel);
}

void DeviceJob::RecordArrivals() {
  if (batch_ != nullptr) RecordSharedBatchFuel(batch_->seats.FuelIn(shared_seats_));
}

DeviceJob::Ride DeviceJob::Complete(SharedBatch& batch) {
  has_landed_ = true;
  const uint64_t before = shared_seats_.size();
  const uint64_t fuel_before = shared_fuel_;
  RecordSharedBatchFuel(0);  // or those who have ended would count twice
  Harvest harvest = batch.seats.CollectFrom(
      job_->plan, {device_, prepared_.fast32, prepared_.build}, shared_seats_);
  const uint64_t seated_fuel = harvest.seated.fuel;
  Ride ride;
  ride.sound = harvest.sound;
  std::vector<InstanceRef> not_started;
  if (ride.sound) {
    not_started = batch.seats.Vacate(shared_seats_, SeatTable::Who::kNotStarted);
  }
  ride.ran = before - not_started.size();
  job_->Unseat(device_, not_started);
  Burst burst;
  Take(std::move(harvest), batch.seats.shape(), burst);
  ride.instances = burst.instances;
  ride.fuel = burst.fuel;
  ride.brought = burst.brought;
  ride.fuel_run = burst.ran - std::min(burst.ran, fuel_before);
  RecordSharedBatchFuel(seated_fuel);
  memory_.Return((before - shared_seats_.size()) * batch.seat_bytes());
  if (shared_seats_.empty()) batch_ = nullptr;
  return ride;
}

void DeviceJob::Pay(std::chrono::nanoseconds busy) {
  job_->Record([busy](JobProgress& progress) {
    progress.usage.bursts += 1;
    progress.usage.device_time += busy;
  });
}

void DeviceJob::Alight() {
  if (batch_ == nullptr) return;
  SharedBatch& batch = *batch_;
  std::vector<uint32_t> its = std::move(shared_seats_);
  GetOff(its.size());
  job_->Unseat(device_, batch.seats.Vacate(its, SeatTable::Who::kAll));
}

std::vector<InstanceRef> DeviceJob::AbandonSharedBatch() {
  SharedBatch& batch = *batch_;
  std::vector<uint32_t> its = std::move(shared_seats_);
  GetOff(its.size());
  return batch.seats.Abandon(its);
}

void DeviceJob::GetOff(uint64_t seats) {
  auto& members = batch_->members;
  members.erase(std::find(members.begin(), members.end(), this));
  memory_.Return(seats * batch_->seat_bytes());
  job_->RecordLeftFuel(std::exchange(shared_fuel_, 0));
  batch_ = nullptr;
  shared_seats_.clear();
}

}  // namespace wb
