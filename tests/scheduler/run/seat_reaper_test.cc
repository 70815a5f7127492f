// What instances came to, by the states of their seats.

#include "scheduler/run/seats/seat_reaper.h"

#include <gtest/gtest.h>

#include <memory>

#include "scheduler/run/seats/seating.h"
#include "tests/fakes/plain_dispatch.h"
#include "tests/fakes/recording_sink.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {
namespace {

// Instance 7 of a job, in seat 0 of two.
class SeatReaperTest : public testing::Test {
 protected:
  SeatReaperTest() : plan_(Plan()), contents_(DispatchOf(plan_)) { Seat(); }
  void Seat() {
    contents_.instances.Put(0, InstanceRef{7, 2, {}, nullptr, 3});
    record()[abi::RECORD_FUEL_LO] = 100;
  }
  // Records have room for 8 bytes, of at most 100.
  static JobPlan Plan() {
    JobPlan plan = PlanJob(NumberJob(NumberModule(), 10), {}).value();
    plan.output_bytes = 100;
    plan.output_buffer = 8;
    return plan;
  }
  static std::unique_ptr<Dispatch> DispatchOf(const JobPlan& plan, MemoryWindow window = {}) {
    Seating seating;
    seating.lanes = seating.seats = 2;
    seating.pages = 1;
    seating.stack = 100;
    seating.window = window;
    return std::make_unique<PlainDispatch>(ShapeOf(plan, seating));
  }
  std::span<uint32_t> record() { return contents_.RecordOf(0); }
  bool Reap(uint32_t state) {
    record()[abi::RECORD_SEAT] = state;
    harvest_ = {};
    return SeatReaper(plan_, origin_, contents_, asking_).Reap(0, harvest_);
  }
  bool is_empty() {
    return !contents_.instances.Has(0) && record()[abi::RECORD_SEAT] == abi::SEAT_EMPTY;
  }

  const JobPlan plan_;
  const Origin origin_{"cpu0", true, KernelBuild::kQuick};
  SeatContents contents_;
  AskingSeats asking_;
  Harvest harvest_;
};

TEST_F(SeatReaperTest, WhoHasNotEndedStays) {
  EXPECT_FALSE(Reap(abi::SEAT_START));
  EXPECT_EQ(harvest_.seated.queued, 1u);
  EXPECT_EQ(harvest_.seated.fuel, 0u);
  EXPECT_FALSE(Reap(abi::SEAT_RUNNING));
  EXPECT_EQ(harvest_.seated.running, 1u);
  EXPECT_EQ(harvest_.seated.fuel, 100u);
  EXPECT_TRUE(harvest_.sound);
  EXPECT_TRUE(contents_.instances.Has(0));
}

TEST_F(SeatReaperTest, WhoHasEndedIsAResultOfItsDevice) {
  record()[abi::RECORD_STEP] = static_cast<uint32_t>(plan_.program.steps.size()) + 1;
  ASSERT_TRUE(Reap(abi::SEAT_DONE));
  ASSERT_EQ(harvest_.results.size(), 1u);
  const InstanceResult result = harvest_.results.At(0);
  EXPECT_EQ(result.instance, 7u);
  EXPECT_EQ(result.attempt, 2u);
  EXPECT_EQ(result.device, "cpu0");
  EXPECT_TRUE(result.fast32);
  EXPECT_EQ(result.build, KernelBuild::kQuick);
  EXPECT_EQ(result.fuel, 100u);
  EXPECT_EQ(harvest_.brought, 3u);
  EXPECT_TRUE(is_empty());
}

TEST_F(SeatReaperTest, WhoNeedsMemoryIsOfAClassThatHasIt) {
  ASSERT_TRUE(Reap(abi::SEAT_NEEDS_MEMORY));
  ASSERT_EQ(harvest_.need_memory.size(), 1u);
  EXPECT_EQ(harvest_.need_memory[0].instance, 7u);
  EXPECT_EQ(harvest_.need_memory[0].seat_class.pages, 2u);
  EXPECT_EQ(harvest_.need_memory[0].brought, 0u);
  EXPECT_EQ(harvest_.left_fuel, 100u);
  EXPECT_TRUE(is_empty());
}

TEST_F(SeatReaperTest, WhoMissesWhatItsLaneHoldsStartsAgain) {
  contents_ = SeatContents(DispatchOf(plan_, {0, 4096}));
  Seat();
  record()[abi::RECORD_TRAP_OFFSET] = 17;
  ASSERT_TRUE(Reap(abi::SEAT_NEEDS_MEMORY));
  EXPECT_TRUE(harvest_.need_memory.empty());
  ASSERT_EQ(harvest_.missed.size(), 1u);
  EXPECT_EQ(harvest_.missed[0].instance, 7u);
  EXPECT_EQ(harvest_.missed[0].seat_class, SeatClass{});
  EXPECT_EQ(harvest_.misses.instances, 1u);
  EXPECT_EQ(harvest_.misses.from, 65536u);
  EXPECT_EQ(harvest_.misses.end, 69632u);
  EXPECT_EQ(harvest_.left_fuel, 100u);
  EXPECT_TRUE(is_empty());
}

TEST_F(SeatReaperTest, WhoNeedsStackStartsAgain) {
  ASSERT_TRUE(Reap(abi::SEAT_NEEDS_STACK));
  ASSERT_EQ(harvest_.need_stack.size(), 1u);
  EXPECT_EQ(harvest_.need_stack[0].instance, 7u);
  EXPECT_EQ(harvest_.left_fuel, 100u);
  EXPECT_TRUE(is_empty());
}

TEST_F(SeatReaperTest, WhoseCallWasNotReadStartsAgain) {
  record()[abi::RECORD_WANTED_PAGES] = abi::ASKS_HOST;
  ASSERT_TRUE(Reap(abi::SEAT_NEEDS_MEMORY));
  EXPECT_TRUE(harvest_.asking.empty());
  ASSERT_EQ(harvest_.need_memory.size(), 1u);
  EXPECT_EQ(harvest_.need_memory[0].seat_class, SeatClass{}) << "it needs no more than it had";
  EXPECT_EQ(harvest_.left_fuel, 100u);
  EXPECT_TRUE(is_empty());
}

TEST_F(SeatReaperTest, WhoseOutputOutgrewItsRecordLeavesIfItHasNoRoom) {
  record()[abi::RECORD_OUT_WAITS] = 1;
  ASSERT_TRUE(Reap(abi::SEAT_RUNNING));
  ASSERT_EQ(harvest_.need_memory.size(), 1u);
  EXPECT_TRUE(harvest_.need_memory[0].seat_class.whole_result);
  EXPECT_EQ(harvest_.need_memory[0].brought, 0u);
  EXPECT_EQ(harvest_.left_fuel, 100u);
  EXPECT_EQ(harvest_.seated.running, 0u);
  EXPECT_TRUE(is_empty());
}

TEST_F(SeatReaperTest, WithRoomItsOutputIsTakenAndTheRoomOutlastsIt) {
  const auto sink = std::make_shared<RecordingSink>();
  contents_.instances.Edit(0).room = WholeRoom::Take(sink, 1).at(0);
  record()[abi::RECORD_OUT_WAITS] = 1;
  record()[abi::RECORD_OUT_BYTES] = 8;
  EXPECT_FALSE(Reap(abi::SEAT_RUNNING));
  EXPECT_EQ(harvest_.drained, 1u);
  EXPECT_EQ(contents_.drained.bytes(0), 8u);
  record()[abi::RECORD_STEP] = static_cast<uint32_t>(plan_.program.steps.size()) + 1;
  ASSERT_TRUE(Reap(abi::SEAT_DONE));
  EXPECT_EQ(sink->widened(), 1u) << "until the result is delivered";
  harvest_ = {};
  EXPECT_EQ(sink->widened(), 0u);
}

TEST_F(SeatReaperTest, WhatNoSoundEngineWritesLeavesTheSeatAsItIs) {
  for (const uint32_t state : {uint32_t{abi::SEAT_EMPTY}, 99u, uint32_t{abi::SEAT_DONE}}) {
    record()[abi::RECORD_STEP] = 0;  // which has not returned
    EXPECT_FALSE(Reap(state)) << state;
    EXPECT_FALSE(harvest_.sound) << state;
    EXPECT_TRUE(contents_.instances.Has(0)) << state;
  }
}

// The group has the job's instances 0 and 1, in these states.
class GroupReaperTest : public SeatReaperTest {
 protected:
  bool ReapGroup(uint32_t first, uint32_t second) {
    contents_.instances.Clear(0);
    const uint32_t states[] = {first, second};
    for (uint32_t seat = 0; seat < 2; ++seat) {
      contents_.instances.Clear(seat);
      contents_.instances.Put(seat, InstanceRef{seat, 1, {}, nullptr, 0});
      const std::span<uint32_t> record = contents_.RecordOf(seat);
      record[abi::RECORD_SEAT] = states[seat];
      record[abi::RECORD_STEP] = static_cast<uint32_t>(plan_.program.steps.size()) + 1;
      record[abi::RECORD_FUEL_LO] = 100;
    }
    harvest_ = {};
    return SeatReaper(plan_, origin_, contents_, asking_).ReapGroup(0, 2, harvest_);
  }
};

TEST_F(GroupReaperTest, OneThatHasEndedStaysUntilTheOthersHave) {
  EXPECT_FALSE(ReapGroup(abi::SEAT_DONE, abi::SEAT_RUNNING));
  EXPECT_TRUE(harvest_.results.empty());
  EXPECT_EQ(harvest_.seated.running, 1u);
  EXPECT_EQ(harvest_.seated.fuel, 200u);
  EXPECT_TRUE(contents_.instances.Has(0) && contents_.instances.Has(1));
  EXPECT_TRUE(ReapGroup(abi::SEAT_DONE, abi::SEAT_DONE));
  EXPECT_EQ(harvest_.results.size(), 2u);
  EXPECT_FALSE(contents_.instances.Has(0) || contents_.instances.Has(1));
}

TEST_F(GroupReaperTest, IfOneNeedsMoreAllStartAgainWithIt) {
  EXPECT_TRUE(ReapGroup(abi::SEAT_DONE, abi::SEAT_NEEDS_MEMORY));
  EXPECT_TRUE(harvest_.results.empty());
  ASSERT_EQ(harvest_.need_memory.size(), 2u);
  EXPECT_EQ(harvest_.need_memory[0].seat_class, harvest_.need_memory[1].seat_class);
  EXPECT_EQ(harvest_.need_memory[0].seat_class.pages, 2u);
  EXPECT_EQ(harvest_.left_fuel, 200u);
  EXPECT_TRUE(ReapGroup(abi::SEAT_NEEDS_STACK, abi::SEAT_START));
  ASSERT_EQ(harvest_.need_memory.size(), 2u);
  EXPECT_EQ(harvest_.need_memory[1].seat_class.stack, 400u);
}

TEST_F(GroupReaperTest, WhatNoEngineWritesIsFound) {
  EXPECT_FALSE(ReapGroup(17, abi::SEAT_DONE) && harvest_.sound);
}

}  // namespace
}  // namespace wb::test
