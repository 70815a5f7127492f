// Jobs that the CPU device and a GPU share, as measured.

#include <algorithm>
#include <atomic>
#include <string>

#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

constexpr uint64_t kShared = 40'000;  // instances: six seconds of what the fake CPU device shows

class SharingTest : public SchedulerTest {
 protected:
  SharingTest() {
    has_gpu_ = true;
    cpu_.busy = std::chrono::milliseconds(10);
    cuda_.target = "fake-gpu";
    cuda_.threads = 4096;
    settings_.cuda.burst_instances = 0;
    cuda_.act = [this](const FakeLane&) {
      gpu_works_ = true;
      return LaneAct::kDone;
    };
    // It shows how fast it is, then waits for the GPU.
    cpu_.act = [this](const FakeLane& lane) {
      return lane.number < 640 || gpu_works_ ? LaneAct::kDone : LaneAct::kStay;
    };
  }

  static uint64_t CountOn(RecordingSink& sink, const std::string& device) {
    const auto results = sink.Results();
    return static_cast<uint64_t>(
        std::count_if(results.begin(), results.end(),
                      [&](const InstanceResult& result) { return result.device == device; }));
  }

  std::atomic<bool> gpu_works_{false};
};

TEST_F(SharingTest, ALongJobIsJoinedByTheGpuAndBothWork) {
  Start();
  const SinkRef sink = SubmitNumbers(kShared);
  sink->AwaitProgress([](const JobProgress& progress) {
    return progress.device == "cpu0, cuda0" &&
           progress.placement_reason.find("cuda0 joins") != std::string::npos;
  });
  ExpectNumbers(*sink, kShared);
  EXPECT_GE(CountOn(*sink, "cpu0"), 640u);
  EXPECT_GT(CountOn(*sink, "cuda0"), kShared / 2);
  EXPECT_EQ(cuda_.builds(), 1u);
  for (const InstanceResult& result : sink->Results()) ASSERT_EQ(result.attempt, 1u);
}

TEST_F(SharingTest, AShortOneDoesNotEvenStartItsCompiler) {
  gpu_works_ = true;
  Start();
  const SinkRef sink = SubmitNumbers(300);  // 47 ms; a compiler takes 50 at least
  ExpectNumbers(*sink, 300);
  EXPECT_EQ(cuda_.builds(), 0u) << sink->progress().placement_reason;
}

TEST_F(SharingTest, TheSecondJobOfAModuleIsThereFromTheStart) {
  Start();
  ExpectNumbers(*SubmitNumbers(kShared), kShared);
  const size_t launches = cuda_.launches().size();
  gpu_works_ = false;
  const SinkRef second = SubmitNumbers(kShared);
  cuda_.AwaitLaunch(launches + 1);  // although nothing but its first look has completed elsewhere
  ExpectNumbers(*second, kShared);
  EXPECT_EQ(cuda_.builds(), 1u);
}

TEST_F(SharingTest, WhoHoldsUpTheEndStartsAgainOnTheOther) {
  cpu_.act = [](const FakeLane& lane) {
    return lane.number < 640 ? LaneAct::kDone : LaneAct::kStay;
  };
  Start();
  const Pusher pusher(clock_);
  const SinkRef sink = SubmitNumbers(kShared);
  ExpectNumbers(*sink, kShared);
  EXPECT_GT(CountOn(*sink, "cpu0"), 0u);
  EXPECT_LE(CountOn(*sink, "cpu0"), 640u);  // the GPU may have been there before it had them all
  for (const InstanceResult& result : sink->Results()) ASSERT_EQ(result.attempt, 1u);
}

TEST_F(SharingTest, AGpuThatDoesNotComeBackLeavesItsInstancesToTheOther) {
  cuda_.act = [this](const FakeLane&) {
    cuda_.FailStarts(1000);
    return LaneAct::kKillEngine;
  };
  Start();
  const Pusher pusher(clock_);
  const SinkRef sink = SubmitNumbers(kShared);
  sink->AwaitProgress([](const JobProgress& progress) {
    return progress.device == "cpu0" &&
           progress.placement_reason.find("could not keep it") != std::string::npos;
  });
  gpu_works_ = true;
  ExpectNumbers(*sink, kShared);
  EXPECT_EQ(CountOn(*sink, "cpu0"), kShared);
}

TEST_F(SharingTest, ACancelEndsItOnBoth) {
  cpu_.act = [](const FakeLane& lane) {
    return lane.number < 640 ? LaneAct::kDone : LaneAct::kStay;
  };
  cuda_.act = [](const FakeLane&) { return LaneAct::kStay; };
  Start();
  const SinkRef sink = SubmitNumbers(kShared);
  cuda_.AwaitLaunch(3);
  scheduler_->Cancel(1);
  sink->AwaitEnd();
  EXPECT_TRUE(sink->cancelled());
  EXPECT_EQ(sink->ends(), 1u);
  gpu_works_ = true;
  cpu_.act = nullptr;
}

TEST_F(SharingTest, TheSinksRoomHoldsForBothTogether) {
  Start();
  const SinkRef sink = SubmitNumbers(kShared, 1000);
  for (uint64_t room = 1000; room < kShared; room += 3000) {
    sink->AwaitResults(std::min(room, kShared));
    ASSERT_FALSE(sink->overflowed());
    sink->AddRoom(3000);
    Wake();
  }
  ExpectNumbers(*sink, kShared);
}

TEST_F(SharingTest, MaxTimeEndsItOnBoth) {
  cpu_.act = [](const FakeLane& lane) {
    return lane.number < 640 ? LaneAct::kDone : LaneAct::kStay;
  };
  cuda_.act = [](const FakeLane&) { return LaneAct::kStay; };
  Start();
  JobSpec spec = NumberJob(NumberModule(), kShared);
  spec.limits.max_time = std::chrono::seconds(10);
  const SinkRef sink = Submit(std::move(spec));
  cuda_.AwaitLaunch(3);
  clock_.Advance(std::chrono::seconds(11));
  sink->AwaitEnd();
  const auto results = sink->Results();
  ASSERT_EQ(results.size(), kShared);
  for (uint32_t i = 0; i < kShared; ++i) ASSERT_EQ(results[i].instance, i);
  EXPECT_EQ(results.back().end, End::kDeadline);
  EXPECT_FALSE(sink->overflowed());
}

}  // namespace
}  // namespace wb::test
