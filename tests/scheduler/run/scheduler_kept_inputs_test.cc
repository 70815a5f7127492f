// Inputs that are the same for all instances: uploaded once for all dispatches and jobs of a
// device.

#include <atomic>
#include <string>
#include <utility>

#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

constexpr size_t kMiB = size_t{1} << 20;

class KeptInputsTest : public SchedulerTest {
 protected:
  // A number job whose module reads so many bytes of this value.
  JobSpec ReaderJob(size_t bytes, uint8_t value, uint64_t instances = 10) {
    JobSpec spec = NumberJob(module_, instances);
    spec.columns.push_back(InputOf(bytes, value));
    spec.inputs = {1};
    spec.placement = Placement::kCpu;
    return spec;
  }
  void RunJob(size_t bytes, uint8_t value, uint64_t instances = 10) {
    ExpectNumbers(*Submit(ReaderJob(bytes, value, instances)), instances);
  }

  std::string AwaitMemoryWait(JobId id) {
    for (;;) {
      for (const WaitReason& wait : scheduler_->Waits(id)) {
        if (wait.cause == WaitCause::kMemory) return wait.words;
      }
      std::this_thread::yield();
    }
  }

  const std::shared_ptr<const Module> module_ = ModuleOf(R"((module
    (import "wasmburst" "input_size" (func $size (param i32) (result i64)))
    (func (export "run") (param i32) (result i32)
      (i32.add (local.get 0) (i32.wrap_i64 (call $size (i32.const 0)))))))");
};

TEST_F(KeptInputsTest, DispatchesAndJobsShareOneCopy) {
  Start();
  RunJob(100'000, 1, 1000);
  RunJob(100'000, 1);
  EXPECT_EQ(cpu_.uploads(), 1u);
  EXPECT_GE(cpu_.launches().size(), 2u);
  RunJob(100'000, 2);
  EXPECT_EQ(cpu_.uploads(), 2u);
  EXPECT_EQ(cpu_.kept(), 2u);
  scheduler_.reset();
  EXPECT_EQ(cpu_.kept(), 0u);
}

TEST_F(KeptInputsTest, AShortInputLiesInEachDispatch) {
  Start();
  RunJob(kLeastKeptBytes - 1, 1);
  EXPECT_EQ(cpu_.uploads(), 0u);
  RunJob(kLeastKeptBytes, 1);
  EXPECT_EQ(cpu_.uploads(), 1u);
}

TEST_F(KeptInputsTest, WhatWasUsedLongestAgoMakesRoom) {
  settings_.cpu.input_percent = 1;  // of 1 GiB
  Start();
  RunJob(4 * kMiB, 1);
  RunJob(4 * kMiB, 2);
  RunJob(4 * kMiB, 1);
  EXPECT_EQ(cpu_.uploads(), 2u);
  RunJob(4 * kMiB, 3);  // in place of 2
  RunJob(4 * kMiB, 1);
  EXPECT_EQ(cpu_.uploads(), 3u);
  EXPECT_EQ(cpu_.kept(), 2u);
  RunJob(4 * kMiB, 2);
  EXPECT_EQ(cpu_.uploads(), 4u);
}

TEST_F(KeptInputsTest, AnInputLongerThanAllMayBeIsRefused) {
  settings_.cpu.input_percent = 1;
  Start();
  const SinkRef sink = Submit(ReaderJob(11 * kMiB, 1));
  sink->AwaitEnd();
  EXPECT_EQ(sink->status().reason(), Reason::kNoDeviceFits) << sink->status().ToString();
  EXPECT_NE(sink->status().message().find("has [11534336] bytes"), std::string::npos)
      << sink->status().message();
  EXPECT_NE(sink->status().message().find("engine.input_percent"), std::string::npos);
  EXPECT_EQ(cpu_.uploads(), 0u);
  RunJob(kMiB, 1);  // nothing is lost
}

TEST_F(KeptInputsTest, AJobWaitsUntilAnotherOnesInputMakesRoom) {
  settings_.cpu.input_percent = 1;
  std::atomic<bool> stays{true};
  cpu_.act = [&stays](const FakeLane& lane) {
    return stays && lane.number < 1000 ? LaneAct::kStay : LaneAct::kDone;
  };
  Start();
  const SinkRef first = Submit(ReaderJob(6 * kMiB, 1));
  cpu_.AwaitLaunch(1);
  JobSpec spec = ReaderJob(5 * kMiB, 2);
  spec.columns[0].start = Value::I32(1000);
  const SinkRef second = Submit(std::move(spec));
  EXPECT_EQ(AwaitMemoryWait(2),
            "memory on the device [cpu0] for its input of [5242880] bytes: inputs that other jobs "
            "read hold [6291456] of the [10737418] that inputs may have (engine.input_percent), "
            "and instances the rest");
  EXPECT_EQ(cpu_.uploads(), 1u);
  stays = false;
  ExpectNumbers(*first, 10);
  ExpectNumbers(*second, 10, 1000);
  EXPECT_EQ(cpu_.uploads(), 2u);
  EXPECT_EQ(cpu_.kept(), 1u);
}

TEST_F(KeptInputsTest, ADeviceWithLessMemoryThanItToldDropsWhatNothingReads) {
  cpu_.on_keep = [this](const InputBytes&) {
    return cpu_.kept() == 0 ? Status() : Status(Reason::kNoDeviceFits, "It is full.");
  };
  Start();
  RunJob(kMiB, 1);
  RunJob(kMiB, 2);
  EXPECT_EQ(cpu_.uploads(), 2u);
  EXPECT_EQ(cpu_.kept(), 1u);
}

TEST_F(KeptInputsTest, LanesThatNeedTheMemoryGetIt) {
  cpu_.on_allocate = [this](const DispatchShape& shape) {
    const bool is_full = shape.kept == nullptr && cpu_.kept() > 0;
    return is_full ? Status(Reason::kNoDeviceFits, "It is full.") : Status();
  };
  Start();
  RunJob(kMiB, 1);
  EXPECT_EQ(cpu_.kept(), 1u);
  JobSpec spec = NumberJob(NumberModule(), 5000);
  spec.placement = Placement::kCpu;
  spec.limits.max_total_fuel = kMuch;  // it shares no launches
  ExpectNumbers(*Submit(std::move(spec)), 5000);
  EXPECT_EQ(cpu_.kept(), 0u);
}

TEST_F(KeptInputsTest, AnEngineThatDiedGetsItAgain) {
  std::atomic<bool> dies{true};
  cpu_.act = [&dies](const FakeLane&) {
    return dies.exchange(false) ? LaneAct::kKillEngine : LaneAct::kDone;
  };
  Start();
  const Pusher pusher(clock_);
  RunJob(kMiB, 1);
  EXPECT_EQ(cpu_.uploads(), 2u);
  EXPECT_EQ(cpu_.kept(), 1u);
}

TEST_F(KeptInputsTest, AnEngineThatDiesOfTheUploadIsStartedAgain) {
  std::atomic<bool> dies{true};
  cpu_.on_keep = [&dies](const InputBytes&) {
    return dies.exchange(false) ? Status(Reason::kDeviceLost, "It died.") : Status();
  };
  Start();
  const Pusher pusher(clock_);
  RunJob(kMiB, 1);
  EXPECT_EQ(cpu_.starts(), 2u);
}

// The host's memory is the input store's to count: nothing is held there that no job uses.
TEST_F(KeptInputsTest, WhereInputsAreMappedNothingIsHeld) {
  cpu_.maps_inputs = true;
  settings_.cpu.input_percent = 1;
  Start();
  RunJob(20 * kMiB, 1);
  EXPECT_EQ(cpu_.uploads(), 1u);
  RunJob(100'000, 2);
  EXPECT_EQ(cpu_.uploads(), 2u);
  EXPECT_LE(cpu_.kept(), 1u);
}

TEST(MemoryBudgetOfInputsTest, KeptInputsLeaveLessForDispatchesAndHoldNone) {
  MemoryBudget memory;
  memory.SetTotal(100);
  memory.Keep(60);
  EXPECT_EQ(memory.left(), 40u);
  EXPECT_TRUE(memory.empty());
  memory.Hold(40);
  EXPECT_EQ(memory.left(), 0u);
  memory.GiveUp(60);
  EXPECT_EQ(memory.left(), 60u);
}

}  // namespace
}  // namespace wb::test
