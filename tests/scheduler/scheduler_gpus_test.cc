// Several GPUs: who gets a job, how many instances each, and what happens when one is lost or
// closed.

#include <algorithm>
#include <atomic>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

using namespace std::chrono_literals;

constexpr uint64_t kMany = 4000;

class GpusTest : public SchedulerTest {
 protected:
  GpusTest() {
    has_gpu_ = true;
    gpus_ = {{}, true};
    settings_.cuda.burst_instances = 0;
    for (FakeEngine* gpu : {&cuda_, &cuda1_}) {
      gpu->gpus = 2;
      gpu->target = "fake-gpu";
      gpu->threads = 64;
    }
  }

  SinkRef SubmitGpu(uint64_t instances) {
    JobSpec spec = NumberJob(NumberModule(), instances);
    spec.placement = Placement::kGpu;
    return Submit(std::move(spec));
  }
  static uint64_t CountOn(RecordingSink& sink, const std::string& device) {
    uint64_t count = 0;
    for (const InstanceResult& result : sink.Results()) count += result.device == device ? 1 : 0;
    return count;
  }
  static uint32_t MostAttempts(RecordingSink& sink) {
    uint32_t most = 0;
    for (const InstanceResult& result : sink.Results()) most = std::max(most, result.attempt);
    return most;
  }
  std::vector<std::string> Ids() const {
    std::vector<std::string> ids;
    for (const DeviceStatus& status : scheduler_->Devices()) ids.push_back(status.info.id);
    return ids;
  }
  void Order(const std::string& device, const GateOrder& order) {
    ASSERT_TRUE(scheduler_->OrderGate(device, order).ok());
  }
};

TEST_F(GpusTest, AllThatTheDriverCountsAreThere) {
  Start();
  EXPECT_EQ(Ids(), std::vector<std::string>({"cpu0", "cuda0", "cuda1", "interpreter0"}));
}

TEST_F(GpusTest, AListNamesThem) {
  gpus_ = {{1}, true};
  Start();
  EXPECT_EQ(Ids(), std::vector<std::string>({"cpu0", "cuda1", "interpreter0"}));
  const SinkRef sink = SubmitGpu(kMany);
  ExpectNumbers(*sink, kMany);
  EXPECT_EQ(CountOn(*sink, "cuda1"), kMany);
  EXPECT_EQ(cuda_.starts(), 0u);
}

TEST_F(GpusTest, ManyInstancesAreSplitAndTheModuleIsBuiltOnce) {
  std::atomic<uint32_t> both{0};
  for (FakeEngine* gpu : {&cuda_, &cuda1_}) {
    // Nobody ends before the other has begun, too.
    gpu->act = [&both, gpu, this](const FakeLane&) {
      both |= gpu == &cuda_ ? 1 : 2;
      return both == 3 ? LaneAct::kDone : LaneAct::kStay;
    };
  }
  Start();
  const SinkRef sink = SubmitGpu(kMany);
  ExpectNumbers(*sink, kMany);
  EXPECT_GT(CountOn(*sink, "cuda0"), 0u);
  EXPECT_GT(CountOn(*sink, "cuda1"), 0u);
  EXPECT_EQ(CountOn(*sink, "cuda0") + CountOn(*sink, "cuda1"), kMany);
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
  EXPECT_GE(CountOn(*sink, "cuda0"), 64u) << "two launches of those who waited for a queue";
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
  const SinkRef sink = SubmitGpu(kMany);
  ExpectNumbers(*sink, kMany);
  EXPECT_EQ(CountOn(*sink, "cuda0"), kMany);
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

TEST_F(GpusTest, ACordonedGpuLeavesTheRestToTheOther) {
  std::atomic<bool> hold{true};
  std::atomic<bool> sits{false};
  cuda_.act = [&](const FakeLane&) {
    sits = true;
    return hold ? LaneAct::kStay : LaneAct::kDone;
  };
  cuda1_.act = [&](const FakeLane&) { return sits ? LaneAct::kDone : LaneAct::kStay; };
  Start();
  const SinkRef sink = SubmitGpu(kMany);
  cuda_.AwaitLaunch(2);
  Order("cuda0", {Gate::kCordoned, {}});
  sink->AwaitResults(kMany - 64);
  hold = false;
  ExpectNumbers(*sink, kMany);
  EXPECT_EQ(CountOn(*sink, "cuda0"), 64u);  // who sat there
  EXPECT_EQ(MostAttempts(*sink), 1u);
}

TEST_F(GpusTest, ADrainedGpuGivesItsInstancesToTheOther) {
  std::atomic<bool> sits{false};
  cuda_.act = [&](const FakeLane&) {
    sits = true;
    return LaneAct::kStay;
  };
  cuda1_.act = [&](const FakeLane&) { return sits ? LaneAct::kDone : LaneAct::kStay; };
  Start();
  const SinkRef sink = SubmitGpu(kMany);
  cuda_.AwaitLaunch(2);
  Order("cuda0", {Gate::kDraining, 0ms});
  ExpectNumbers(*sink, kMany);
  EXPECT_EQ(CountOn(*sink, "cuda1"), kMany);
  EXPECT_EQ(MostAttempts(*sink), 1u);
}

TEST_F(GpusTest, AJobComesToAGpuThatOpens) {
  std::atomic<bool> hold{true};
  cuda_.act = [&](const FakeLane&) { return hold ? LaneAct::kStay : LaneAct::kDone; };
  Start();
  Order("cuda1", {Gate::kCordoned, {}});
  const SinkRef sink = SubmitGpu(kMany);
  cuda_.AwaitLaunch(2);
  EXPECT_EQ(sink->progress().device, "cuda0");
  Order("cuda1", {Gate::kOpen, {}});
  cuda1_.AwaitLaunch(1);
  hold = false;
  ExpectNumbers(*sink, kMany);
  EXPECT_GT(CountOn(*sink, "cuda1"), 0u);
}

TEST_F(GpusTest, AGpuThatIsFoundLaterTakesItsPart) {
  std::atomic<bool> hold{true};
  cuda_.act = [&](const FakeLane&) { return hold ? LaneAct::kStay : LaneAct::kDone; };
  cuda_.gpus = cuda1_.gpus = 1;
  Start();
  EXPECT_EQ(Ids(), std::vector<std::string>({"cpu0", "cuda0", "interpreter0"}));
  EXPECT_TRUE(scheduler_->FindDevices().empty());  // the fake driver counts one
  const SinkRef sink = SubmitGpu(kMany);
  cuda_.AwaitLaunch(2);
  cuda1_.gpus = 2;
  EXPECT_EQ(scheduler_->FindDevices(), std::vector<std::string>({"cuda1"}));
  EXPECT_EQ(Ids(), std::vector<std::string>({"cpu0", "cuda0", "cuda1", "interpreter0"}));
  cuda1_.AwaitLaunch(1);
  hold = false;
  ExpectNumbers(*sink, kMany);
  EXPECT_GT(CountOn(*sink, "cuda1"), 0u);
}

TEST_F(GpusTest, WhereThereWereNoneTheyAreFound) {
  gpus_ = {{}, false};
  cuda_.gpus = cuda1_.gpus = 0;
  Start();
  EXPECT_EQ(Ids(), std::vector<std::string>({"cpu0", "interpreter0"}));
  const SinkRef refused = SubmitGpu(10);
  refused->AwaitEnd();
  EXPECT_EQ(refused->status().reason(), Reason::kNoDeviceFits);
  cuda_.gpus = cuda1_.gpus = 2;
  EXPECT_EQ(scheduler_->FindDevices(), std::vector<std::string>({"cuda0", "cuda1"}));
  const SinkRef sink = SubmitGpu(kMany);
  ExpectNumbers(*sink, kMany);
  EXPECT_EQ(CountOn(*sink, "cuda0") + CountOn(*sink, "cuda1"), kMany);
}

TEST_F(GpusTest, WithAllClosedAPinnedJobWaitsForOneOfThem) {
  Start();
  Order("cuda0", {Gate::kCordoned, {}});
  Order("cuda1", {Gate::kCordoned, {}});
  const SinkRef sink = SubmitGpu(10);
  sink->AwaitProgress([](const JobProgress& progress) {
    return progress.waiting_for.find("one of the devices [cuda0, cuda1]") != std::string::npos;
  });
  Order("cuda1", {Gate::kOpen, {}});
  ExpectNumbers(*sink, 10);
  EXPECT_EQ(CountOn(*sink, "cuda1"), 10u);
}

// Whatever is closed, opened and lost meanwhile.
TEST_F(GpusTest, NoInstanceIsLostOrDoubledByMuchComingAndGoing) {
  std::atomic<uint32_t> kills{2};  // not so many that an instance could be blamed three times
  cuda1_.act = [&](const FakeLane& lane) {
    if (lane.number == 77 && kills > 0 && kills-- > 0) return LaneAct::kKillEngine;
    return LaneAct::kDone;
  };
  Start();
  const Pusher pusher(clock_);
  std::mt19937 random(5);
  std::vector<std::pair<SinkRef, uint64_t>> jobs;
  for (int i = 0; i < 150; ++i) {
    if (i % 10 == 0) {
      const uint64_t instances = 1 + random() % 3000;
      JobSpec spec = NumberJob(NumberModule(), instances);
      spec.placement = i % 20 == 0 ? Placement::kGpu : Placement::kAuto;
      jobs.emplace_back(Submit(std::move(spec)), instances);
    }
    constexpr const char* kDevices[] = {"cpu0", "cuda0", "cuda1"};
    const char* device = kDevices[random() % 3];
    if (random() % 8 == 0) gpu(random() % 2).LoseCurrent();
    Order(device, {static_cast<Gate>(random() % 3), std::chrono::milliseconds(random() % 200)});
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 500));
  }
  for (const char* device : {"cpu0", "cuda0", "cuda1"}) Order(device, {Gate::kOpen, {}});
  for (const auto& [sink, instances] : jobs) ExpectNumbers(*sink, instances);
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
  const SinkRef sink = SubmitGpu(kMany);
  sink->AwaitEnd();
  EXPECT_EQ(sink->status().reason(), Reason::kNoDeviceFits);
  EXPECT_EQ(sink->ends(), 1u);
}

// One that may run anywhere comes to both at once, when it comes to GPUs at all.
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
  EXPECT_GE(CountOn(*sink, "cpu0"), 640u);
  EXPECT_GT(CountOn(*sink, "cuda0"), 0u);
  EXPECT_GT(CountOn(*sink, "cuda1"), 0u);
}

}  // namespace
}  // namespace wb::test
