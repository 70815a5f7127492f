// ResidentJob: its instances in a coach with those of other jobs.

#include <algorithm>
#include <utility>

#include "scheduler/run/resident_job.h"

namespace wb {

void ResidentJob::JoinCrowd(std::shared_ptr<Crowd> crowd) {
  LeaveCrowd();
  crowd_ = std::move(crowd);
  if (crowd_ == nullptr) return;
  slots_ = SlotsOf(job_->plan);
  crowd_->Join(*this);
}

void ResidentJob::LeaveCrowd() {
  if (crowd_ == nullptr) return;
  Alight();
  crowd_->Leave(*this);
  crowd_.reset();
}

// A job without company has a dispatch of its own, and keeps it until nobody is left for it. Who
// was under an engine's death, or needs more than others, sits among its own.
bool ResidentJob::Shares() const {
  if (coach_ != nullptr) return true;
  return crowd_ != nullptr && crowd_->size() > 1 && seats_.Any({}) == nullptr;
}

bool ResidentJob::HasRide(uint64_t waiting) const {
  if (coach_ != nullptr) return !coach_->in_flight;
  return waiting > 0 && crowd_->HasPlace();
}

uint64_t ResidentJob::WaitingToBoard(TimePoint now) const {
  if (!Shares() || !MaySeat() || IsEnded() || IsExpired(now)) return 0;
  return Waiting({});
}

bool ResidentJob::Board(Coach& coach, TimePoint now) {
  if (coach_ != nullptr && coach_ != &coach) return false;
  const uint64_t its_memory = memory_.OwnLeft() / std::max<uint64_t>(coach.seat_bytes(), 1);
  const uint64_t most =
      std::min({WaitingToBoard(now), uint64_t{coach.seats.free_seats()}, its_memory});
  if (most == 0) return false;
  const Claim claim = job_->Seat(device_, {}, most);
  if (claim.size() == 0) return false;  // another device was quicker
  memory_.Borrow(claim.size() * coach.seat_bytes());
  coach.seats.SeatFor(job_->plan, slots_, claim, coach_seats_);
  if (coach_ == nullptr) coach.riders.push_back(this);
  coach_ = &coach;
  job_->StartClock(now);
  StartSetup(now);
  job_->Note([](JobProgress& progress) { progress.waiting_for.clear(); });
  return true;
}

// Without a place it goes on by itself, as a job without company.
Result<ResidentJob::Turn> ResidentJob::NextRide(Device& device, TimePoint now, const Times& times) {
  last_class_ = SeatClass{};
  WB_ASSIGN(Coach * coach, crowd_->Fill(*this, device, now));
  if (coach == nullptr) {
    LeaveCrowd();
    return Turn();
  }
  return Turn{nullptr, coach, crowd_->LimitsOf(*coach, now, times)};
}

void ResidentJob::NoteCoachFuel(uint64_t fuel) {
  if (coach_fuel_ != fuel) job_->NoteSeatedFuel(std::exchange(coach_fuel_, fuel), fuel);
}

void ResidentJob::NoteArrivals() {
  if (coach_ != nullptr) NoteCoachFuel(coach_->seats.FuelIn(coach_seats_));
}

ResidentJob::Ride ResidentJob::Land(Coach& coach) {
  has_landed_ = true;
  const uint64_t before = coach_seats_.size();
  const uint64_t fuel_before = coach_fuel_;
  NoteCoachFuel(0);  // or those who have ended would count twice
  Harvest harvest = coach.seats.CollectFrom(
      job_->plan, {device_, prepared_.fast32, prepared_.build}, coach_seats_);
  const uint64_t seated_fuel = harvest.seated.fuel;
  Ride ride;
  ride.sound = harvest.sound;
  std::vector<Ticket> not_started;
  if (ride.sound) {
    not_started = coach.seats.Vacate(coach_seats_, SeatedDispatch::Who::kNotStarted);
  }
  ride.ran = before - not_started.size();
  job_->Unseat(device_, not_started);
  Burst burst;
  Take(std::move(harvest), coach.seats.shape(), burst);
  ride.instances = burst.instances;
  ride.fuel = burst.fuel;
  ride.brought = burst.brought;
  ride.fuel_run = burst.ran - std::min(burst.ran, fuel_before);
  NoteCoachFuel(seated_fuel);
  memory_.Return((before - coach_seats_.size()) * coach.seat_bytes());
  if (coach_seats_.empty()) coach_ = nullptr;
  return ride;
}

void ResidentJob::Pay(std::chrono::nanoseconds busy) {
  job_->Note([busy](JobProgress& progress) {
    progress.usage.bursts += 1;
    progress.usage.device_time += busy;
  });
}

void ResidentJob::Alight() {
  if (coach_ == nullptr) return;
  Coach& coach = *coach_;
  std::vector<uint32_t> its = std::move(coach_seats_);
  GetOff(its.size());
  job_->Unseat(device_, coach.seats.Vacate(its, SeatedDispatch::Who::kAll));
}

std::vector<Ticket> ResidentJob::AbandonCoach() {
  Coach& coach = *coach_;
  std::vector<uint32_t> its = std::move(coach_seats_);
  GetOff(its.size());
  return coach.seats.Abandon(its);
}

void ResidentJob::GetOff(uint64_t seats) {
  auto& riders = coach_->riders;
  riders.erase(std::find(riders.begin(), riders.end(), this));
  memory_.Return(seats * coach_->seat_bytes());
  job_->NoteLeftFuel(std::exchange(coach_fuel_, 0));
  coach_ = nullptr;
  coach_seats_.clear();
}

}  // namespace wb
