#include "scheduler/run/launches/batcher.h"

#include <algorithm>

#include "scheduler/control/quantum.h"
#include "scheduler/job/batch_key.h"
#include "scheduler/run/seats/seat_allocation.h"

namespace wb {
namespace {

// A batch has room for more than wait when it is made: one group of lanes at least, and more than
// the other batches of its batcher have together, so that few of them carry many.
constexpr uint64_t kLeastLanes = 32;
constexpr uint64_t kGrowth = 4;
// With so many batches that are full of instances that take long, further ones have no lanes beyond
// those that run at a time: they would be idle, and hold memory.
constexpr int kMostSpacious = 2;
constexpr double kLeastWeight = 0.01;
// A job that is near its end of time does not make a launch pointless for the others.
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
  return std::min(MostLanes(settings, info), uint64_t{info.threads} * kLanesPerThread);
}

void Batcher::Leave(BatchMember& member) {
  members_.erase(std::remove(members_.begin(), members_.end(), &member), members_.end());
}

bool Batcher::HasPlace() const {
  uint32_t with_room = 0;
  for (const SharedBatch& batch : batches_) {
    if (batch.IsOpen()) return true;
    if (batch.in_flight && batch.seats.free_seats() > 0) ++with_room;
  }
  return with_room < info_.launches_at_once;
}

// A job without company has a dispatch of its own.
uint64_t Batcher::WaitingOf(const BatchMember& member, TimePoint now) const {
  if (member.batch() == nullptr && members_.size() < 2) return 0;
  return member.Waiting(now);
}

uint64_t Batcher::Waiting(TimePoint now) const {
  uint64_t waiting = 0;
  for (const BatchMember* member : members_) waiting += WaitingOf(*member, now);
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
  WB_ASSIGN(std::optional<SeatTable> seats,
            AllocateSeats(device, {pipeline_, plan_, layout_, wish, memory_.Share()}));
  if (!seats) return static_cast<SharedBatch*>(nullptr);
  return &batches_.emplace_back(*std::move(seats), info_.threads, memory_);
}

Result<SharedBatch*> Batcher::Fill(BatchMember& leader, Device& device, TimePoint now) {
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
  bool joined = leader.Join(*batch, now);
  if (leader.batch() == nullptr) return static_cast<SharedBatch*>(nullptr);
  joined = JoinOthers(*batch, now) || joined;
  if (joined) batch->RecordJoined();
  WB_ASSIGN(const Seated imported, batch->seats.ImportLanes(device, {leader.fast32(), false}));
  if (imported.running == 0) return batch;
  for (BatchMember* member : batch->members) member->RecordImported();
  return batch;
}

Batcher::Queues Batcher::QueuesFor(const SharedBatch& batch, TimePoint now) const {
  Queues queues;
  for (BatchMember* member : members_) {
    if (WaitingOf(*member, now) == 0) continue;
    Queue& queue = queues[member->job().plan.spec.tenant];
    queue.weight = std::max(member->job().tenant.weight, kLeastWeight);
    queue.members.push_back(member);
  }
  for (const BatchMember* member : batch.members) {
    const auto its = queues.find(member->job().plan.spec.tenant);
    if (its != queues.end()) its->second.seats += static_cast<double>(member->seats());
  }
  for (auto& [tenant, queue] : queues) {
    std::stable_sort(queue.members.begin(), queue.members.end(),
                     [](const BatchMember* a, const BatchMember* b) {
                       return a->job().plan.spec.priority > b->job().plan.spec.priority;
                     });
  }
  return queues;
}

// Tenants by turns, so that each gets seats by its weight, however many jobs it has; of a tenant's
// jobs the highest priority first.
bool Batcher::JoinOthers(SharedBatch& batch, TimePoint now) {
  bool joined = false;
  Queues queues = QueuesFor(batch, now);
  while (!queues.empty() && batch.seats.free_seats() > 0) {
    const auto least =
        std::min_element(queues.begin(), queues.end(), [](const auto& a, const auto& b) {
          return a.second.seats / a.second.weight < b.second.seats / b.second.weight;
        });
    Queue& queue = least->second;
    BatchMember& member = *queue.members[queue.next++];
    const uint32_t free = batch.seats.free_seats();
    joined = member.Join(batch, now) || joined;
    queue.seats += free - batch.seats.free_seats();
    if (queue.next == queue.members.size()) queues.erase(least);
  }
  return joined;
}

LaunchLimits Batcher::LimitsOf(SharedBatch& batch, TimePoint now, const LaunchTimes& times) const {
  std::chrono::nanoseconds left = std::min(batch.longest(), times.left);
  for (const BatchMember* member : batch.members) {
    const auto deadline = member->job().limits.deadline();
    if (deadline) left = std::min(left, std::max(*deadline - now - times.ahead, kShortest));
  }
  const Slice slice = controller_->Next(left, Quantum::kLongest);
  LaunchLimits limits;
  limits.max_duration = slice.max_duration;
  limits.quantum = slice.quantum;
  limits.slice_fuel = settings_.slice_fuel;
  limits.group_wait = GroupWaitOf(plan_.spec.hint);
  limits.seats_written = batch.seats.TakeWritten();
  return limits;
}

BatchOutcome Batcher::Complete(SharedBatch& batch, const LaunchLimits& limits,
                               const LaunchReport& report) {
  batch.in_flight = false;
  controller_->Record({limits.max_duration, limits.slice_fuel, limits.quantum}, report.busy);
  BatchOutcome outcome;
  std::vector<uint64_t> ran;
  uint64_t drained = 0;
  for (BatchMember* member : batch.members) {
    const MemberOutcome part = member->Complete(batch);
    outcome.instances += part.instances;
    outcome.fuel += part.fuel;
    outcome.brought = AddBounded(outcome.brought, part.brought);
    outcome.fuel_run = AddBounded(outcome.fuel_run, part.fuel_run);
    outcome.ran += part.ran;
    drained += part.drained;
    outcome.cost_shares.push_back({member, {}, {}, part.instances, part.fuel_run});
    ran.push_back(part.ran);
    outcome.sound = part.sound;
    if (!part.sound) break;
  }
  auto& members = batch.members;
  const auto has_left = [&](const BatchMember* member) { return member->batch() != &batch; };
  members.erase(std::remove_if(members.begin(), members.end(), has_left), members.end());
  if (!outcome.sound) return outcome;
  batch.RecordLaunch(outcome.ran - batch.seats.taken_seats(), drained);
  for (size_t i = 0; i < ran.size() && outcome.ran > 0; ++i) {
    BatchOutcome::CostShare& cost_share = outcome.cost_shares[i];
    cost_share.busy =
        report.busy * static_cast<int64_t>(ran[i]) / static_cast<int64_t>(outcome.ran);
    cost_share.lane_fuel = report.lane_fuel.Part(ran[i], outcome.ran);
    if (ran[i] > 0) cost_share.member->Charge(cost_share.busy, cost_share.lane_fuel);
  }
  return outcome;
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
