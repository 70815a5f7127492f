// Several GPUs: which gets a job, how many instances each, and what happens when one is lost or has
// too little memory.

#include <atomic>
#include <string>
#include <vector>

#include "tests/scheduler/dispatch/gpus_fixture.h"

namespace wb::test {
namespace {

using namespace std::chrono_literals;

constexpr uint64_t kManyForAll = 4000;

TEST_F(GpusTest, AllThatTheDriverCountsAreThere) {
  Start();
  EXPECT_EQ(Ids(), std::vector<std::string>({"cpu0", "cuda0", "cuda1", "interpreter0"}));
}

TEST_F(GpusTest, AListNamesThem) {
  gpus_ = {{1}, true};
  Start();
  EXPECT_EQ(Ids(), std::vector<std::string>({"cpu0", "cuda1", "interpreter0"}));
  const SinkRef sink = SubmitGpu(kManyForAll);
  ExpectNumbers(*sink, kManyForAll);
  EXPECT_EQ(CountOn(*sink, "cuda1"), kManyForAll);
  EXPECT_EQ(cuda_.starts(), 0u);
}

TEST_F(GpusTest, ManyInstancesAreSplitAndTheModuleIsBuiltOnce) {
  std::atomic<uint32_t> both{0};
  for (FakeEngine* gpu : {&cuda_, &cuda1_}) {
    // No instance ends before the other GPU has begun, too.
    gpu->act = [&both, gpu, this](const FakeLane&) {
      both |= gpu == &cuda_ ? 1 : 2;
      return both == 3 ? LaneAct::kDone : LaneAct::kStay;
    };
  }
  Start();
  const SinkRef sink = SubmitGpu(kManyForAll);
  ExpectNumbers(*sink, kManyForAll);
  EXPECT_GT(CountOn(*sink, "cuda0"), 0u);
  EXPECT_GT(CountOn(*sink, "cuda1"), 0u);
  EXPECT_EQ(CountOn(*sink, "cuda0") + CountOn(*sink, "cuda1"), kManyForAll);
  EXPECT_EQ(MostAttempts(*sink), 1u);
  EXPECT_EQ(cuda_.builds() + cuda1_.builds(), 1u);
  EXPECT_EQ(cuda_.loads(), 1u);
  EXPECT_EQ(cuda1_.loads(), 1u);
}

// As a wide GPU seats: all that it is given, at once.
TEST_F(GpusTest, QueuesLeaveSomeForTheOther) {
  for (FakeEngine* gpu : {&cuda_, &cuda1_}) {
    gpu->seats_per_lane = 8;
    gpu->launches_at_once = 2;
    gpu->blocks_until_stop = true;
  }
  Start();
  const SinkRef sink = SubmitGpu(700);  // fewer than the seats of one
  cuda_.AwaitLaunch(1);
  cuda1_.AwaitLaunch(1);
  EXPECT_EQ(cuda_.launches()[0].taken, 32u);  // a seat for each of half the lanes, to begin soon
  EXPECT_EQ(cuda1_.launches()[0].taken, 32u);
  cuda_.ReleaseLaunches();
  cuda1_.ReleaseLaunches();
  ExpectNumbers(*sink, 700);
  EXPECT_GE(CountOn(*sink, "cuda0"), 64u) << "two launches of the lanes that waited for a queue";
  EXPECT_GE(CountOn(*sink, "cuda1"), 64u);
}

TEST_F(GpusTest, HalfOfWhatOneRunsAtOnceIsWorthTwo) {
  for (FakeEngine* gpu : {&cuda_, &cuda1_}) gpu->blocks_until_stop = true;
  Start();
  const SinkRef sink = SubmitGpu(40);
  cuda_.AwaitLaunch(1);
  cuda1_.AwaitLaunch(1);
  EXPECT_EQ(cuda_.launches()[0].taken, 20u);
  EXPECT_EQ(cuda1_.launches()[0].taken, 20u);
  cuda_.ReleaseLaunches();
  cuda1_.ReleaseLaunches();
  ExpectNumbers(*sink, 40);
}

TEST_F(GpusTest, FewInstancesGoToTheOneWithTheFewestJobs) {
  for (FakeEngine* gpu : {&cuda_, &cuda1_}) gpu->blocks_until_stop = true;
  Start();
  const SinkRef first = SubmitGpu(10);
  cuda_.AwaitLaunch(1);
  const SinkRef second = SubmitGpu(10);
  cuda1_.AwaitLaunch(1);
  cuda_.ReleaseLaunches();
  cuda1_.ReleaseLaunches();
  ExpectNumbers(*first, 10);
  ExpectNumbers(*second, 10);
  EXPECT_EQ(CountOn(*first, "cuda0"), 10u);
  EXPECT_EQ(CountOn(*second, "cuda1"), 10u);
}

TEST_F(GpusTest, WhoSatOnALostGpuStartsAgainOnTheOther) {
  std::atomic<bool> lost_one{false};
  cuda1_.act = [&](const FakeLane&) {
    cuda1_.FailStarts(1000);
    lost_one = true;
    return LaneAct::kKillEngine;
  };
  cuda_.act = [&](const FakeLane&) { return lost_one ? LaneAct::kDone : LaneAct::kStay; };
  Start();  // time stands still: the lost one is not started again
  const SinkRef sink = SubmitGpu(kManyForAll);
  ExpectNumbers(*sink, kManyForAll);
  EXPECT_EQ(CountOn(*sink, "cuda0"), kManyForAll);
  EXPECT_LE(MostAttempts(*sink), 2u);
  const DeviceStatus lost = scheduler_->Devices()[2];
  EXPECT_EQ(lost.info.id, "cuda1");
  EXPECT_FALSE(lost.healthy);
  EXPECT_TRUE(scheduler_->Devices()[1].healthy);
  const SinkRef small = SubmitGpu(10);  // not to the one that is lost
  ExpectNumbers(*small, 10);
  EXPECT_EQ(CountOn(*small, "cuda0"), 10u);
}

TEST_F(GpusTest, AGpuThatDoesNotComeBackLosesItsSmallJobsToTheOther) {
  cuda_.act = [this](const FakeLane&) {
    cuda_.FailStarts(1000);
    return LaneAct::kKillEngine;
  };
  Start();
  const Pusher pusher(clock_);
  const SinkRef sink = SubmitGpu(10);
  ExpectNumbers(*sink, 10);
  EXPECT_EQ(CountOn(*sink, "cuda1"), 10u);
}

TEST_F(GpusTest, WhereOneHasTooLittleMemoryThereIsTheOther) {
  cuda_.on_allocate = [](const DispatchShape&) { return Status(Reason::kNoDeviceFits, "small"); };
  Start();
  const SinkRef sink = SubmitGpu(10);
  ExpectNumbers(*sink, 10);
  EXPECT_EQ(CountOn(*sink, "cuda1"), 10u);
}

// Not tried on the small one again and again.
TEST_F(GpusTest, AndWhileThatIsClosedTheJobWaitsForIt) {
  std::atomic<uint32_t> tries{0};
  cuda_.on_allocate = [&](const DispatchShape&) {
    ++tries;
    return Status(Reason::kNoDeviceFits, "small");
  };
  Start();
  Order("cuda1", {Gate::kCordoned, {}});
  const SinkRef sink = SubmitGpu(10);
  sink->AwaitProgress([](const JobProgress& progress) {
    return progress.waiting_for.find("the device [cuda1], which is cordoned") != std::string::npos;
  });
  const uint32_t tried = tries;
  Order("cuda1", {Gate::kOpen, {}});
  ExpectNumbers(*sink, 10);
  EXPECT_EQ(CountOn(*sink, "cuda1"), 10u);
  EXPECT_EQ(tries, tried);
}

TEST_F(GpusTest, WithTooLittleMemoryOnAllTheJobEnds) {
  for (FakeEngine* gpu : {&cuda_, &cuda1_}) {
    gpu->on_allocate = [](const DispatchShape&) { return Status(Reason::kNoDeviceFits, "small"); };
  }
  Start();
  const SinkRef sink = SubmitGpu(kManyForAll);
  sink->AwaitEnd();
  EXPECT_EQ(sink->status().reason(), Reason::kNoDeviceFits);
  EXPECT_EQ(sink->ends(), 1u);
}

// A job that may run anywhere comes to both GPUs at once, when it comes to GPUs at all. How many
// instances the CPU device has ended by then depends on the machine's speed.
TEST_F(GpusTest, AnOpenJobIsJoinedByBoth) {
  std::atomic<uint32_t> both{0};
  for (FakeEngine* gpu : {&cuda_, &cuda1_}) {
    gpu->threads = 4096;
    gpu->act = [&both, gpu, this](const FakeLane&) {
      both |= gpu == &cuda_ ? 1 : 2;
      return LaneAct::kDone;
    };
  }
  cpu_.busy = 10ms;
  cpu_.act = [&](const FakeLane& lane) {
    return lane.number < 640 || both == 3 ? LaneAct::kDone : LaneAct::kStay;
  };
  Start();
  const SinkRef sink = SubmitNumbers(40'000);
  ExpectNumbers(*sink, 40'000);
  EXPECT_GT(CountOn(*sink, "cpu0"), 0u);
  EXPECT_GT(CountOn(*sink, "cuda0"), 0u);
  EXPECT_GT(CountOn(*sink, "cuda1"), 0u);
}

}  // namespace
}  // namespace wb::test
