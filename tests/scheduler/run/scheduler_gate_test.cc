// Cordons and drains: which instances start, go on, move or wait, and none twice.

#include <atomic>
#include <random>

#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

using namespace std::chrono_literals;

constexpr GateOrder kCordon{Gate::kCordoned, {}};
constexpr GateOrder kUncordon{Gate::kOpen, {}};

class GateTest : public SchedulerTest {
 protected:
  GateChange Order(const std::string& device, const GateOrder& order) {
    auto change = scheduler_->OrderGate(device, order);
    EXPECT_TRUE(change.ok()) << change.status().ToString();
    return change.value();
  }
  SinkRef SubmitPinned(Placement placement, uint64_t instances) {
    JobSpec spec = NumberJob(NumberModule(), instances);
    spec.placement = placement;
    return Submit(std::move(spec));
  }
  static void AwaitWaiting(RecordingSink& sink, const std::string& words) {
    sink.AwaitProgress(
        [&](const JobProgress& p) { return p.waiting_for.find(words) != std::string::npos; });
  }
  static uint64_t CountOn(RecordingSink& sink, const std::string& device) {
    uint64_t count = 0;
    for (const InstanceResult& result : sink.Results()) count += result.device == device ? 1 : 0;
    return count;
  }
  static void ExpectFirstAttempts(RecordingSink& sink) {
    for (const InstanceResult& result : sink.Results()) EXPECT_EQ(result.attempt, 1u);
  }
};

TEST_F(GateTest, UnknownDevicesAreRefusedWithTheKnownOnes) {
  Start();
  const Status status = scheduler_->OrderGate("cuda7", kCordon).status();
  EXPECT_EQ(status.reason(), Reason::kNotFound);
  EXPECT_NE(status.message().find("[cpu0, interpreter0]"), std::string::npos) << status.message();
}

TEST_F(GateTest, ACordonedDeviceTakesNoNewJob) {
  Start();
  EXPECT_TRUE(Order("cpu0", kCordon).changed);
  const GateChange again = Order("cpu0", kCordon);
  EXPECT_FALSE(again.changed);
  EXPECT_EQ(again.status.gate, Gate::kCordoned);
  const SinkRef pinned = SubmitPinned(Placement::kCpu, 10);
  AwaitWaiting(*pinned, "the device [cpu0], which is cordoned");
  EXPECT_EQ(pinned->progress().phase, JobPhase::kQueued);
  const SinkRef anywhere = SubmitNumbers(10);
  ExpectNumbers(*anywhere, 10);
  EXPECT_EQ(CountOn(*anywhere, "interpreter0"), 10u);
  EXPECT_TRUE(cpu_.launches().empty());
  EXPECT_TRUE(Order("cpu0", kUncordon).changed);
  ExpectNumbers(*pinned, 10);
}

TEST_F(GateTest, WithEveryDeviceCordonedJobsWaitAndCanBeCancelled) {
  Start();
  Order("cpu0", kCordon);
  Order("interpreter0", kCordon);
  const SinkRef sink = SubmitNumbers(10);
  AwaitWaiting(*sink, "cordoned");
  scheduler_->Cancel(1);
  sink->AwaitEnd();
  EXPECT_TRUE(sink->cancelled());
  const SinkRef other = SubmitNumbers(10);
  AwaitWaiting(*other, "cordoned");
  Order("interpreter0", kUncordon);
  ExpectNumbers(*other, 10);
}

// Seated instances go on to their end, and no other instance is seated beside them.
TEST_F(GateTest, WhoIsSeatedOnACordonedDeviceGoesOnAndTheRestMoves) {
  std::atomic<bool> hold{true};
  cpu_.act = [&](const FakeLane&) { return hold ? LaneAct::kStay : LaneAct::kDone; };
  Start();
  const SinkRef sink = SubmitNumbers(3 * 64);
  cpu_.AwaitLaunch(1);
  Order("cpu0", kCordon);
  hold = false;
  ExpectNumbers(*sink, 3 * 64);
  EXPECT_EQ(CountOn(*sink, "cpu0"), 64u);
  EXPECT_EQ(CountOn(*sink, "interpreter0"), 2 * 64u);
  ExpectFirstAttempts(*sink);
}

TEST_F(GateTest, AtTheDeadlineOfADrainLaunchesAreStoppedAndTheSeatedMove) {
  cpu_.act = [](const FakeLane& lane) {
    return lane.number < 5 ? LaneAct::kDone : LaneAct::kStay;  // the others stay for ever
  };
  cpu_.blocks_until_stop = true;
  Start();
  const SinkRef sink = SubmitNumbers(100);
  cpu_.AwaitLaunch(1);
  const GateChange change = Order("cpu0", {Gate::kDraining, 300ms});
  EXPECT_EQ(change.status.gate, Gate::kDraining);
  EXPECT_EQ(change.status.drain_left, 300ms);
  EXPECT_EQ(change.status.jobs, 1u);
  cpu_.AwaitLaunch(2);  // the first was ended; this one is no longer than what is left
  EXPECT_EQ(cpu_.launches()[1].max_duration, 300ms);
  EXPECT_EQ(sink->Results().size(), 5u);
  clock_.Advance(300ms);
  cpu_.ReleaseLaunches();
  ExpectNumbers(*sink, 100);
  EXPECT_EQ(CountOn(*sink, "cpu0"), 5u);
  ExpectFirstAttempts(*sink);
  EXPECT_EQ(scheduler_->Devices()[0].jobs, 0u);
}

TEST_F(GateTest, ADrainAtOnceLeavesPinnedJobsWaiting) {
  cpu_.blocks_until_stop = true;
  cpu_.act = [](const FakeLane&) { return LaneAct::kStay; };
  Start();
  const SinkRef sink = SubmitPinned(Placement::kCpu, 10);
  cpu_.AwaitLaunch(1);
  Order("cpu0", {Gate::kDraining, 0ms});
  AwaitWaiting(*sink, "the device [cpu0], which is draining");
  EXPECT_EQ(scheduler_->Devices()[0].jobs, 0u);
  EXPECT_EQ(sink->progress().running, 0u);
  scheduler_->Cancel(1);
  sink->AwaitEnd();
  EXPECT_TRUE(sink->cancelled());
}

// However often a device is closed and opened, that is no fault of the job.
TEST_F(GateTest, AJobSurvivesManyCordons) {
  std::atomic<bool> hold{true};
  cpu_.act = [&](const FakeLane&) { return hold ? LaneAct::kStay : LaneAct::kDone; };
  Start();
  const SinkRef sink = SubmitPinned(Placement::kCpu, 1000);
  for (int i = 0; i < 10; ++i) {
    sink->AwaitProgress([](const JobProgress& p) { return p.running > 0; });
    Order("cpu0", {Gate::kDraining, 0ms});
    AwaitWaiting(*sink, "until it is uncordoned");
    Order("cpu0", kUncordon);
  }
  hold = false;
  ExpectNumbers(*sink, 1000);
  ExpectFirstAttempts(*sink);
}

// Back from the interpreter once its own device is open again.
TEST_F(GateTest, ADisplacedJobComesBack) {
  interpreter_.act = [](const FakeLane&) { return LaneAct::kStay; };
  Start();
  Order("cpu0", kCordon);
  const SinkRef sink = SubmitNumbers(100);
  interpreter_.AwaitLaunch(1);
  EXPECT_NE(sink->progress().placement_reason.find("takes no instances"), std::string::npos);
  Order("cpu0", kUncordon);
  ExpectNumbers(*sink, 100);
  EXPECT_EQ(CountOn(*sink, "cpu0"), 100u);
  ExpectFirstAttempts(*sink);
}

TEST_F(GateTest, ADeviceThatIsLostSaysWhyAndWhenItIsStartedNext) {
  Start();
  cpu_.FailStarts(1);
  cpu_.LoseCurrent();
  while (scheduler_->Devices()[0].healthy) std::this_thread::yield();
  while (scheduler_->Devices()[0].trouble.empty()) std::this_thread::yield();
  EXPECT_NE(scheduler_->Devices()[0].trouble.find("started again in [100] ms"), std::string::npos)
      << scheduler_->Devices()[0].trouble;
  const Pusher pusher(clock_);
  while (!scheduler_->Devices()[0].healthy) std::this_thread::yield();
  EXPECT_EQ(scheduler_->Devices()[0].trouble, "");
}

TEST_F(GateTest, ACordonOutlivesALostDevice) {
  Start();
  Order("cpu0", kCordon);
  cpu_.LoseCurrent();
  const Pusher pusher(clock_);
  while (scheduler_->Devices()[0].restarts == 0) std::this_thread::yield();
  EXPECT_EQ(scheduler_->Devices()[0].gate, Gate::kCordoned);
  const SinkRef pinned = SubmitPinned(Placement::kCpu, 10);
  AwaitWaiting(*pinned, "cordoned");
  Order("cpu0", kUncordon);
  ExpectNumbers(*pinned, 10);
}

// Random orders to both devices while jobs of every kind run: no instance is lost or has two
// results.
TEST_F(GateTest, WhateverIsClosedEveryInstanceEndsOnce) {
  std::atomic<uint32_t> turn{0};
  const auto act = [&](const FakeLane&) {
    return ++turn % 3 == 0 ? LaneAct::kDone : LaneAct::kStay;
  };
  cpu_.act = interpreter_.act = act;
  settings_.start_on_interpreter = true;
  Start();
  const Pusher pusher(clock_);
  std::vector<SinkRef> sinks;
  for (int i = 0; i < 12; ++i) {
    constexpr Placement kKinds[] = {Placement::kAuto, Placement::kCpu, Placement::kInterpreter};
    sinks.push_back(SubmitPinned(kKinds[i % 3], 200));
  }
  std::mt19937 random(11);
  for (int i = 0; i < 80; ++i) {
    const std::string device = random() % 2 == 0 ? "cpu0" : "interpreter0";
    Order(device, {static_cast<Gate>(random() % 3), std::chrono::milliseconds(random() % 200)});
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 500));
  }
  for (const char* device : {"cpu0", "interpreter0"}) Order(device, kUncordon);
  for (const SinkRef& sink : sinks) {
    ExpectNumbers(*sink, 200);
    ExpectFirstAttempts(*sink);
  }
}

}  // namespace
}  // namespace wb::test
