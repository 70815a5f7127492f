#pragma once

// States that instances of a job begin in: of a fake device, whose images are records, and such as
// instances on a real device were left in.

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/base/mutex.h"
#include "compiler/compiler.h"
#include "scheduler/job/given_state.h"
#include "scheduler/job/job_plan.h"
#include "scheduler/run/seats/record.h"
#include "scheduler/run/seats/seat_allocation.h"

namespace wb::test {

// Counts how often it is read, and may be gone.
class CountedState final : public GivenState {
 public:
  CountedState(const StateNeeds& needs, MovedLaneRef state)
      : GivenState(needs, state->fuel), state_(std::move(state)) {}
  Result<MovedLaneRef> Read() const override {
    ++reads;
    if (is_gone) return Status(Reason::kBlobCorrupt, "The state is damaged.");
    return state_;
  }
  mutable std::atomic<uint32_t> reads{0};
  std::atomic<bool> is_gone{false};

 private:
  const MovedLaneRef state_;
};

// Keeps states in memory, for a job to come.
class RecordingKeeper final : public StateKeeper {
 public:
  Status Keep(const LeavingState& leaving) override {
    if (is_full) return Status(Reason::kNoSpace, "The disk is full.");
    auto lane = std::make_shared<MovedLane>();
    lane->image = leaving.state.image;
    lane->fuel = leaving.state.fuel;
    lane->fast32 = leaving.state.fast32;
    lane->drained = leaving.state.drained;
    const MutexLock lock(mutex_);
    planned_ = leaving.planned;
    const auto state = std::make_shared<HeldState>(leaving.needs, std::move(lane));
    left_[leaving.instance] = {leaving.instance, leaving.attempt, state};
    return {};
  }
  void OnLeft(const JobBefore& before) override {
    const MutexLock lock(mutex_);
    before_ = before;
  }
  // For the job that goes on.
  std::shared_ptr<JobBefore> Before() {
    const MutexLock lock(mutex_);
    auto before = std::make_shared<JobBefore>(before_);
    EXPECT_EQ(before->midway_planned, planned_);
    for (const auto& [instance, left] : left_) before->midway.push_back(left);
    return before;
  }
  uint64_t fuel() {
    const MutexLock lock(mutex_);
    uint64_t fuel = 0;
    for (const auto& [instance, left] : left_) fuel += left.state->fuel();
    return fuel;
  }
  size_t count() {
    const MutexLock lock(mutex_);
    return left_.size();
  }
  std::atomic<bool> is_full{false};

 private:
  Mutex mutex_;
  uint64_t planned_ WB_GUARDED_BY(mutex_) = 0;
  JobBefore before_ WB_GUARDED_BY(mutex_);
  std::map<uint64_t, LeftInstance> left_ WB_GUARDED_BY(mutex_);
};

// Of a job for a fake device: an instance that has used so much.
inline std::shared_ptr<CountedState> FakeState(const JobSpec& spec, uint64_t fuel,
                                               const StateNeeds& needs = {1}) {
  const JobPlan plan = PlanJob(spec, {}).value();
  Seating seating;
  seating.lanes = 1;
  auto lane = std::make_shared<MovedLane>();
  lane->image.record.resize(ShapeOf(plan, seating).RecordWords());
  lane->image.record[abi::RECORD_SEAT] = abi::SEAT_RUNNING;
  lane->image.record[abi::RECORD_FUEL_LO] = static_cast<uint32_t>(fuel);
  lane->fuel = fuel;
  return std::make_shared<CountedState>(needs, std::move(lane));
}

// Instances of the job that have run so much on the device, all at once.
inline std::vector<LeftInstance> LeftMidway(Device& device, const JobSpec& spec, uint64_t fuel) {
  const JobPlan plan = PlanJob(spec, {}).value();
  const auto module = Lower(spec.module).value();
  KernelSource source;
  if (device.info().engine != Engine::kInterpreter) {
    source = EmitKernel(*module, device.info().options).value();
  }
  const PipelineRef pipeline = device.Load(module, device.Build(*module, source).value()).value();
  SeatingWish wish;
  wish.lanes = wish.enough_lanes = static_cast<uint32_t>(spec.instances);
  wish.seats = spec.instances;
  SeatTable seats = AllocateSeats(device, {pipeline, plan, module->layout, wish, uint64_t{1} << 30})
                        .value()
                        .value();
  HelperThreads helpers(0);
  seats.Seat(plan, Backlog(spec.instances).Take({}, spec.instances), helpers);
  LaunchLimits limits;
  limits.slice_fuel = fuel;
  EXPECT_TRUE(device.Launch(seats.dispatch(), limits).ok());
  const auto images = device.ExportLanes(seats.dispatch(), seats.Taken()).value();
  std::vector<LeftInstance> left;
  for (uint64_t instance = 0; instance < images.size(); ++instance) {
    if (!images[instance]) continue;
    auto lane = std::make_shared<MovedLane>();
    lane->image = *images[instance];
    lane->fuel = RecordFuel(lane->image.record);
    const StateNeeds needs = NeedsOf(seats.shape(), module->layout.MemoryCount(),
                                     module->layout.recursive(), lane->image.record);
    left.push_back({instance, 1, std::make_shared<HeldState>(needs, std::move(lane))});
  }
  return left;
}

}  // namespace wb::test
