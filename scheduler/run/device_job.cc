#include "scheduler/run/device_job.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "scheduler/base/quoted.h"
#include "scheduler/run/seating.h"

namespace wb {
namespace {

// Lanes per thread below which a device is likely to idle at the end of a launch.
constexpr uint32_t kLanesPerThread = 16;
// Where lanes take one seat after the other, a launch ends once one in so many found none left and
// others wait for seats.
constexpr uint32_t kIdleShare = 8;
// Of those who wait one launch takes at most one in so many, but one for each lane.
constexpr uint64_t kShareOfWaiting = 4;
// So many instances for each thread of a device are enough to keep several dispatches busy.
constexpr uint64_t kLong = 2;

}  // namespace

uint64_t DeviceJob::Waiting(SeatClass seat_class) const {
  if (closed_) return 0;
  for (const auto& [waiting_class, count] : job_->Waiting(device_)) {
    if (waiting_class == seat_class) return count;
  }
  return 0;
}

// A second dispatch of a class lets the device work on one while the other is harvested and filled;
// it is worth its memory only for as many instances as keep the device busy.
bool DeviceJob::MayAllocate(SeatClass seat_class, uint64_t waiting) const {
  if (waits_for_memory_ && *waits_for_memory_ == memory_.version()) return false;
  const SeatSets::Entry* first = seats_.Any(seat_class);
  return first == nullptr ||
         (seat_class.deaths == 0 && seats_.count(seat_class) < launches_at_once_ &&
          waiting >= first->seats.shape().lanes);
}

bool DeviceJob::HasWork(SeatClass seat_class, uint64_t waiting) const {
  if (seat_class == SeatClass{} && Shares()) return HasRide(waiting);
  if (seats_.SomebodyWaits(seat_class)) return true;
  return waiting > 0 && (seats_.HasIdle(seat_class) || MayAllocate(seat_class, waiting));
}

bool DeviceJob::CanGo(TimePoint now) const {
  if (IsEnded()) return true;
  if (IsExpired(now)) return HasSeated() || job_->HasWaiting();
  if (now < delayed_until_) return false;
  if (seats_.SomebodyWaits() || (batch_ != nullptr && !batch_->in_flight)) return true;
  if (!MaySeat()) return false;
  for (const auto& [seat_class, waiting] : job_->Waiting(device_)) {
    if (HasWork(seat_class, waiting)) return true;
  }
  return false;
}

// Classes take turns, so that the few instances that need more memory run beside the many.
std::optional<SeatClass> DeviceJob::NextClass() const {
  std::map<SeatClass, uint64_t> classes;
  for (const SeatSets::Entry& entry : seats_.entries()) classes[entry.seat_class] = 0;
  if (batch_ != nullptr) classes[SeatClass{}] = 0;
  if (MaySeat()) {
    for (const auto& [seat_class, waiting] : job_->Waiting(device_)) classes[seat_class] = waiting;
  }
  std::optional<SeatClass> first;
  for (const auto& [seat_class, waiting] : classes) {
    if (!HasWork(seat_class, waiting)) continue;
    if (!last_class_ || seat_class > *last_class_) return seat_class;
    if (!first) first = seat_class;
  }
  return first;
}

bool DeviceJob::NextIsSuspect() const {
  const std::optional<SeatClass> seat_class = NextClass();
  return seat_class && seat_class->deaths > 0;
}

// Launches that run side by side fill the device together, where there is enough for all.
uint32_t DeviceJob::AbreastFor(const DeviceInfo& info, uint64_t waiting) const {
  const bool is_long = waiting >= uint64_t{info.threads} * kLong;
  return is_long && settings_.burst_instances == 0 ? info.launches_at_once : 1;
}

Result<SeatSets::Entry*> DeviceJob::Allocate(Device& device, SeatClass seat_class) {
  const uint32_t threads = device.info().threads;
  const uint64_t waiting = std::max<uint64_t>(Waiting(seat_class), 1);
  const uint32_t abreast = AbreastFor(device.info(), waiting);
  const uint32_t most =
      settings_.burst_instances != 0 ? settings_.burst_instances : std::max(threads / abreast, 1u);
  SeatingWish wish;
  wish.lanes =
      static_cast<uint32_t>(std::min<uint64_t>(LanesAfterDeaths(seat_class.deaths, most), waiting));
  wish.seats = waiting;
  wish.seats_per_lane = seat_class.deaths > 0 ? 1 : device.info().seats_per_lane;
  wish.enough_lanes = threads * kLanesPerThread;
  wish.pages = seat_class.pages;
  wish.stack = seat_class.stack;
  // What lanes grow by later is not counted for the tenant, so one with a limit gets all at once.
  wish.maps_memory = device.info().maps_memory && !memory_.HasLimit();
  const LaneLayout& layout = prepared_.module->layout;
  uint64_t budget = memory_.Share();
  if (!ChooseSeating(job_->plan, layout, {1, 1, seat_class.pages, seat_class.stack}, budget))
    budget = memory_.left();
  const SeatSets::Entry* first = seats_.Any(seat_class);
  while (const std::optional<Seating> seating = ChooseSeating(job_->plan, layout, wish, budget)) {
    // Half as many lanes would take nearly as long as all of them.
    if (first != nullptr && seating->lanes < first->seats.shape().lanes / 4 * 3) break;
    auto dispatch = device.Allocate(pipeline_, ShapeOf(job_->plan, *seating));
    if (dispatch.ok()) {
      SeatTable seats(std::move(dispatch).value(), job_->plan, seating->bytes);
      return &seats_.Add(seat_class, std::move(seats), abreast);
    }
    if (dispatch.status().reason() != Reason::kNoDeviceFits) return dispatch.status();
    budget = std::min(budget / 2, seating->bytes / 2);
  }
  return nullptr;
}

Result<SeatSets::Entry*> DeviceJob::DispatchFor(Device& device, SeatClass seat_class) {
  if (SeatSets::Entry* idle = seats_.Idle(seat_class)) return idle;
  WB_ASSIGN(SeatSets::Entry * seats, Allocate(device, seat_class));
  if (seats == nullptr && memory_.IsAllThereIs()) {
    const std::string whose = memory_.IsLimited() ? " has, of what its tenant may have," : " has";
    return Status(Reason::kNoDeviceFits, "The device " + Quoted(device.info().id) + whose +
                                             " no memory for a single instance of this job.");
  }
  waits_for_memory_.reset();
  if (seats == nullptr) waits_for_memory_ = memory_.version();
  return seats;
}

// Queued seats: the first launch is to begin soon, and the last ones are to end together.
uint64_t DeviceJob::MostToSeat(const SeatSets::Entry& entry) const {
  if (closed_) return 0;
  const uint64_t free = entry.seats.free_seats();
  const DispatchShape& shape = entry.seats.shape();
  if (shape.seats == 0) return free;
  const uint64_t share = has_landed_ ? Waiting(entry.seat_class) / kShareOfWaiting : 0;
  return std::min(free, std::max<uint64_t>(share, shape.lanes));
}

Status DeviceJob::Fill(Device& device, SeatSets::Entry& entry) {
  const uint64_t wanted = MostToSeat(entry);
  const Claim claim = job_->Seat(device_, entry.seat_class, wanted);
  entry.is_full = claim.size() == wanted;
  entry.seats.Seat(job_->plan, claim, helpers_);
  WB_ASSIGN(Seated seated, entry.seats.ImportLanes(device, prepared_.fast32));
  if (seated.running > 0) RecordSeated(entry, seated += entry.seated);
  return {};
}

LaunchLimits DeviceJob::LimitsOf(SeatSets::Entry& entry, TimePoint now, const Times& times) {
  const DispatchShape& shape = entry.seats.shape();
  const bool queued = shape.seats != 0;
  std::chrono::nanoseconds left = std::min(pace_.next(), times.left);
  if (job_->unsettled) left = std::min(left, job_->next_look.load());
  const auto deadline = job_->deadline();
  if (deadline) left = std::min(left, *deadline - now - times.ahead);
  OccupancyTuner::Wish wish;
  if (queued && tuner_) wish = tuner_->Next(shape.lanes, entry.abreast);
  entry.round = wish.round;
  left = std::min(left, wish.longest);
  const Slice slice = controller_->Next(left, queued ? quantum_.next() : Quantum::kLongest);
  LaunchLimits limits;
  limits.max_duration = slice.max_duration;
  limits.quantum = slice.quantum;
  const uint32_t busy = std::min(entry.seats.taken_seats(), shape.lanes);
  limits.slice_fuel = std::min(settings_.slice_fuel, job_->FuelPerLane(busy));
  limits.seats_written = entry.seats.TakeWritten();
  if (!queued) return limits;
  limits.occupancy = wish.occupancy;
  // Only where others can be seated then: not where the sink's room kept seats empty.
  if (entry.is_full && Waiting(entry.seat_class) > 0) {
    limits.most_idle = wish.occupancy.LanesOf(shape.lanes) / kIdleShare;
  }
  return limits;
}

Result<DeviceJob::Turn> DeviceJob::Next(Device& device, TimePoint now, const Times& times) {
  launches_at_once_ = device.info().launches_at_once;
  const std::optional<SeatClass> seat_class = NextClass();
  if (!seat_class) return Turn();
  if (*seat_class == SeatClass{} && Shares()) return NextRide(device, now, times);
  const auto deadline = job_->deadline();
  if (deadline && *deadline - now <= times.ahead) return Turn();  // over before it begins
  WB_ASSIGN(SeatSets::Entry * entry, DispatchFor(device, *seat_class));
  if (entry == nullptr) return Turn();
  WB_TRY(Fill(device, *entry));
  last_class_ = *seat_class;
  if (entry->seats.taken_seats() == 0) return Turn();  // another device was quicker
  return Turn{entry, nullptr, LimitsOf(*entry, now, times)};
}

bool DeviceJob::Delay(TimePoint now) {
  delayed_until_ = now + backoff_.Next();
  return ++delays_ < Backoff::kMostTries;
}

WaitReason DeviceJob::MemoryWait(const std::string& device) const {
  if (memory_.IsLimited()) return WaitForMemory(device, memory_.held(), memory_.most());
  return WaitForMemory(device, memory_.held_by_all(), std::nullopt);
}

}  // namespace wb
