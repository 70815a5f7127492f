// When compilers begin for jobs that are on the interpreter meanwhile.

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

using namespace std::chrono_literals;

// An interpreter that does 800 instances a second.
class SchedulerBuildsTest : public SchedulerTest {
 protected:
  SchedulerBuildsTest() {
    settings_.start_on_interpreter = true;
    settings_.interpreter.burst_instances = 16;
    interpreter_.busy = 20ms;
  }

  JobSpec JobOf(int module, uint64_t instances) {
    return NumberJob(ModuleOf("(module (memory " + std::to_string(module) +
                              " 64) (func (export \"run\") (param i32) (result i32) (i32.add "
                              "(local.get 0) (i32.const 1))))"),
                     instances);
  }
  // A launch with this instance completes only when the test says so.
  void HoldAt(uint32_t instance) {
    interpreter_.act = [this, instance](const FakeLane& lane) {
      while (lane.number == instance && held_) std::this_thread::yield();
      return LaneAct::kDone;
    };
  }
  static void AwaitReason(RecordingSink& sink, const std::string& words) {
    sink.AwaitProgress([&words](const JobProgress& progress) {
      return progress.placement_reason.find(words) != std::string::npos;
    });
  }
  void AwaitCached(size_t count) {
    while (scheduler_->CacheList().size() < count) std::this_thread::yield();
  }

  std::atomic<bool> held_{true};
};

TEST_F(SchedulerBuildsTest, AShortJobHasTheProcessorsForItself) {
  HoldAt(16);
  Start();
  const SinkRef sink = SubmitNumbers(32);
  AwaitReason(*sink, "would not pay: ");
  EXPECT_EQ(cpu_.builds(), 0u);
  held_ = false;
  ExpectNumbers(*sink, 32);
  // It is built then, for the next ones.
  while (cpu_.launches().empty()) ExpectNumbers(*SubmitNumbers(32), 32);
  EXPECT_EQ(cpu_.builds(), 1u);
}

TEST_F(SchedulerBuildsTest, OfALongJobItBeginsAtTheFirstLook) {
  interpreter_.act = [](const FakeLane& lane) {
    return lane.number < 16 ? LaneAct::kDone : LaneAct::kStay;
  };
  Start();
  const SinkRef sink = SubmitNumbers(5000);
  ExpectNumbers(*sink, 5000);
  EXPECT_EQ(cpu_.builds(), 1u);
  EXPECT_EQ(interpreter_.launches()[0].max_duration, 20ms);
  EXPECT_EQ(sink->Results().back().device, "cpu0");
}

TEST_F(SchedulerBuildsTest, AJobThatInsistsBeginsItForAll) {
  cpu_.on_build = [this](const KernelSource&) -> Result<Bytes> {
    held_ = false;
    return Bytes{1};
  };
  HoldAt(16);
  Start();
  const SinkRef open = Submit(JobOf(1, 17));
  open->AwaitResults(16);
  JobSpec pinned = JobOf(1, 5);
  pinned.placement = Placement::kCpu;
  ExpectNumbers(*Submit(std::move(pinned)), 5);
  ExpectNumbers(*open, 17);
  EXPECT_EQ(cpu_.builds(), 1u);
}

// Of three modules: the two whose jobs have ended are built once the third's has ended, too.
TEST_F(SchedulerBuildsTest, WhatDidNotPayIsBuiltWhenNobodyElseWantsTheProcessors) {
  Start();
  const SinkRef third = Submit(JobOf(3, 33), 16);  // its reader leaves no room for more
  third->AwaitResults(16);
  for (int module : {1, 2}) ExpectNumbers(*Submit(JobOf(module, 16)), 16);
  EXPECT_EQ(cpu_.builds(), 0u);
  third->AddRoom(kMuch);
  Wake();
  ExpectNumbers(*third, 33);
  AwaitCached(3);
  EXPECT_EQ(cpu_.builds(), 3u);
}

TEST_F(SchedulerBuildsTest, ACancelledJobLeavesNothingToBuild) {
  interpreter_.blocks_until_stop = true;
  interpreter_.act = [](const FakeLane&) { return LaneAct::kStay; };
  Start();
  const SinkRef sink = SubmitNumbers(20);
  interpreter_.AwaitLaunch(1);
  scheduler_->Cancel(1);
  sink->AwaitEnd();
  EXPECT_TRUE(sink->cancelled());
  interpreter_.ReleaseLaunches();
  interpreter_.act = nullptr;
  JobSpec other = JobOf(2, 16);
  ExpectNumbers(*Submit(std::move(other)), 16);
  AwaitCached(1);
  EXPECT_EQ(cpu_.builds(), 1u);  // the other one's
}

TEST_F(SchedulerBuildsTest, ItBeginsByTheClockWhereNoLaunchLands) {
  interpreter_.blocks_until_stop = true;
  interpreter_.act = [](const FakeLane&) { return LaneAct::kStay; };
  Start();
  const SinkRef sink = SubmitNumbers(20);
  interpreter_.AwaitLaunch(1);
  EXPECT_EQ(cpu_.builds(), 0u);
  clock_.AwaitWaiter(50ms);
  clock_.Advance(50ms);
  ExpectNumbers(*sink, 20);
  EXPECT_EQ(sink->Results().back().device, "cpu0");
}

}  // namespace
}  // namespace wb::test
