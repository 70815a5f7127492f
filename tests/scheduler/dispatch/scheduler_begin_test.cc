// Which devices a job begins on, of which all is known, where there are a CPU device and a GPU.

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>

#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

using namespace std::chrono_literals;

constexpr uint64_t kMany = 40'000;

// The GPU runs a thousand times as many in the same time.
class BeginTest : public SchedulerTest {
 protected:
  BeginTest() {
    has_gpu_ = true;
    cuda_.busy = 1ms;
    cuda_.target = "fake-gpu";
    cuda_.threads = 16'384;
    settings_.cuda.burst_instances = 0;
    // It shows how fast it is, then waits for the GPU.
    cpu_.on_launch = [this](const FakeLaunch&) {
      for (++launches_; launches_ > 10 && cuda_.launches().empty();) {
        std::this_thread::sleep_for(100us);
      }
      return 10ms;
    };
  }
  static uint64_t CountOn(RecordingSink& sink, const std::string& device) {
    const auto results = sink.Results();
    return static_cast<uint64_t>(
        std::count_if(results.begin(), results.end(),
                      [&](const InstanceResult& result) { return result.device == device; }));
  }
  static void ExpectNotAlone(RecordingSink& sink) {
    const std::string reason = sink.progress().placement_reason;
    EXPECT_EQ(reason.find("begins alone"), std::string::npos) << reason;
  }
  void LearnBoth() {
    Start();
    const SinkRef sink = SubmitNumbers(kMany);
    ExpectNumbers(*sink, kMany);
    ASSERT_GT(CountOn(*sink, "cpu0"), 0u);
    ASSERT_GT(CountOn(*sink, "cuda0"), 0u);
  }

  uint64_t launches_ = 0;  // of the CPU device, on its thread
};

TEST_F(BeginTest, TheGpuBeginsAloneWhereTheCpuWouldAddNothing) {
  LearnBoth();
  const SinkRef next = SubmitNumbers(kMany);
  ExpectNumbers(*next, kMany);
  EXPECT_EQ(CountOn(*next, "cuda0"), kMany) << next->progress().placement_reason;
  EXPECT_NE(next->progress().placement_reason.find("begins alone"), std::string::npos)
      << next->progress().placement_reason;
  for (const InstanceResult& result : next->Results()) ASSERT_EQ(result.attempt, 1u);
}

TEST_F(BeginTest, LaunchesOfAKnownJobEndWhenItShould) {
  LearnBoth();
  const size_t before = cuda_.launches().size();
  ExpectNumbers(*SubmitNumbers(kMany), kMany);
  const std::vector<FakeLaunch> launches = cuda_.launches();
  ASSERT_GT(launches.size(), before);
  for (size_t i = before; i < launches.size(); ++i) {
    EXPECT_LE(launches[i].max_duration, 50ms) << i;
  }
}

// A job of another length: of its instances none has ended yet.
TEST_F(BeginTest, AnotherTaskBeginsOnTheCpu) {
  LearnBoth();
  JobSpec spec = NumberJob(NumberModule(), kMany);
  std::get<CallStep>(spec.steps[0]).args[0].value = Value::I32(0x10000);
  const SinkRef next = Submit(std::move(spec));
  next->AwaitEnd();
  ExpectNotAlone(*next);
}

TEST_F(BeginTest, ACancelledJobTellsNothingOfTheNext) {
  LearnBoth();
  JobSpec spec = NumberJob(NumberModule(), kMany);
  std::get<CallStep>(spec.steps[0]).args[0].value = Value::I32(0x10000);
  const SinkRef cancelled = Submit(JobSpec(spec), 1000);
  cancelled->AwaitResults(1000);
  scheduler_->Cancel(2);
  cancelled->AwaitEnd();
  const SinkRef next = Submit(std::move(spec));
  next->AwaitEnd();
  ExpectNotAlone(*next);
}

TEST_F(BeginTest, OneInstanceBeginsOnTheCpu) {
  cuda_.busy = 40ms;  // all at once
  LearnBoth();
  const SinkRef next = SubmitNumbers(1);
  ExpectNumbers(*next, 1);
  EXPECT_EQ(CountOn(*next, "cpu0"), 1u) << next->progress().placement_reason;
}

TEST_F(BeginTest, AGpuThatOthersUseDoesNotBeginAlone) {
  std::atomic<bool> held{true};
  cuda_.act = [&held](const FakeLane& lane) {
    return lane.number >= kMany && held ? LaneAct::kStay : LaneAct::kDone;
  };
  LearnBoth();
  JobSpec others = NumberJob(NumberModule(), 10);
  others.columns[0].start = Value::I32(kMany);
  others.placement = Placement::kGpu;
  const size_t before = cuda_.launches().size();
  const SinkRef pinned = Submit(std::move(others));
  cuda_.AwaitLaunch(before + 1);
  const SinkRef next = SubmitNumbers(kMany);
  ExpectNumbers(*next, kMany);
  ExpectNotAlone(*next);
  held = false;
  ExpectNumbers(*pinned, 10, kMany);
}

TEST_F(BeginTest, WhatTheGpuHasNoMemoryForGoesToTheCpu) {
  std::atomic<bool> full{false};
  cuda_.on_allocate = [&full](const DispatchShape&) {
    return full ? Status(Reason::kNoDeviceFits, "There is no memory.") : Status();
  };
  LearnBoth();
  full = true;
  const SinkRef next = SubmitNumbers(kMany);
  ExpectNumbers(*next, kMany);
  EXPECT_EQ(CountOn(*next, "cpu0"), kMany) << next->progress().placement_reason;
}

// The clock stands still: the engine is not started again.
TEST_F(BeginTest, TheCpuTakesOverFromAGpuThatIsLost) {
  std::atomic<bool> kills{false};
  cuda_.act = [&kills](const FakeLane&) {
    return kills.exchange(false) ? LaneAct::kKillEngine : LaneAct::kDone;
  };
  LearnBoth();
  const uint32_t starts = cuda_.starts();
  kills = true;
  const SinkRef next = SubmitNumbers(640);
  ExpectNumbers(*next, 640);
  EXPECT_EQ(cuda_.starts(), starts);
  EXPECT_GT(CountOn(*next, "cpu0"), 0u) << next->progress().placement_reason;
}

}  // namespace
}  // namespace wb::test
