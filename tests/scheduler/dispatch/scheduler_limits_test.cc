// The limits of a whole job: each ends the instances that are left, with an end of its own, and
// says numbers.

#include <atomic>
#include <map>

#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

using namespace std::chrono_literals;

class LimitsTest : public SchedulerTest {
 protected:
  SinkRef SubmitWith(const JobLimits& limits, uint64_t instances, uint64_t room = kMuch) {
    JobSpec spec = NumberJob(NumberModule(), instances);
    spec.limits = limits;
    return Submit(std::move(spec), room);
  }
  // Every instance once, by how it ended.
  static std::map<End, uint64_t> EndsOf(RecordingSink& sink, uint64_t instances) {
    sink.AwaitEnd();
    EXPECT_TRUE(sink.status().ok()) << sink.status().ToString();
    EXPECT_FALSE(sink.cancelled());
    EXPECT_FALSE(sink.overflowed());
    EXPECT_EQ(sink.ends(), 1u);
    const auto results = sink.Results();
    EXPECT_EQ(results.size(), instances);
    std::map<End, uint64_t> ends;
    for (size_t i = 0; i < results.size(); ++i) {
      EXPECT_EQ(results[i].instance, i);
      ++ends[results[i].end];
    }
    return ends;
  }
};

TEST_F(LimitsTest, FuelOfEndedInstancesEndsTheRest) {
  Start();
  JobLimits limits;
  limits.max_total_fuel = 7 * 64 * 2;  // two launches
  const SinkRef sink = SubmitWith(limits, 1000);
  const auto ends = EndsOf(*sink, 1000);
  EXPECT_EQ(ends.at(End::kReturned), 128u);
  EXPECT_EQ(ends.at(End::kJobOutOfFuel), 872u);
  EXPECT_EQ(sink->usage().limit,
            "limits.max_total_fuel: [896] instructions for all instances together, [896] used.");
}

// No instance ever ends: what they use counts all the same, and slices are sized to the limit.
TEST_F(LimitsTest, FuelOfThoseWhoRunEndsThemToo) {
  cpu_.act = [](const FakeLane&) { return LaneAct::kStay; };
  cpu_.stay_fuel = 100000;
  Start();
  JobLimits limits;
  limits.max_total_fuel = 64 * 250000;
  const SinkRef sink = SubmitWith(limits, 100);
  EXPECT_EQ(EndsOf(*sink, 100).at(End::kJobOutOfFuel), 100u);
  const auto launches = cpu_.launches();
  ASSERT_EQ(launches.size(), 3u);
  EXPECT_EQ(launches[0].slice_fuel, 250000u);
  EXPECT_EQ(launches[2].slice_fuel, 50000u);
  EXPECT_NE(sink->usage().limit.find("[16000000] used"), std::string::npos) << sink->usage().limit;
}

TEST_F(LimitsTest, AJobThatUsesExactlyItsFuelHasReachedNothing) {
  Start();
  JobLimits limits;
  limits.max_total_fuel = 7 * 100;
  const SinkRef sink = SubmitWith(limits, 100);
  EXPECT_EQ(EndsOf(*sink, 100).at(End::kReturned), 100u);
  EXPECT_EQ(sink->usage().limit, "");
}

// A lost engine's instances start again: their fuel counts anew, not twice.
TEST_F(LimitsTest, FuelThatWasLostWithAnEngineDoesNotCount) {
  std::atomic<int> launches{0};
  cpu_.act = [&](const FakeLane& lane) {
    if (lane.number == 0) ++launches;
    if (launches == 1) return LaneAct::kStay;
    if (launches == 2) return LaneAct::kKillEngine;
    return LaneAct::kDone;
  };
  cpu_.stay_fuel = 1000;
  Start();
  const Pusher pusher(clock_);
  JobLimits limits;
  limits.max_total_fuel = 15000;
  const SinkRef sink = SubmitWith(limits, 10);
  EXPECT_EQ(EndsOf(*sink, 10).at(End::kReturned), 10u);
}

TEST_F(LimitsTest, ResultsAreCutAtTheirLimit) {
  Start();
  JobLimits limits;
  limits.max_results_bytes = 4 * 100 + 3;  // an i32 each
  const SinkRef sink = SubmitWith(limits, 1000);
  const auto ends = EndsOf(*sink, 1000);
  EXPECT_EQ(ends.at(End::kReturned), 100u);
  EXPECT_EQ(ends.at(End::kResultsLimit), 900u);
  EXPECT_EQ(sink->usage().limit,
            "limits.max_results_bytes: [403] bytes for all results together, [400] used; the next "
            "result did not fit.");
  EXPECT_EQ(cpu_.launches().size(), 2u) << "no instance starts after it";
}

TEST_F(LimitsTest, TimeFromSubmissionEndsAJobThatTheCompilerHolds) {
  SlowBuild build;
  cpu_.on_build = build();
  Start();
  JobLimits limits;
  limits.max_total_time = 5s;
  const SinkRef sink = SubmitWith(limits, 10000);
  clock_.AwaitWaiter(5s);
  clock_.Advance(5s);
  EXPECT_EQ(EndsOf(*sink, 10000).at(End::kExpired), 10000u);
  EXPECT_NE(sink->usage().limit.find("max_total_time: [5000] ms"), std::string::npos);
  build.Finish();
}

// Also where its reader has left little room: all come.
TEST_F(LimitsTest, TimeEndsAJobThatWaitsForACordonedDevice) {
  Start();
  ASSERT_TRUE(scheduler_->OrderGate("cpu0", {Gate::kCordoned, {}}).ok());
  JobSpec spec = NumberJob(NumberModule(), 300);
  spec.placement = Placement::kCpu;
  spec.limits.max_total_time = 1s;
  const SinkRef sink = Submit(std::move(spec), 100);
  sink->AwaitProgress(
      [](const JobProgress& p) { return p.waiting_for.find("cordoned") != std::string::npos; });
  const Pusher pusher(clock_);
  EXPECT_EQ(EndsOf(*sink, 300).at(End::kExpired), 300u);
}

TEST_F(LimitsTest, TimeFromSubmissionEndsAJobThatRuns) {
  cpu_.act = [](const FakeLane&) { return LaneAct::kStay; };
  cpu_.blocks_until_stop = true;
  Start();
  JobLimits limits;
  limits.max_total_time = 200ms;
  const SinkRef sink = SubmitWith(limits, 10);
  cpu_.AwaitLaunch(1);
  EXPECT_EQ(cpu_.launches()[0].max_duration, 200ms);
  clock_.Advance(200ms);
  cpu_.ReleaseLaunches();
  EXPECT_EQ(EndsOf(*sink, 10).at(End::kExpired), 10u);
}

}  // namespace
}  // namespace wb::test
