#include "scheduler/run/own_launches.h"

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
// One launch takes at most one in so many of the instances that wait, but one for each lane.
constexpr uint64_t kShareOfWaiting = 4;
// So many instances for each thread of a device are enough to keep several dispatches busy.
constexpr uint64_t kLong = 2;
// Lanes that take no seats end what they hold; that says little once so many times as many
// instances as were held have ended in the launch.
constexpr uint64_t kOutnumbers = 4;
// Instances of a session have no queue of seats. As many lanes as this cost a few calls to the
// device for all of them, where fewer lanes cost as many for each part.
constexpr uint32_t kLanesOfSession = 1024;

}  // namespace

OwnLaunches::OwnLaunches(DeviceJobState& state, HelperThreads& helpers)
    : state_(state),
      helpers_(helpers),
      seats_(state.memory),
      pace_(state.settings.burst_max_duration) {}

void OwnLaunches::SetUp(const DeviceInfo& info, std::shared_ptr<OccupancyTuner> tuner) {
  launches_at_once_ = info.launches_at_once;
  tuner_ = std::move(tuner);
}

std::optional<OccupancyChoice> OwnLaunches::TakeOccupancy() {
  return tuner_ ? tuner_->TakeChoice() : std::nullopt;
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

// Launches that run side by side fill the device together, where there is enough for all.
uint32_t OwnLaunches::AbreastFor(const DeviceInfo& info, uint64_t waiting) const {
  const bool is_long = waiting >= uint64_t{info.threads} * kLong;
  return is_long && state_.settings.burst_instances == 0 ? info.launches_at_once : 1;
}

// Instances that asked the job's caller come back with their state, and those that began in a given
// one may do so. A state needs a lane: those that find none would start again. Those of a session
// begin with theirs, and leave it in their lane.
bool OwnLaunches::MayQueue(SeatClass seat_class) const {
  const JobPlan& plan = state_.job->plan;
  return seat_class.deaths == 0 && !seat_class.has_state && plan.group == 1 &&
         plan.spec.host_imports.empty() && plan.spec.residents == nullptr;
}

// Those that need something that few do are in lanes that hold all, from where their state can go
// on elsewhere; and those that wait for the job's caller, since they would start again.
MemoryWindow OwnLaunches::WindowFor(SeatClass seat_class) const {
  const JobPlan& plan = state_.job->plan;
  const bool may = state_.touched != nullptr && seat_class == SeatClass{} && plan.group == 1 &&
                   plan.spec.host_imports.empty() && plan.spec.residents == nullptr;
  return may ? state_.touched->window() : MemoryWindow();
}

// Its lanes hold less than instances have been found to need.
bool OwnLaunches::IsStale(const SeatSets::Entry& entry) const {
  const MemoryWindow& window = entry.seats.shape().window;
  return !window.is_all() && window != WindowFor(entry.seat_class);
}

SeatingWish OwnLaunches::WishFor(const DeviceInfo& info, SeatClass seat_class,
                                 uint64_t waiting) const {
  const uint32_t abreast = AbreastFor(info, waiting);
  uint32_t most = std::max(info.threads / abreast, 1u);
  if (state_.job->plan.spec.residents != nullptr) most = std::max(most, kLanesOfSession);
  if (state_.settings.burst_instances != 0) most = state_.settings.burst_instances;
  SeatingWish wish;
  const uint32_t group = state_.job->plan.group;
  const uint64_t wanted = std::min<uint64_t>(LanesAfterDeaths(seat_class.deaths, most), waiting);
  wish.lanes = static_cast<uint32_t>((wanted + group - 1) / group * group);
  wish.group = group;
  wish.seats = waiting;
  wish.seats_per_lane = MayQueue(seat_class) ? info.seats_per_lane : 1;
  wish.enough_lanes = info.threads * kLanesPerThread;
  wish.pages = seat_class.pages;
  wish.further_pages = seat_class.further_pages;
  wish.stack = seat_class.stack;
  if (const auto& residents = state_.job->plan.spec.residents) {
    wish.pages = std::max(wish.pages, residents->MostPages());
    wish.further_pages = std::max(wish.further_pages, residents->MostFurtherPages());
  }
  wish.window = WindowFor(seat_class);
  // What lanes grow by later is not counted for the tenant, so one with a limit gets all at once.
  wish.maps_memory = info.maps_memory && !state_.memory.HasLimit();
  return wish;
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
  const SeatingWish wish = WishFor(device.info(), seat_class, waiting);
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
      seats_.Add(seat_class, *std::move(seats), AbreastFor(device.info(), waiting));
  const DispatchShape& shape = entry.seats.shape();
  if (tuner_ && shape.seats != 0 && !state_.has_completed_launch) {
    tuner_->BeginDispatch(shape.lanes, entry.abreast);
  }
  return &entry;
}

Result<SeatSets::Entry*> OwnLaunches::DispatchFor(Device& device, SeatClass seat_class) {
  seats_.DropIdle([this](const SeatSets::Entry& entry) { return IsStale(entry); });
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

// Queued seats: the first launch is to begin soon, and the last ones are to end together.
uint64_t OwnLaunches::MostToSeat(const SeatSets::Entry& entry) const {
  if (state_.closed || IsStale(entry)) return 0;
  const uint64_t free = entry.seats.free_seats();
  const DispatchShape& shape = entry.seats.shape();
  if (shape.seats == 0) return free;
  const uint64_t share =
      state_.has_completed_launch ? state_.Waiting(entry.seat_class) / kShareOfWaiting : 0;
  return std::min(free, std::max<uint64_t>(share, shape.lanes));
}

Result<SeatSets::Entry*> OwnLaunches::Fill(Device& device, SeatClass seat_class) {
  WB_ASSIGN(SeatSets::Entry * entry, DispatchFor(device, seat_class));
  if (entry == nullptr) return entry;
  const uint64_t wanted = MostToSeat(*entry);
  const Claim claim = state_.job->Seat(state_.device, seat_class, wanted);
  entry->is_full = claim.size() == wanted;
  entry->seats.Seat(state_.job->plan, claim, helpers_);
  const ArrivalTerms terms{state_.prepared.fast32, state_.job->plan.spec.MustKeepStates()};
  WB_ASSIGN(Seated seated, entry->seats.ImportLanes(device, terms));
  if (seated.running > 0) RecordSeated(*entry, seated += entry->seated);
  WB_TRY(state_.TakeRefused(entry->seats.TakeRefused(terms), entry->seats.shape()));
  if (state_.job->plan.spec.residents != nullptr) WB_TRY(ImportResidents(device, *entry));
  return entry;
}

// Those whose state found no place here do not start without it: they fail.
Status OwnLaunches::ImportResidents(Device& device, SeatSets::Entry& entry) {
  WB_ASSIGN(std::vector<uint32_t> refused,
            entry.seats.ImportResidents(device, *state_.prepared.module,
                                        *state_.job->plan.spec.residents));
  if (refused.empty()) return {};
  std::vector<InstanceResult> failed;
  for (const InstanceRef& instance : entry.seats.Vacate(refused, SeatTable::Which::kAll)) {
    InstanceResult& result = failed.emplace_back();
    result.instance = instance.instance;
    result.attempt = instance.attempt;
    result.end = End::kFailed;
  }
  state_.job->Record([](JobProgress& progress) {
    progress.usage.failures =
        "The device did not take the states of some of the session's "
        "instances, which keep them.";
  });
  state_.job->Deliver(state_.device, ResultBatch(failed));
  return {};
}

Status OwnLaunches::ExportResidents(Device& device, SeatSets::Entry& entry) {
  if (state_.job->plan.spec.residents == nullptr) return {};
  return entry.seats.ExportResidents(device, *state_.prepared.module);
}

LaunchLimits OwnLaunches::LimitsOf(SeatSets::Entry& entry, TimePoint now,
                                   const LaunchTimes& times) {
  const DispatchShape& shape = entry.seats.shape();
  const bool queued = shape.seats != 0;
  std::chrono::nanoseconds left = std::min(pace_.next(), times.left);
  if (state_.job->unsettled) left = std::min(left, state_.job->next_look.load());
  const auto deadline = state_.job->limits.deadline();
  if (deadline) left = std::min(left, *deadline - now - times.ahead);
  OccupancyTuner::Wish wish;
  if (queued && tuner_) wish = tuner_->Next(shape.lanes, entry.abreast);
  entry.round = wish.round;
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
  entry.begun_alone = !seats_.in_flight();
  entry.begun_at = busy_;
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
  busy_ += report.busy;
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
  RecordOccupancy(entry, limits, report, before, outcome);
  const bool has_asking = state_.job->calls.Asking() > 0;  // that may come back here
  const bool is_over = state_.Waiting(entry.seat_class) == 0 || IsStale(entry);
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

// Full: the queue held out to the end, or the launch ended as soon as it did not; and the lanes
// that took seats had the device for themselves.
void OwnLaunches::RecordOccupancy(const SeatSets::Entry& entry, const LaunchLimits& limits,
                                  const LaunchReport& report, const Seated& before,
                                  const LaunchOutcome& outcome) {
  if (!tuner_ || entry.seats.shape().seats == 0) return;
  const uint32_t lanes = entry.seats.shape().lanes;
  const bool held_out = entry.seated.queued > 0 || limits.most_idle != ~0u;
  const bool alone = before.running <= limits.occupancy.LanesOf(lanes) ||
                     outcome.instances >= kOutnumbers * before.running;
  OccupancyLaunch launch;
  launch.lanes = lanes;
  launch.abreast = entry.abreast;
  launch.round = entry.round;
  launch.alone = entry.begun_alone;
  launch.fuel = static_cast<double>(outcome.ran);
  launch.busy = report.busy;
  launch.air = busy_ - entry.begun_at;
  launch.full = held_out && alone;
  tuner_->Record(launch);
}

Result<uint64_t> OwnLaunches::ExportWaiting(Device& device, SeatSets::Entry& entry,
                                            const Migration& migration) {
  if (state_.job->plan.group > 1) return uint64_t{0};  // a group starts again as a whole
  WB_ASSIGN(const uint64_t outgrown, ExportOutgrown(device, entry, migration));
  WB_ASSIGN(const uint64_t asking, ExportAsking(device, entry, migration));
  WB_ASSIGN(const uint64_t growing, ExportGrowing(device, entry, migration));
  return AddBounded(outgrown, AddBounded(asking, growing));
}

// Those whose output outgrew their records, and which got no room for it here.
Result<uint64_t> OwnLaunches::ExportOutgrown(Device& device, SeatSets::Entry& entry,
                                             const Migration& migration) {
  const DispatchShape& shape = entry.seats.shape();
  if (shape.OutputBuffer() == shape.output_bytes) return uint64_t{0};
  const std::vector<uint32_t> seats =
      entry.seats.GiveRooms(entry.seats.Taken(), [this] { return state_.job->TakeWholeRoom(); });
  if (entry.seat_class.deaths > 0) return uint64_t{0};  // as below
  return entry.seats.ExportLanes(device, state_.TermsOf(migration), seats);
}

// Whatever happened to their engines: they go on with their answer only where they keep their
// state.
Result<uint64_t> OwnLaunches::ExportAsking(Device& device, SeatSets::Entry& entry,
                                           const Migration& migration) {
  if (state_.job->plan.spec.host_imports.empty()) return uint64_t{0};
  const MovingTerms terms = state_.TermsOf(migration);
  return entry.seats.ExportAsking(device, {terms, *state_.prepared.module, *state_.job});
}

Result<uint64_t> OwnLaunches::ExportGrowing(Device& device, SeatSets::Entry& entry,
                                            const Migration& migration) {
  const DispatchShape& shape = entry.seats.shape();
  const auto& memories = state_.prepared.module->program.memories;
  const bool grows = std::any_of(memories.begin(), memories.end(),
                                 [](const ir::Memory& memory) { return memory.grows; });
  // Most launches need not look at their records for this.
  if (!grows || shape.ReservesAll()) return uint64_t{0};
  if (entry.seat_class.deaths > 0) return uint64_t{0};  // as below
  return entry.seats.ExportLanes(device, state_.TermsOf(migration), entry.seats.WaitingForMemory());
}

Result<uint64_t> OwnLaunches::ExportLanes(Device& device, const Migration& migration) {
  if (state_.job->plan.group > 1) return uint64_t{0};  // likewise
  const MovingTerms terms = state_.TermsOf(migration);
  uint64_t fuel = 0;
  for (SeatSets::Entry& entry : seats_.entries()) {
    // Instances under which an engine died stay out: what they would take along may be why.
    if (entry.in_flight || entry.seat_class.deaths > 0) continue;
    WB_ASSIGN(const uint64_t more, entry.seats.ExportLanes(device, terms, entry.seats.Taken()));
    fuel = AddBounded(fuel, more);
  }
  return fuel;
}

Result<uint64_t> OwnLaunches::KeepStates(Device& device, StateKeeper& keeper) {
  const JobPlan& plan = state_.job->plan;
  if (plan.group > 1 || !plan.spec.host_imports.empty()) return uint64_t{0};
  const KeepingTerms terms = state_.KeepingTermsOf(keeper);
  uint64_t kept = 0;
  for (SeatSets::Entry& entry : seats_.entries()) {
    if (entry.in_flight || entry.seat_class.deaths > 0) continue;  // likewise
    WB_ASSIGN(const uint64_t more, entry.seats.KeepStates(device, terms, entry.seats.Taken()));
    kept += more;
  }
  return kept;
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
