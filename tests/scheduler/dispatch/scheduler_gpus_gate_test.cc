// Several GPUs: those that are closed, opened, drained, or found later.

#include <atomic>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/scheduler/dispatch/gpus_fixture.h"

namespace wb::test {
namespace {

using namespace std::chrono_literals;

constexpr uint64_t kMany = 4000;

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
  EXPECT_EQ(CountOn(*sink, "cuda0"), 64u);  // the instances that were there
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

TEST_F(GpusTest, AGpuThatIsThereIsNotFoundAgainWhateverItsIdBeginsWith) {
  settings_.device_prefix = "here/";
  cuda_.gpus = cuda1_.gpus = 1;
  Start();
  const size_t devices = scheduler_->Devices().size();
  EXPECT_EQ(scheduler_->FindDevices(), std::vector<std::string>());
  EXPECT_EQ(scheduler_->Devices().size(), devices);
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

}  // namespace
}  // namespace wb::test
