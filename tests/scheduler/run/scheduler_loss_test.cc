// Engines that die: which instances start again, and which are blamed.

#include <atomic>
#include <thread>

#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

TEST_F(SchedulerTest, ALostEngineIsStartedAgainAndNobodyIsForgotten) {
  std::atomic<bool> die{true};
  cpu_.act = [&](const FakeLane& lane) {
    return lane.number == 100 && die.exchange(false) ? LaneAct::kKillEngine : LaneAct::kDone;
  };
  Start();
  const SinkRef sink = SubmitNumbers(300);
  clock_.AwaitWaiter(Backoff::kFirst);
  EXPECT_EQ(scheduler_->Devices()[0].state, "restarting");
  EXPECT_FALSE(scheduler_->Devices()[0].healthy);
  clock_.Advance(Backoff::kFirst);
  ExpectNumbers(*sink, 300);
  EXPECT_EQ(sink->Results()[100].attempt, 2u);
  EXPECT_EQ(sink->Results()[0].attempt, 1u);
  EXPECT_EQ(cpu_.starts(), 2u);
  EXPECT_TRUE(scheduler_->Devices()[0].healthy);
  EXPECT_EQ(scheduler_->Devices()[0].restarts, 1u);
}

TEST_F(SchedulerTest, TheInstanceThatKillsEnginesFailsAlone) {
  cpu_.act = [](const FakeLane& lane) {
    return lane.number == 70 ? LaneAct::kKillEngine : LaneAct::kDone;
  };
  Start();
  const Pusher pusher(clock_);
  const SinkRef sink = SubmitNumbers(200);
  sink->AwaitEnd();
  EXPECT_TRUE(sink->status().ok());
  const auto results = sink->Results();
  ASSERT_EQ(results.size(), 200u);
  for (uint32_t i = 0; i < 200; ++i) {
    EXPECT_EQ(results[i].end, i == 70 ? End::kFailed : End::kReturned) << i;
  }
  EXPECT_EQ(results[70].attempt, 3u);
  EXPECT_FALSE(sink->usage().failures.empty());
}

// Engines died of something else, each time at a moment when the pipeline was got ready.
TEST_F(SchedulerTest, DeathsWhileAPipelineIsGotReadyAreForgottenWhenItRuns) {
  std::atomic<bool> die{false};
  cpu_.on_allocate = [&](const DispatchShape&) {
    return die.exchange(false) ? Status(Reason::kDeviceLost, "gone") : Status();
  };
  Start();
  const Pusher pusher(clock_);
  for (int job = 0; job < 3; ++job) {
    die = true;
    ExpectNumbers(*SubmitNumbers(20), 20);
    EXPECT_FALSE(die.load());
  }
  EXPECT_EQ(cpu_.starts(), 4u);
}

// After a death the blame is narrow: a seat has a lane of its own, and few neighbours.
TEST_F(SchedulerTest, AfterADeathSeatsAreNotQueued) {
  cpu_.seats_per_lane = 8;
  std::atomic<int> deaths{0};
  cpu_.act = [&](const FakeLane& lane) {
    return lane.number == 7 && deaths++ == 0 ? LaneAct::kKillEngine : LaneAct::kDone;
  };
  std::atomic<bool> queued_after_death{false};
  cpu_.on_allocate = [&](const DispatchShape& shape) {
    if (deaths > 0 && shape.lanes <= 32 && shape.seats != 0) queued_after_death = true;
    return Status();
  };
  Start();
  const Pusher pusher(clock_);
  ExpectNumbers(*SubmitNumbers(400), 400);
  EXPECT_EQ(deaths.load(), 2);
  EXPECT_FALSE(queued_after_death.load());
}

TEST_F(SchedulerTest, NonsenseInARecordIsALostEngine) {
  std::atomic<bool> once{true};
  cpu_.act = [&](const FakeLane& lane) {
    return lane.number == 3 && once.exchange(false) ? LaneAct::kNonsense : LaneAct::kDone;
  };
  Start();
  const Pusher pusher(clock_);
  ExpectNumbers(*SubmitNumbers(20), 20);
  EXPECT_EQ(cpu_.starts(), 2u);
}

TEST_F(SchedulerTest, OtherJobsSuspendedInALostEngineAreNotBlamed) {
  std::atomic<bool> stay{true};
  cpu_.act = [&](const FakeLane& lane) {
    if (lane.number >= 1000) return LaneAct::kKillEngine;
    return stay ? LaneAct::kStay : LaneAct::kDone;
  };
  Start();
  const Pusher pusher(clock_);
  const SinkRef innocent = SubmitNumbers(20);
  cpu_.AwaitLaunch(1);
  JobSpec spec = NumberJob(NumberModule(), 1);
  spec.columns[0].start = Value::I32(1000);
  const SinkRef guilty = Submit(std::move(spec));
  guilty->AwaitEnd();
  EXPECT_EQ(guilty->Results()[0].end, End::kFailed);
  stay = false;
  ExpectNumbers(*innocent, 20);
}

TEST_F(SchedulerTest, AnEngineThatEndsWhileIdleIsStartedAgain) {
  Start();
  const Pusher pusher(clock_);
  ExpectNumbers(*SubmitNumbers(5), 5);
  cpu_.LoseCurrent();
  ExpectNumbers(*SubmitNumbers(5), 5);
  while (scheduler_->Devices()[0].restarts == 0) std::this_thread::yield();
  EXPECT_EQ(cpu_.starts(), 2u);
}

TEST_F(SchedulerTest, AnEngineThatDoesNotStartAnyMoreLeavesItsJobsToTheInterpreter) {
  std::atomic<bool> die{true};
  cpu_.act = [&](const FakeLane&) { return die ? LaneAct::kKillEngine : LaneAct::kDone; };
  Start();
  const Pusher pusher(clock_);
  cpu_.FailStarts(1000);
  const SinkRef sink = SubmitNumbers(20);
  ExpectNumbers(*sink, 20);
  EXPECT_EQ(sink->Results()[0].device, "interpreter0");
  EXPECT_EQ(sink->Results()[0].attempt, 2u);
  JobSpec pinned = NumberJob(NumberModule(), 1);
  pinned.placement = Placement::kCpu;
  const SinkRef insists = Submit(std::move(pinned));
  insists->AwaitEnd();
  EXPECT_EQ(insists->status().reason(), Reason::kDeviceLost);
}

TEST_F(SchedulerTest, ABuildThatKillsTheEngineTwiceGoesToTheInterpreter) {
  cpu_.on_build = [&](const KernelSource&) -> Result<Bytes> {
    cpu_.LoseCurrent();
    return Status(Reason::kDeviceLost, "It died.");
  };
  Start();
  const Pusher pusher(clock_);
  const SinkRef sink = SubmitNumbers(3);
  ExpectNumbers(*sink, 3);
  EXPECT_EQ(sink->Results()[0].device, "interpreter0");
  EXPECT_EQ(cpu_.builds(), 2u);
}

TEST_F(SchedulerTest, ALoadThatKillsTheEngineTwiceGoesToTheInterpreter) {
  cpu_.on_load = [](ByteView) { return Status(Reason::kDeviceLost, "It died."); };
  Start();
  const Pusher pusher(clock_);
  const SinkRef sink = SubmitNumbers(3);
  ExpectNumbers(*sink, 3);
  EXPECT_EQ(sink->Results()[0].device, "interpreter0");
  EXPECT_EQ(cpu_.loads(), 2u);
}

}  // namespace
}  // namespace wb::test
