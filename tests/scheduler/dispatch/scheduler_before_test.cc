// Jobs of which an earlier scheduler has done a part: the others run, once each, and no more.

#include <algorithm>
#include <map>

#include "tests/scheduler/real_parts.h"
#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

using namespace std::chrono_literals;

constexpr uint64_t kInstancesOfAll = 3000;
constexpr uint64_t kFuelBefore = 1'000'000;

class SchedulerBeforeTest : public SchedulerTest {
 protected:
  // A beginning, some that are scattered, and the last.
  static JobBefore Half() {
    JobBefore before;
    before.finished.Add(0, 1000);
    for (uint64_t i = 1000; i < 2200; ++i) {
      if (i * 7919 % 11 < 5) before.finished.Add(i, 1);
    }
    before.finished.Add(kInstancesOfAll - 1, 1);
    before.fuel = kFuelBefore;
    return before;
  }
  static JobBefore All() {
    JobBefore before;
    before.finished.Add(0, kInstancesOfAll);
    before.fuel = kFuelBefore;
    return before;
  }
  // The interpreter itself, alone.
  void StartReal() {
    SchedulerParts parts = RealParts();
    parts.cpu = {};
    scheduler_ = AssembleScheduler(settings_, std::move(parts)).value();
  }
  SinkRef Resume(JobBefore before, const JobLimits& limits = {}, uint64_t room = kMuch) {
    JobSpec spec = NumberJob(NumberModule(), kInstancesOfAll);
    spec.limits = limits;
    spec.before = std::make_shared<JobBefore>(std::move(before));
    return Submit(std::move(spec), room);
  }
  // Those that had not finished, once each, in this attempt; by how they ended.
  static std::map<End, uint64_t> ExpectTheOthers(RecordingSink& sink, const JobBefore& before,
                                                 uint32_t attempt = 2) {
    sink.AwaitEnd();
    EXPECT_TRUE(sink.status().ok()) << sink.status().ToString();
    EXPECT_FALSE(sink.cancelled());
    EXPECT_FALSE(sink.overflowed());
    EXPECT_EQ(sink.ends(), 1u);
    InstanceSet ended;
    std::map<End, uint64_t> ends;
    const std::vector<InstanceResult> results = sink.Results();
    for (const InstanceResult& result : results) {
      EXPECT_FALSE(before.finished.Contains(result.instance)) << result.instance;
      EXPECT_EQ(result.attempt, attempt);
      ended.Add(result.instance, 1);
      if (++ends[result.end]; result.end != End::kReturned) continue;
      EXPECT_EQ(result.steps.at(0).values.at(0),
                Value::I32(static_cast<uint32_t>(result.instance) + 1));
    }
    EXPECT_EQ(results.size(), kInstancesOfAll - before.finished.count());
    EXPECT_EQ(ended.count(), results.size());
    return ends;
  }
};

TEST_F(SchedulerBeforeTest, TheMissingInstancesRunOnceEach) {
  StartReal();
  const SinkRef sink = Resume(Half());
  const auto ends = ExpectTheOthers(*sink, Half());
  EXPECT_EQ(ends.size(), 1u) << "all have returned";
  uint64_t fuel = 0;
  for (const InstanceResult& result : sink->Results()) fuel += result.fuel;
  EXPECT_EQ(sink->usage().fuel, kFuelBefore + fuel);
  EXPECT_EQ(sink->progress().finished, kInstancesOfAll);
  EXPECT_EQ(sink->usage().limit, "");
}

TEST_F(SchedulerBeforeTest, TheFuelOfAllInstancesGoesOn) {
  StartReal();
  const SinkRef one = SubmitNumbers(1);
  one->AwaitEnd();
  const uint64_t fuel = one->usage().fuel;
  JobLimits limits;
  limits.max_total_fuel = kFuelBefore + 20 * fuel;
  const SinkRef sink = Resume(Half(), limits);
  auto ends = ExpectTheOthers(*sink, Half());
  EXPECT_EQ(ends[End::kReturned], 20u);
  EXPECT_EQ(ends[End::kJobOutOfFuel], kInstancesOfAll - Half().finished.count() - 20);
  EXPECT_EQ(sink->usage().fuel, *limits.max_total_fuel);
}

TEST_F(SchedulerBeforeTest, ResultsAreCutWhereAllTogetherWouldBe) {
  StartReal();
  JobLimits limits;
  limits.max_results_bytes = 4 * 1500;
  JobBefore before = Half();
  before.result_bytes = 4 * 1400;
  const SinkRef sink = Resume(before, limits);
  EXPECT_EQ(ExpectTheOthers(*sink, before)[End::kReturned], 100u);
}

TEST_F(SchedulerBeforeTest, OfACancelledJobNoFinishedInstanceIsNamed) {
  StartReal();
  const SinkRef sink = Resume(Half(), {}, 100);
  sink->AwaitResults(100);
  scheduler_->Cancel(1);
  sink->AwaitEnd();
  EXPECT_TRUE(sink->cancelled());
  const std::vector<InstanceResult> results = sink->Results();
  EXPECT_EQ(results.size(), 100u);
  for (const InstanceResult& result : results) {
    EXPECT_FALSE(Half().finished.Contains(result.instance));
  }
  EXPECT_EQ(sink->ranges(), 0u);
}

TEST_F(SchedulerBeforeTest, AFinishedJobEndsAndNothingIsCompiledForIt) {
  Start();
  JobLimits limits;  // all of them used up
  limits.max_total_fuel = kFuelBefore;
  limits.max_total_time = 1s;
  JobBefore before = All();
  before.age = 1h;
  const SinkRef sink = Resume(before, limits);
  sink->AwaitEnd();
  EXPECT_TRUE(sink->status().ok());
  EXPECT_FALSE(sink->cancelled());
  EXPECT_EQ(sink->Results().size(), 0u);
  EXPECT_EQ(sink->usage().fuel, kFuelBefore);
  EXPECT_EQ(sink->usage().limit, "") << "no instance ended by it here";
  EXPECT_EQ(cpu_.builds(), 0u);
  EXPECT_TRUE(cpu_.launches().empty());
  ExpectNumbers(*SubmitNumbers(10), 10);
}

TEST_F(SchedulerBeforeTest, AFinishedJobDoesNotWaitForItsTenantsTurn) {
  settings_.tenants.others.max_running_jobs = 1;
  cpu_.blocks_until_stop = true;
  Start();
  const SinkRef running = SubmitNumbers(10);
  cpu_.AwaitLaunch(1);
  const SinkRef next = SubmitNumbers(10);
  Resume(All())->AwaitEnd();
  EXPECT_EQ(next->ends(), 0u) << "the turn is that of the next job";
  cpu_.ReleaseLaunches();
  ExpectNumbers(*running, 10);
  ExpectNumbers(*next, 10);
}

// Nothing is compiled for what ends at once.
TEST_F(SchedulerBeforeTest, AJobWhoseTimeIsOverEndsAtOnce) {
  Start();
  JobLimits limits;
  limits.max_total_time = 60s;
  JobBefore before = Half();
  before.age = 60s;
  const SinkRef expired = Resume(before, limits);
  const uint64_t missing = kInstancesOfAll - before.finished.count();
  EXPECT_EQ(ExpectTheOthers(*expired, before)[End::kExpired], missing);
  EXPECT_NE(expired->usage().limit.find("max_total_time: [60000] ms"), std::string::npos);
  limits.max_time = 5s;
  before.age = 59s;
  before.clock_ran = 5s;
  EXPECT_EQ(ExpectTheOthers(*Resume(before, limits), before)[End::kDeadline], missing);
  limits = {};
  limits.max_total_fuel = kFuelBefore;
  EXPECT_EQ(ExpectTheOthers(*Resume(before, limits), before)[End::kJobOutOfFuel], missing);
  EXPECT_EQ(cpu_.builds(), 0u);
}

TEST_F(SchedulerBeforeTest, DeathsCountAsForANewJob) {
  std::atomic<bool> killed{false};
  cpu_.act = [&](const FakeLane&) {
    return killed.exchange(true) ? LaneAct::kDone : LaneAct::kKillEngine;
  };
  Start();
  const Pusher pusher(clock_);
  JobBefore before;
  before.finished.Add(0, kInstancesOfAll - 70);
  before.finished.Add(kInstancesOfAll - 1, 1);
  before.attempt = 3;
  const SinkRef sink = Resume(before);
  sink->AwaitEnd();
  const std::vector<InstanceResult> results = sink->Results();
  ASSERT_EQ(results.size(), 69u);
  std::map<uint32_t, uint64_t> attempts;
  for (const InstanceResult& result : results) {
    EXPECT_EQ(result.end, End::kReturned);
    ++attempts[result.attempt];
  }
  EXPECT_EQ(attempts, (std::map<uint32_t, uint64_t>{{3, 5}, {4, 64}}));
}

TEST_F(SchedulerBeforeTest, WhatRanBeforeMustBeOfTheJob) {
  Start();
  JobSpec spec = NumberJob(NumberModule(), kInstancesOfAll - 1);
  spec.before = std::make_shared<JobBefore>(Half());
  const Status refused =
      scheduler_->Submit(next_id_++, std::move(spec), std::make_shared<RecordingSink>());
  EXPECT_EQ(refused.reason(), Reason::kInvalidArgument);
}

}  // namespace
}  // namespace wb::test
