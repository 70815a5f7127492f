// The launches of a device that were begun and not awaited.

#include "scheduler/run/in_flight_launches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

#include "scheduler/base/helper_threads.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/plain_dispatch.h"
#include "tests/fakes/recording_sink.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {
namespace {

using namespace std::chrono_literals;

class InFlightLaunchesTest : public ::testing::Test {
 protected:
  InFlightLaunchesTest() : plan_(PlanJob(NumberJob(NumberModule(), 4), {}).value()) {
    memory_.SetTotal(uint64_t{1} << 30);
    auto lowered = std::make_shared<LoweredModule>();
    lowered->layout.memory_at = 1024;
    prepared_.module = std::move(lowered);
    info_.launches_at_once = 2;
  }

  std::unique_ptr<DeviceJob> Job(uint64_t id) {
    auto job = std::make_shared<ActiveJob>(id, plan_, std::make_shared<RecordingSink>(), clock_);
    return std::make_unique<DeviceJob>(std::move(job), prepared_, "cpu0", settings_, memory_,
                                       inputs_, helpers_);
  }
  SeatTable Seats() {
    DispatchShape shape;
    shape.lanes = 2;
    return {std::make_unique<PlainDispatch>(shape), plan_, 64};
  }
  // Of instances under which so many engines died.
  SeatSets::Entry Entry(uint32_t deaths = 0) { return {{0, deaths, 0}, Seats()}; }
  static InFlightLaunch LaunchOf(DeviceJob& job, SeatSets::Entry& seats,
                                 std::chrono::nanoseconds longest = 1ms) {
    InFlightLaunch launch{&job, &seats, nullptr, {}};
    launch.limits.max_duration = longest;
    return launch;
  }

  const JobPlan plan_;
  FakeClock clock_;
  MemoryBudget memory_;
  KeptInputs inputs_{50, memory_};
  HelperThreads helpers_{0};
  DeviceSettings settings_;
  PreparedPipeline prepared_;
  DeviceInfo info_;
  InFlightLaunches launches_;
};

TEST_F(InFlightLaunchesTest, AsManyLaunchesAsTheDeviceTakesAtOnceMayBeAdded) {
  const auto job = Job(1);
  SeatSets::Entry first = Entry(), second = Entry();
  EXPECT_TRUE(launches_.MayAdd(info_));
  launches_.Add(LaunchOf(*job, first));
  EXPECT_TRUE(launches_.MayAdd(info_));
  launches_.Add(LaunchOf(*job, second));
  EXPECT_FALSE(launches_.MayAdd(info_));
  launches_.RemoveOldest();
  EXPECT_TRUE(launches_.MayAdd(info_));
}

TEST_F(InFlightLaunchesTest, NoLaunchIsAddedBesideOneOfSuspects) {
  const auto job = Job(1);
  SeatSets::Entry suspects = Entry(1);
  launches_.Add(LaunchOf(*job, suspects));
  EXPECT_FALSE(launches_.MayAdd(info_));
  launches_.RemoveOldest();
  EXPECT_TRUE(launches_.empty());
  EXPECT_TRUE(launches_.MayAdd(info_));
}

TEST_F(InFlightLaunchesTest, TheOldestIsAwaitedFirstAndOneThatDidNotBeginIsTakenBack) {
  const auto job = Job(1);
  SeatSets::Entry first = Entry(), second = Entry(), third = Entry();
  launches_.Add(LaunchOf(*job, first, 5ms));
  launches_.Add(LaunchOf(*job, second, 20ms));
  launches_.Add(LaunchOf(*job, third, 100ms));
  EXPECT_EQ(launches_.Time(), 125ms);
  launches_.RemoveNewest();
  EXPECT_EQ(launches_.Time(), 25ms);
  EXPECT_EQ(launches_.oldest().seats, &first);
  EXPECT_EQ(&launches_.oldest().dispatch(), &first.seats.dispatch());
  launches_.RemoveOldest();
  EXPECT_EQ(launches_.oldest().seats, &second);
  EXPECT_EQ(launches_.Time(), 20ms);
}

TEST_F(InFlightLaunchesTest, TheJobsOfAllLaunchesAreNamedInOrderOfTheirAddresses) {
  const auto one = Job(1), two = Job(2);
  SeatSets::Entry first = Entry(), second = Entry();
  launches_.Add(LaunchOf(*two, second));
  launches_.Add(LaunchOf(*one, first));
  std::vector<const ActiveJob*> expected{one->job().get(), two->job().get()};
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(launches_.Jobs(), expected);
}

TEST_F(InFlightLaunchesTest, OthersSeeLaunchesInTheirOrderWithLanesAgeAndJobs) {
  const auto job = Job(1);
  SeatSets::Entry first = Entry(), second = Entry();
  InFlightLaunch older = LaunchOf(*job, first, 5ms);
  older.begun = clock_.Now();
  launches_.Add(older);
  InFlightLaunch newer = LaunchOf(*job, second, 20ms);
  newer.begun = older.begun + 3ms;
  launches_.Add(newer);
  InFlightBoard board;
  board.Publish(launches_.ForBoard());
  DeviceStatus status;
  board.Show(older.begun + 4ms, &status);
  ASSERT_EQ(status.in_flight.size(), 2u);
  EXPECT_EQ(status.in_flight[0].longest, 5ms);
  EXPECT_EQ(status.in_flight[0].age, 4ms);
  EXPECT_EQ(status.in_flight[0].lanes, 2u);
  EXPECT_EQ(status.in_flight[0].seated, 0u);
  EXPECT_EQ(status.in_flight[0].jobs, 1u);
  ASSERT_EQ(status.in_flight[0].shown.size(), 1u);
  EXPECT_EQ(status.in_flight[0].shown[0].name, plan_.spec.name);
  EXPECT_EQ(status.in_flight[1].longest, 20ms);
  EXPECT_EQ(status.in_flight[1].age, 1ms);
  launches_.RemoveOldest();
  board.Publish(launches_.ForBoard());
  status.in_flight.clear();
  board.Show(older.begun + 5ms, &status);
  ASSERT_EQ(status.in_flight.size(), 1u);
  EXPECT_EQ(status.in_flight[0].longest, 20ms);
}

TEST_F(InFlightLaunchesTest, OfALaunchOfManyJobsSomeAreNamedAndAllAreCounted) {
  const auto leader = Job(1);
  SharedBatch batch(Seats(), 2, memory_);
  DeviceJobState leads(leader->job(), prepared_, "cpu0", settings_, memory_, inputs_);
  BatchMember member(*leader, leads, leader->own().seats());
  batch.members.assign(LaunchInFlight::kMostShown + 3, &member);
  launches_.Add({leader.get(), nullptr, &batch, {}});
  const std::vector<LaunchOnBoard> shown = launches_.ForBoard();
  ASSERT_EQ(shown.size(), 1u);
  EXPECT_EQ(shown[0].launch.jobs, LaunchInFlight::kMostShown + 3);
  EXPECT_EQ(shown[0].jobs.size(), LaunchInFlight::kMostShown);
  batch.members.clear();
}

TEST_F(InFlightLaunchesTest, TheLaunchOfABatchHasTheJobsOfItsMembersAndTheBatchsDispatch) {
  const auto leader = Job(1), other = Job(2);
  SharedBatch batch(Seats(), 2, memory_);
  DeviceJobState leads(leader->job(), prepared_, "cpu0", settings_, memory_, inputs_);
  DeviceJobState joins(other->job(), prepared_, "cpu0", settings_, memory_, inputs_);
  BatchMember first(*leader, leads, leader->own().seats());
  BatchMember second(*other, joins, other->own().seats());
  batch.members = {&first, &second};
  const InFlightLaunch launch{leader.get(), nullptr, &batch, {}};
  EXPECT_EQ(launch.Jobs(), (std::vector<DeviceJob*>{leader.get(), other.get()}));
  EXPECT_EQ(&launch.dispatch(), &batch.seats.dispatch());
  EXPECT_FALSE(launch.IsSuspect());
  launches_.Add(launch);
  EXPECT_EQ(launches_.Jobs().size(), 2u);
  batch.members.clear();
}

}  // namespace
}  // namespace wb::test
