#include "scheduler/run/batcher.h"

#include <algorithm>

#include "scheduler/run/device_job.h"
#include "scheduler/run/seating.h"

namespace wb {
namespace {

// Lanes per thread below which a device is likely to idle at the end of a launch.
constexpr uint64_t kLanesPerThread = 16;
// A batch has room for more than wait when it is made: one group of lanes at least, and more than
// the other batches of its batcher have together, so that few of them carry many.
constexpr uint64_t kLeastLanes = 32;
constexpr uint64_t kGrowth = 4;
// With so many batches that are full of instances that take long, further ones have no lanes beyond
// those that run at a time: they would be idle, and hold memory.
constexpr int kMostSpacious = 2;
constexpr double kLeastWeight = 0.01;
// Who is near its end of time does not make a launch pointless for the others.
constexpr std::chrono::nanoseconds kShortest = std::chrono::milliseconds(1);

uint64_t MostLanes(const DeviceSettings& settings, const DeviceInfo& info) {
  return settings.burst_instances == 0 ? std::max(info.threads, 1u) : settings.burst_instances;
}

}  // namespace

Batcher::Batcher(const JobPlan& plan, PipelineRef pipeline, const LaneLayout& layout,
                 std::shared_ptr<SliceController> controller, const DeviceSettings& settings,
                 const DeviceInfo& info, MemoryBudget& memory)
    : plan_(BatchPlanOf(plan)),
      pipeline_(std::move(pipeline)),
      layout_(layout),
      controller_(std::move(controller)),
      settings_(settings),
      info_(info),
      memory_(memory) {}

uint64_t Batcher::Filling(const DeviceSettings& settings, const DeviceInfo& info) {
  return std::min(MostLanes(settings, info), info.threads * kLanesPerThread);
}

void Batcher::Leave(DeviceJob& job) {
  members_.erase(std::remove(members_.begin(), members_.end(), &job), members_.end());
}

bool Batcher::HasPlace() const {
  uint32_t with_room = 0;
  for (const SharedBatch& batch : batches_) {
    if (batch.IsOpen()) return true;
    if (batch.in_flight && batch.seats.free_seats() > 0) ++with_room;
  }
  return with_room < info_.launches_at_once;
}

uint64_t Batcher::Waiting(TimePoint now) const {
  uint64_t waiting = 0;
  for (const DeviceJob* member : members_) waiting += member->WaitingToBoard(now);
  return waiting;
}

uint32_t Batcher::LanesOfNext(TimePoint now) const {
  uint64_t carried = 0;
  int stuck = 0;
  for (const SharedBatch& batch : batches_) {
    carried += batch.seats.shape().lanes;
    stuck += batch.IsStuck() && batch.IsSpacious() ? 1 : 0;
  }
  uint64_t most = std::min(MostLanes(settings_, info_), 2 * Filling(settings_, info_));
  if (stuck >= kMostSpacious) most = std::min<uint64_t>(most, info_.threads);
  const uint64_t wanted = std::max({kLeastLanes, Waiting(now), carried * kGrowth});
  return static_cast<uint32_t>(std::clamp<uint64_t>(wanted, 1, std::max<uint64_t>(most, 1)));
}

Result<SharedBatch*> Batcher::Allocate(Device& device, TimePoint now) {
  SeatingWish wish;
  wish.lanes = wish.enough_lanes = LanesOfNext(now);
  wish.maps_memory = info_.maps_memory;
  uint64_t budget = memory_.Share();
  while (const auto seating = ChooseSeating(plan_, layout_, wish, budget)) {
    auto dispatch = device.Allocate(pipeline_, ShapeOf(plan_, *seating));
    if (dispatch.ok()) {
      SeatTable seats(std::move(dispatch).value(), plan_, seating->bytes);
      return &batches_.emplace_back(std::move(seats), info_.threads, memory_);
    }
    if (dispatch.status().reason() != Reason::kNoDeviceFits) return dispatch.status();
    budget = std::min(budget / 2, seating->bytes / 2);
  }
  return nullptr;
}

Result<SharedBatch*> Batcher::Fill(DeviceJob& leader, Device& device, TimePoint now) {
  SharedBatch* batch = leader.batch();
  if (batch == nullptr) {
    const auto open = std::find_if(batches_.begin(), batches_.end(),
                                   [](const SharedBatch& candidate) { return candidate.IsOpen(); });
    if (open != batches_.end()) batch = &*open;
  }
  if (batch == nullptr) {
    WB_ASSIGN(batch, Allocate(device, now));
    if (batch == nullptr) return batch;
  }
  if (!batch->IsOpen()) return batch;
  batch->seats.LowestFirst();
  bool boarded = leader.Board(*batch, now);
  if (leader.batch() == nullptr) return static_cast<SharedBatch*>(nullptr);
  boarded = BoardOthers(*batch, now) || boarded;
  if (boarded) batch->RecordBoarded();
  WB_ASSIGN(const Seated arrived, batch->seats.ImportLanes(device, leader.prepared().fast32));
  if (arrived.running == 0) return batch;
  for (DeviceJob* member : batch->members) member->RecordArrivals();
  return batch;
}

Batcher::Queues Batcher::QueuesFor(const SharedBatch& batch, TimePoint now) const {
  Queues queues;
  for (DeviceJob* member : members_) {
    if (member->WaitingToBoard(now) == 0) continue;
    Queue& queue = queues[member->job()->plan.spec.tenant];
    queue.weight = std::max(member->job()->tenant.weight, kLeastWeight);
    queue.jobs.push_back(member);
  }
  for (const DeviceJob* member : batch.members) {
    const auto its = queues.find(member->job()->plan.spec.tenant);
    if (its != queues.end()) its->second.seats += static_cast<double>(member->shared_seats());
  }
  for (auto& [tenant, queue] : queues) {
    std::stable_sort(queue.jobs.begin(), queue.jobs.end(),
                     [](const DeviceJob* a, const DeviceJob* b) {
                       return a->job()->plan.spec.priority > b->job()->plan.spec.priority;
                     });
  }
  return queues;
}

// Tenants by turns, so that each gets seats by its weight, however many jobs it has; of a tenant's
// jobs the highest priority first.
bool Batcher::BoardOthers(SharedBatch& batch, TimePoint now) {
  bool boarded = false;
  Queues queues = QueuesFor(batch, now);
  while (!queues.empty() && batch.seats.free_seats() > 0) {
    const auto least =
        std::min_element(queues.begin(), queues.end(), [](const auto& a, const auto& b) {
          return a.second.seats / a.second.weight < b.second.seats / b.second.weight;
        });
    Queue& queue = least->second;
    DeviceJob& job = *queue.jobs[queue.next++];
    const uint32_t free = batch.seats.free_seats();
    boarded = job.Board(batch, now) || boarded;
    queue.seats += free - batch.seats.free_seats();
    if (queue.next == queue.jobs.size()) queues.erase(least);
  }
  return boarded;
}

LaunchLimits Batcher::LimitsOf(SharedBatch& batch, TimePoint now, const LaunchTimes& times) const {
  std::chrono::nanoseconds left = std::min(batch.longest(), times.left);
  for (const DeviceJob* member : batch.members) {
    const auto deadline = member->job()->deadline();
    if (deadline) left = std::min(left, std::max(*deadline - now - times.ahead, kShortest));
  }
  const Slice slice = controller_->Next(left, Quantum::kLongest);
  LaunchLimits limits;
  limits.max_duration = slice.max_duration;
  limits.quantum = slice.quantum;
  limits.slice_fuel = settings_.slice_fuel;
  limits.seats_written = batch.seats.TakeWritten();
  return limits;
}

Batcher::Arrival Batcher::Complete(SharedBatch& batch, const LaunchLimits& limits,
                                   const LaunchReport& report) {
  batch.in_flight = false;
  controller_->Record({limits.max_duration, limits.slice_fuel, limits.quantum}, report.busy);
  Arrival arrival;
  std::vector<uint64_t> ran;
  for (DeviceJob* member : batch.members) {
    const DeviceJob::Ride ride = member->Complete(batch);
    arrival.instances += ride.instances;
    arrival.fuel += ride.fuel;
    arrival.brought = AddBounded(arrival.brought, ride.brought);
    arrival.fuel_run = AddBounded(arrival.fuel_run, ride.fuel_run);
    arrival.ran += ride.ran;
    arrival.cost_shares.push_back({member, {}});
    ran.push_back(ride.ran);
    arrival.sound = ride.sound;
    if (!ride.sound) break;
  }
  auto& members = batch.members;
  const auto got_off = [&](const DeviceJob* member) { return member->batch() != &batch; };
  members.erase(std::remove_if(members.begin(), members.end(), got_off), members.end());
  if (!arrival.sound) return arrival;
  batch.RecordLaunch(arrival.ran - batch.seats.taken_seats());
  for (size_t i = 0; i < ran.size() && arrival.ran > 0; ++i) {
    Fare& cost_share = arrival.cost_shares[i];
    cost_share.busy =
        report.busy * static_cast<int64_t>(ran[i]) / static_cast<int64_t>(arrival.ran);
    if (ran[i] > 0) cost_share.member->Pay(cost_share.busy);
  }
  return arrival;
}

void Batcher::DropIfIdle(const SharedBatch& batch, TimePoint now) {
  if (batch.members.empty() && Waiting(now) == 0) Drop(batch);
}

void Batcher::Drop(const SharedBatch& batch) {
  batches_.remove_if([&batch](const SharedBatch& candidate) { return &candidate == &batch; });
}

bool Batcher::DropIdle() {
  const size_t before = batches_.size();
  batches_.remove_if(
      [](const SharedBatch& batch) { return !batch.in_flight && batch.members.empty(); });
  return batches_.size() < before;
}

}  // namespace wb
