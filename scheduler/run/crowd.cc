#include "scheduler/run/crowd.h"

#include <algorithm>

#include "scheduler/run/resident_job.h"
#include "scheduler/run/seating.h"

namespace wb {
namespace {

// Lanes per thread below which a device is likely to idle at the end of a launch.
constexpr uint64_t kLanesPerThread = 16;
// A coach has room for more than wait when it is made: one group of lanes at least, and more than
// the other coaches of its crowd have together, so that few of them carry many.
constexpr uint64_t kLeastLanes = 32;
constexpr uint64_t kGrowth = 4;
// With so many coaches that are full of instances that take long, further ones have no lanes beyond
// those that run at a time: they would be idle, and hold memory.
constexpr int kMostSpacious = 2;
constexpr double kLeastWeight = 0.01;
// Who is near its end of time does not make a launch pointless for the others.
constexpr std::chrono::nanoseconds kShortest = std::chrono::milliseconds(1);

uint64_t MostLanes(const DeviceSettings& settings, const DeviceInfo& info) {
  return settings.burst_instances == 0 ? std::max(info.threads, 1u) : settings.burst_instances;
}

}  // namespace

Crowd::Crowd(const JobPlan& plan, PipelineRef pipeline, const LaneLayout& layout,
             std::shared_ptr<SliceController> controller, const DeviceSettings& settings,
             const DeviceInfo& info, MemoryBudget& memory)
    : plan_(CoachPlanOf(plan)),
      pipeline_(std::move(pipeline)),
      layout_(layout),
      controller_(std::move(controller)),
      settings_(settings),
      info_(info),
      memory_(memory) {}

uint64_t Crowd::Filling(const DeviceSettings& settings, const DeviceInfo& info) {
  return std::min(MostLanes(settings, info), info.threads * kLanesPerThread);
}

void Crowd::Leave(ResidentJob& job) {
  members_.erase(std::remove(members_.begin(), members_.end(), &job), members_.end());
}

bool Crowd::HasPlace() const {
  uint32_t with_room = 0;
  for (const Coach& coach : coaches_) {
    if (coach.IsOpen()) return true;
    if (coach.in_flight && coach.seats.free_seats() > 0) ++with_room;
  }
  return with_room < info_.launches_at_once;
}

uint64_t Crowd::Waiting(TimePoint now) const {
  uint64_t waiting = 0;
  for (const ResidentJob* member : members_) waiting += member->WaitingToBoard(now);
  return waiting;
}

uint32_t Crowd::LanesOfNext(TimePoint now) const {
  uint64_t carried = 0;
  int stuck = 0;
  for (const Coach& coach : coaches_) {
    carried += coach.seats.shape().lanes;
    stuck += coach.IsStuck() && coach.IsSpacious() ? 1 : 0;
  }
  uint64_t most = std::min(MostLanes(settings_, info_), 2 * Filling(settings_, info_));
  if (stuck >= kMostSpacious) most = std::min<uint64_t>(most, info_.threads);
  const uint64_t wanted = std::max({kLeastLanes, Waiting(now), carried * kGrowth});
  return static_cast<uint32_t>(std::clamp<uint64_t>(wanted, 1, std::max<uint64_t>(most, 1)));
}

Result<Coach*> Crowd::Allocate(Device& device, TimePoint now) {
  SeatingWish wish;
  wish.lanes = wish.enough_lanes = LanesOfNext(now);
  wish.maps_memory = info_.maps_memory;
  uint64_t budget = memory_.Share();
  while (const auto seating = ChooseSeating(plan_, layout_, wish, budget)) {
    auto dispatch = device.Allocate(pipeline_, ShapeOf(plan_, *seating));
    if (dispatch.ok()) {
      SeatedDispatch seats(std::move(dispatch).value(), plan_, seating->bytes);
      return &coaches_.emplace_back(std::move(seats), info_.threads, memory_);
    }
    if (dispatch.status().reason() != Reason::kNoDeviceFits) return dispatch.status();
    budget = std::min(budget / 2, seating->bytes / 2);
  }
  return nullptr;
}

Result<Coach*> Crowd::Fill(ResidentJob& leader, Device& device, TimePoint now) {
  Coach* coach = leader.coach();
  if (coach == nullptr) {
    const auto open = std::find_if(coaches_.begin(), coaches_.end(),
                                   [](const Coach& candidate) { return candidate.IsOpen(); });
    if (open != coaches_.end()) coach = &*open;
  }
  if (coach == nullptr) {
    WB_ASSIGN(coach, Allocate(device, now));
    if (coach == nullptr) return coach;
  }
  if (!coach->IsOpen()) return coach;
  coach->seats.LowestFirst();
  bool boarded = leader.Board(*coach, now);
  if (leader.coach() == nullptr) return static_cast<Coach*>(nullptr);
  boarded = BoardOthers(*coach, now) || boarded;
  if (boarded) coach->NoteBoarded();
  WB_ASSIGN(const Seated arrived, coach->seats.PutIn(device, leader.prepared().fast32));
  if (arrived.running == 0) return coach;
  for (ResidentJob* rider : coach->riders) rider->NoteArrivals();
  return coach;
}

Crowd::Queues Crowd::QueuesFor(const Coach& coach, TimePoint now) const {
  Queues queues;
  for (ResidentJob* member : members_) {
    if (member->WaitingToBoard(now) == 0) continue;
    Queue& queue = queues[member->job()->plan.spec.tenant];
    queue.weight = std::max(member->job()->tenant.weight, kLeastWeight);
    queue.jobs.push_back(member);
  }
  for (const ResidentJob* rider : coach.riders) {
    const auto its = queues.find(rider->job()->plan.spec.tenant);
    if (its != queues.end()) its->second.seats += static_cast<double>(rider->coach_seats());
  }
  for (auto& [tenant, queue] : queues) {
    std::stable_sort(queue.jobs.begin(), queue.jobs.end(),
                     [](const ResidentJob* a, const ResidentJob* b) {
                       return a->job()->plan.spec.priority > b->job()->plan.spec.priority;
                     });
  }
  return queues;
}

// Tenants by turns, so that each gets seats by its weight, however many jobs it has; of a tenant's
// jobs the highest priority first.
bool Crowd::BoardOthers(Coach& coach, TimePoint now) {
  bool boarded = false;
  Queues queues = QueuesFor(coach, now);
  while (!queues.empty() && coach.seats.free_seats() > 0) {
    const auto least =
        std::min_element(queues.begin(), queues.end(), [](const auto& a, const auto& b) {
          return a.second.seats / a.second.weight < b.second.seats / b.second.weight;
        });
    Queue& queue = least->second;
    ResidentJob& job = *queue.jobs[queue.next++];
    const uint32_t free = coach.seats.free_seats();
    boarded = job.Board(coach, now) || boarded;
    queue.seats += free - coach.seats.free_seats();
    if (queue.next == queue.jobs.size()) queues.erase(least);
  }
  return boarded;
}

LaunchLimits Crowd::LimitsOf(Coach& coach, TimePoint now, const LaunchTimes& times) const {
  std::chrono::nanoseconds left = std::min(coach.longest(), times.left);
  for (const ResidentJob* rider : coach.riders) {
    const auto deadline = rider->job()->deadline();
    if (deadline) left = std::min(left, std::max(*deadline - now - times.ahead, kShortest));
  }
  const Slice slice = controller_->Next(left, Quantum::kLongest);
  LaunchLimits limits;
  limits.max_duration = slice.max_duration;
  limits.quantum = slice.quantum;
  limits.slice_fuel = settings_.slice_fuel;
  limits.seats_written = coach.seats.TakeWritten();
  return limits;
}

Crowd::Arrival Crowd::Land(Coach& coach, const LaunchLimits& limits, const LaunchReport& report) {
  coach.in_flight = false;
  controller_->Note({limits.max_duration, limits.slice_fuel, limits.quantum}, report.busy);
  Arrival arrival;
  std::vector<uint64_t> ran;
  for (ResidentJob* rider : coach.riders) {
    const ResidentJob::Ride ride = rider->Land(coach);
    arrival.instances += ride.instances;
    arrival.fuel += ride.fuel;
    arrival.brought = AddBounded(arrival.brought, ride.brought);
    arrival.fuel_run = AddBounded(arrival.fuel_run, ride.fuel_run);
    arrival.ran += ride.ran;
    arrival.fares.push_back({rider, {}});
    ran.push_back(ride.ran);
    arrival.sound = ride.sound;
    if (!ride.sound) break;
  }
  auto& riders = coach.riders;
  const auto got_off = [&](const ResidentJob* rider) { return rider->coach() != &coach; };
  riders.erase(std::remove_if(riders.begin(), riders.end(), got_off), riders.end());
  if (!arrival.sound) return arrival;
  coach.NoteLaunch(arrival.ran - coach.seats.taken_seats());
  for (size_t i = 0; i < ran.size() && arrival.ran > 0; ++i) {
    Fare& fare = arrival.fares[i];
    fare.busy = report.busy * static_cast<int64_t>(ran[i]) / static_cast<int64_t>(arrival.ran);
    if (ran[i] > 0) fare.rider->Pay(fare.busy);
  }
  return arrival;
}

void Crowd::DropIfIdle(const Coach& coach, TimePoint now) {
  if (coach.riders.empty() && Waiting(now) == 0) Drop(coach);
}

void Crowd::Drop(const Coach& coach) {
  coaches_.remove_if([&coach](const Coach& candidate) { return &candidate == &coach; });
}

bool Crowd::DropIdle() {
  const size_t before = coaches_.size();
  coaches_.remove_if([](const Coach& coach) { return !coach.in_flight && coach.riders.empty(); });
  return coaches_.size() < before;
}

}  // namespace wb
