#include "scheduler/run/launches/own_launches.h"

#include <algorithm>
#include <utility>

#include "scheduler/base/quoted.h"
#include "scheduler/run/seats/record.h"
#include "scheduler/run/seats/seat_allocation.h"

namespace wb {
namespace {

// Where lanes take one seat after the other, a launch ends once one in so many found none left and
// other instances wait for seats.
constexpr uint32_t kIdleShare = 8;

}  // namespace

OwnLaunches::OwnLaunches(DeviceJobState& state, HelperThreads& helpers)
    : state_(state),
      helpers_(helpers),
      seats_(state.memory),
      seating_(state),
      states_(state, seats_),
      pace_(state.settings.burst_max_duration) {}

void OwnLaunches::SetUp(const DeviceInfo& info, std::shared_ptr<OccupancyTuner> tuner) {
  launches_at_once_ = info.launches_at_once;
  occupancy_.SetTuner(std::move(tuner));
}

// A second dispatch of a class lets the device work on one while the other is harvested and filled;
// it is worth its memory only for as many instances as keep the device busy.
bool OwnLaunches::MayAllocate(SeatClass seat_class, uint64_t waiting) const {
  if (waits_for_memory_ && *waits_for_memory_ == state_.memory.version()) return false;
  const SeatSets::Entry* first = seats_.Any(seat_class);
  return first == nullptr ||
         (seat_class.deaths == 0 && seats_.count(seat_class) < launches_at_once_ &&
          waiting >= first->seats.shape().lanes);
}

bool OwnLaunches::HasWork(SeatClass seat_class, uint64_t waiting) const {
  if (seats_.HasWaiting(seat_class)) return true;
  return waiting > 0 && (seats_.HasIdle(seat_class) || MayAllocate(seat_class, waiting));
}

// nullptr: there is not enough memory.
Result<SeatSets::Entry*> OwnLaunches::Allocate(Device& device, SeatClass seat_class) {
  const JobPlan& plan = state_.job->plan;
  KeptInputRef kept;
  if (plan.kept) {
    WB_ASSIGN(kept, state_.inputs.Take(device, plan.kept->input));
    waits_for_input_ = kept == nullptr;
    if (waits_for_input_) return static_cast<SeatSets::Entry*>(nullptr);
  }
  const uint64_t waiting = std::max<uint64_t>(state_.Waiting(seat_class), 1);
  const SeatingWish wish = seating_.WishFor(device.info(), seat_class, waiting);
  const LaneLayout& layout = state_.prepared.module->layout;
  uint64_t budget = state_.memory.Share();
  SeatingWish one;
  one.lanes = one.group = wish.group;
  one.pages = wish.pages;
  one.further_pages = wish.further_pages;
  one.stack = wish.stack;
  if (!ChooseSeating(plan, layout, one, budget)) budget = state_.memory.left();
  const SeatSets::Entry* first = seats_.Any(seat_class);
  SeatRequest request{state_.pipeline, plan, layout, wish, budget, 0, std::move(kept)};
  // Half as many lanes would take nearly as long as all of them.
  if (first != nullptr) request.least_lanes = first->seats.shape().lanes / 4 * 3;
  WB_ASSIGN(std::optional<SeatTable> seats, AllocateSeats(device, request));
  if (!seats) return static_cast<SeatSets::Entry*>(nullptr);
  SeatSets::Entry& entry =
      seats_.Add(seat_class, *std::move(seats), seating_.AbreastFor(device.info(), waiting));
  if (!state_.has_completed_launch) occupancy_.BeginDispatch(entry);
  return &entry;
}

Result<SeatSets::Entry*> OwnLaunches::DispatchFor(Device& device, SeatClass seat_class) {
  seats_.DropIdle([this](const SeatSets::Entry& entry) { return seating_.IsStale(entry); });
  if (SeatSets::Entry* idle = seats_.Idle(seat_class)) return idle;
  WB_ASSIGN(SeatSets::Entry * seats, Allocate(device, seat_class));
  const std::optional<KeptColumn>& kept = state_.job->plan.kept;
  if (seats == nullptr && state_.inputs.DropIdle(kept ? kept->input.digest : Digest())) {
    WB_ASSIGN(seats, Allocate(device, seat_class));
  }
  if (seats == nullptr && state_.memory.IsAllThereIs()) {
    const std::string few =
        state_.job->plan.group > 1 ? "a group of 32 instances" : "a single instance";
    const std::string whose =
        state_.memory.IsLimited() ? " has, of what its tenant may have," : " has";
    return Status(Reason::kNoDeviceFits, "The device " + Quoted(device.info().id) + whose +
                                             " no memory for " + few + " of this job.");
  }
  waits_for_memory_.reset();
  if (seats == nullptr) waits_for_memory_ = state_.memory.version();
  return seats;
}

Result<SeatSets::Entry*> OwnLaunches::Fill(Device& device, SeatClass seat_class) {
  WB_ASSIGN(SeatSets::Entry * entry, DispatchFor(device, seat_class));
  if (entry == nullptr) return entry;
  const uint64_t wanted = seating_.MostToSeat(*entry);
  const Claim claim = state_.job->Seat(state_.device, seat_class, wanted);
  entry->is_full = claim.size() == wanted;
  entry->seats.Seat(state_.job->plan, claim, helpers_);
  const ArrivalTerms terms{state_.prepared.fast32, state_.job->plan.spec.MustKeepStates()};
  WB_ASSIGN(Seated seated, entry->seats.ImportLanes(device, terms));
  if (seated.running > 0) RecordSeated(*entry, seated += entry->seated);
  WB_TRY(state_.TakeRefused(entry->seats.TakeRefused(terms), entry->seats.shape()));
  WB_TRY(states_.ImportResidents(device, *entry));
  return entry;
}

LaunchLimits OwnLaunches::LimitsOf(SeatSets::Entry& entry, TimePoint now,
                                   const LaunchTimes& times) {
  const DispatchShape& shape = entry.seats.shape();
  const bool queued = shape.seats != 0;
  std::chrono::nanoseconds left = std::min(pace_.next(), times.left);
  if (state_.job->unsettled) left = std::min(left, state_.job->next_look.load());
  const auto deadline = state_.job->limits.deadline();
  if (deadline) left = std::min(left, *deadline - now - times.ahead);
  const OccupancyTuner::Wish wish = occupancy_.Next(&entry);
  left = std::min(left, wish.longest);
  const Slice slice =
      state_.controller->Next(left, queued ? state_.QuantumOfNext() : Quantum::kLongest);
  LaunchLimits limits;
  limits.max_duration = slice.max_duration;
  limits.quantum = slice.quantum;
  const uint32_t busy = std::min(entry.seats.taken_seats(), shape.lanes);
  limits.slice_fuel = std::min(state_.settings.slice_fuel, state_.job->limits.FuelPerLane(busy));
  limits.seats_written = entry.seats.TakeWritten();
  limits.group_wait = GroupWaitOf(state_.job->plan.spec.hint);
  if (!queued) return limits;
  limits.occupancy = wish.occupancy;
  limits.label = state_.job->plan.spec.name;
  // Only where others can be seated then: not where the sink's room kept seats empty.
  if (entry.is_full && state_.Waiting(entry.seat_class) > 0) {
    limits.most_idle = wish.occupancy.LanesOf(shape.lanes) / kIdleShare;
  }
  return limits;
}

void OwnLaunches::Begin(SeatSets::Entry& entry) {
  occupancy_.Begin(&entry, !seats_.in_flight());
  entry.in_flight = true;
}

// False: there was a record that no sound engine writes.
bool OwnLaunches::Reap(SeatSets::Entry& entry, LaunchOutcome& outcome) {
  bool sound = true;
  Seated seated;
  RecordSeated(entry, {});  // or instances that have ended would count twice
  const auto reap = [&](Harvest harvest) {
    sound = sound && harvest.sound;
    seated += harvest.seated;
    if (const auto& residents = state_.job->plan.spec.residents)
      entry.seats.KeepResidents(harvest.results.instances(), *residents);
    state_.Take(std::move(harvest), entry.seats.shape(), outcome);
  };
  entry.seats.Collect(state_.job->plan, state_.origin(), reap, helpers_);
  RecordSeated(entry, seated);
  return sound;
}

Result<LaunchOutcome> OwnLaunches::Complete(SeatSets::Entry& entry, const LaunchLimits& limits,
                                            const LaunchReport& report, const DeviceInfo& info) {
  entry.in_flight = false;
  state_.has_completed_launch = true;
  occupancy_.Passed(report.busy);
  const double taken = entry.seats.taken_seats();
  if (state_.controller) {
    state_.controller->Record({limits.max_duration, limits.slice_fuel, limits.quantum},
                              report.busy);
  }
  const bool queued = entry.seats.shape().seats != 0;
  const uint64_t waiting = state_.Waiting(entry.seat_class);
  LaunchOutcome outcome;
  outcome.busy = report.busy;
  outcome.useful = std::min(1.0, taken / FullWidth(info));
  state_.job->Record([&report](JobProgress& progress) {
    progress.usage.bursts += 1;
    progress.usage.device_time += report.busy;
    progress.usage.lane_fuel.Add(report.lane_fuel);
  });
  const Seated before = entry.seated;
  if (!Reap(entry, outcome)) {
    return UnsoundRecord(info.id);
  }
  if (const uint64_t running = entry.seated.running; running != 0) {
    state_.job->Record([running](JobProgress& progress) { progress.usage.carried += running; });
  }
  pace_.Record({report.seats_left, info.threads, waiting, queued, outcome.drained > 0});
  outcome.ran -= std::min(outcome.ran, before.fuel);
  occupancy_.Record(entry, limits, report, before, outcome);
  const bool has_asking = state_.job->calls.Asking() > 0;  // that may come back here
  const bool is_over = state_.Waiting(entry.seat_class) == 0 || seating_.IsStale(entry);
  if (entry.seats.taken_seats() == 0 && is_over && !has_asking) {
    seats_.Drop(entry);
  }
  return outcome;
}

void OwnLaunches::RecordSeated(SeatSets::Entry& entry, const Seated& seated) {
  if (entry.seated.fuel != seated.fuel)
    state_.job->limits.RecordSeatedFuel(entry.seated.fuel, seated.fuel);
  entry.seated = seated;
}

WaitReason OwnLaunches::MemoryWait() const {
  if (waits_for_input_) {
    return WaitForInput(state_.device, state_.job->plan.kept->input.bytes.size(),
                        state_.inputs.bytes(), state_.inputs.most());
  }
  if (state_.memory.IsLimited())
    return WaitForMemory(state_.device, state_.memory.held(), state_.memory.most());
  return WaitForMemory(state_.device, state_.memory.held_by_all(), std::nullopt);
}

bool OwnLaunches::DropIdle() { return seats_.DropIdle(); }

void OwnLaunches::Drop() {
  for (SeatSets::Entry& entry : seats_.entries()) {
    state_.job->limits.RecordLeftFuel(std::exchange(entry.seated, {}).fuel);
    state_.job->Unseat(state_.device, entry.seats.Abandon());
    entry.in_flight = false;
  }
  seats_.DropIdle();
}

void OwnLaunches::Abandon(const Dispatch* blamed, std::vector<InstanceResult>& failed) {
  for (SeatSets::Entry& entry : seats_.entries()) {
    const bool is_blamed = &entry.seats.dispatch() == blamed;
    state_.StartAgain(entry.seats.Abandon(), is_blamed, failed);
  }
}

}  // namespace wb
