// Devices that take two launches at once: the second is begun while the first runs.

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

class InFlightTest : public SchedulerTest {
 protected:
  InFlightTest() {
    cpu_.launches_at_once = 2;
    cpu_.on_allocate = [this](const DispatchShape&) {
      ++allocations_;
      return Status();
    };
  }
  std::atomic<int> allocations_{0};
};

TEST_F(InFlightTest, AJobOfManyHasTwoDispatchesInTurns) {
  Start();
  ExpectNumbers(*SubmitNumbers(1000), 1000);
  EXPECT_EQ(allocations_.load(), 2);
}

TEST_F(InFlightTest, AJobThatFitsIntoOneDispatchHasOne) {
  Start();
  ExpectNumbers(*SubmitNumbers(64), 64);
  ExpectNumbers(*SubmitNumbers(90), 90);  // 26 wait for seats in the one
  EXPECT_EQ(allocations_.load(), 2);
}

// The clock stands, so all launches are of one burst, and each may take what is left of it.
TEST_F(InFlightTest, WithARestBetweenBurstsThereIsOneLaunchAtATime) {
  settings_.cpu.cooldown = std::chrono::milliseconds(10);
  Start();
  ExpectNumbers(*SubmitNumbers(1000), 1000);
  EXPECT_EQ(allocations_.load(), 1);
}

TEST_F(InFlightTest, ResultsNeverExceedTheRoom) {
  Start();
  const SinkRef sink = SubmitNumbers(400, 100);
  sink->AwaitResults(100);
  for (int i = 0; i < 3; ++i) {
    sink->AddRoom(100);
    Wake();
    sink->AwaitResults(200 + 100 * i);
  }
  ExpectNumbers(*sink, 400);
}

TEST_F(InFlightTest, ACancelledJobEndsWithBothOfItsLaunches) {
  cpu_.blocks_until_stop = true;
  cpu_.act = [](const FakeLane&) { return LaneAct::kStay; };
  Start();
  const SinkRef sink = SubmitNumbers(1000);
  cpu_.AwaitLaunch(1);
  scheduler_->Cancel(1);
  sink->AwaitEnd();
  EXPECT_TRUE(sink->cancelled());
}

TEST_F(InFlightTest, TheDeviceShowsBothOfItsLaunchesAndNoneOnceTheyHaveEnded) {
  cpu_.blocks_until_stop = true;
  cpu_.act = [](const FakeLane&) { return LaneAct::kStay; };
  Start();
  const SinkRef sink = SubmitNumbers(1000);
  // The second is begun behind the first, which does not end.
  std::vector<LaunchInFlight> launches;
  while (launches.size() < 2) {
    std::this_thread::yield();
    launches = scheduler_->Devices()[0].in_flight;
  }
  for (const LaunchInFlight& launch : launches) {
    EXPECT_GT(launch.seated, 0u);
    EXPECT_LE(launch.seated, launch.lanes);
    EXPECT_GT(launch.longest.count(), 0);
    EXPECT_EQ(launch.jobs, 1u);
    EXPECT_EQ(launch.shown.size(), 1u);
  }
  scheduler_->Cancel(1);
  sink->AwaitEnd();
  EXPECT_TRUE(scheduler_->Devices()[0].in_flight.empty());
}

// Its launches go alone, and the others of its job and another job are not blamed.
TEST_F(InFlightTest, TheInstanceThatKillsEnginesFailsAlone) {
  cpu_.act = [](const FakeLane& lane) {
    return lane.number == 70 ? LaneAct::kKillEngine : LaneAct::kDone;
  };
  Start();
  const Pusher pusher(clock_);
  const SinkRef guilty = SubmitNumbers(200);
  JobSpec spec = NumberJob(NumberModule(), 3000);
  spec.columns[0].start = Value::I32(1000);
  const SinkRef innocent = Submit(std::move(spec));
  guilty->AwaitEnd();
  innocent->AwaitEnd();
  const auto results = guilty->Results();
  ASSERT_EQ(results.size(), 200u);
  for (uint32_t i = 0; i < 200; ++i) {
    EXPECT_EQ(results[i].end, i == 70 ? End::kFailed : End::kReturned) << i;
  }
  const auto others = innocent->Results();
  EXPECT_EQ(others.size(), 3000u);
  EXPECT_TRUE(std::all_of(others.begin(), others.end(),
                          [](const InstanceResult& r) { return r.end == End::kReturned; }));
}

TEST_F(InFlightTest, AJobOfSuspectsGetsItsTurnBesideOneThatIsAlwaysInFlight) {
  std::atomic<bool> stay{true};
  std::atomic<int> deaths{0};
  cpu_.act = [&](const FakeLane& lane) {
    if (lane.number >= 100000) return deaths++ == 0 ? LaneAct::kKillEngine : LaneAct::kDone;
    return stay ? LaneAct::kStay : LaneAct::kDone;
  };
  Start();
  const Pusher pusher(clock_);
  const SinkRef endless = SubmitNumbers(500);
  cpu_.AwaitLaunch(2);
  JobSpec spec = NumberJob(NumberModule(), 1);
  spec.columns[0].start = Value::I32(100000);
  const SinkRef suspect = Submit(std::move(spec));
  suspect->AwaitEnd();
  EXPECT_EQ(suspect->Results()[0].end, End::kReturned);
  stay = false;
  ExpectNumbers(*endless, 500);
}

}  // namespace
}  // namespace wb::test
