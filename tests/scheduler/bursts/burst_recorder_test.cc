// How launches become bursts.

#include "scheduler/bursts/burst_recorder.h"

#include <gtest/gtest.h>

namespace wb::test {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

class BurstRecorderTest : public testing::Test {
 protected:
  // Ends now.
  BurstLaunch Launch(nanoseconds busy, JobId job = 1, uint64_t fuel = 100) {
    now_ += busy;
    BurstLaunch launch;
    launch.end = now_;
    launch.busy = busy;
    launch.lanes = 64;
    launch.seated = 48;
    launch.build = KernelBuild::kFull;
    launch.parts = {{job, &name_, &tenant_, 10, fuel, busy}};
    return launch;
  }
  BurstRecord End(BurstEnd end, const Rest& rest = {}, const Telemetry& telemetry = {}) {
    return recorder_.End({end, rest, telemetry}, now_).value();
  }

  const std::string name_ = "ABC";
  const std::string tenant_ = "anna";
  TimePoint now_{1h};
  BurstRecorder recorder_{"cpu0", 500ms};
};

TEST_F(BurstRecorderTest, LaunchesAddUp) {
  recorder_.Record(Launch(100ms));
  now_ += 1ms;
  recorder_.Record(Launch(50ms));
  now_ += 10ms;
  Telemetry telemetry;
  telemetry.celsius = 61.0F;
  const BurstRecord burst = End(BurstEnd::kIdle, {}, telemetry);
  EXPECT_EQ(burst.device, "cpu0");
  EXPECT_EQ(burst.number, 1u);
  EXPECT_EQ(burst.duration, 151ms);
  EXPECT_EQ(burst.since_start, 161ms);
  EXPECT_EQ(burst.busy, 150ms);
  EXPECT_EQ(burst.launches, 2u);
  EXPECT_EQ(burst.instances, 20u);
  EXPECT_EQ(burst.fuel, 200u);
  EXPECT_FALSE(burst.rest_before.has_value());
  EXPECT_DOUBLE_EQ(burst.lanes_resident, 64);
  EXPECT_DOUBLE_EQ(burst.lanes_useful, 48);
  EXPECT_EQ(burst.celsius, 61.0F);
  EXPECT_FALSE(burst.watts.has_value());
  ASSERT_EQ(burst.shares.size(), 1u);
  EXPECT_EQ(burst.shares[0].name, "ABC");
  EXPECT_EQ(burst.shares[0].tenant, "anna");
  EXPECT_EQ(burst.shares[0].launches, 2u);
  EXPECT_EQ(burst.shares[0].busy, 150ms);
  EXPECT_EQ(burst.shares[0].build, KernelBuild::kFull);
}

TEST_F(BurstRecorderTest, NothingEndsThatHasNotBegun) {
  EXPECT_FALSE(recorder_.End({}, now_).has_value());
  recorder_.Record(Launch(1ms));
  EXPECT_TRUE(recorder_.is_open());
  End(BurstEnd::kIdle);
  EXPECT_FALSE(recorder_.is_open());
  EXPECT_FALSE(recorder_.End({}, now_).has_value());
}

TEST_F(BurstRecorderTest, TheNextBurstSaysHowLongTheDeviceRestedAndWhy) {
  recorder_.Record(Launch(500ms));
  EXPECT_TRUE(recorder_.IsFull());
  const BurstRecord first = End(BurstEnd::kFull, {RestCause::kCooldown, now_, now_ + 1s});
  EXPECT_EQ(first.rest_after, 1s);
  EXPECT_EQ(first.rest_after_cause, RestCause::kCooldown);
  now_ += 1200ms;
  recorder_.Record(Launch(100ms));
  EXPECT_FALSE(recorder_.IsFull());
  const BurstRecord second = End(BurstEnd::kIdle);
  EXPECT_EQ(second.number, 2u);
  EXPECT_EQ(second.rest_before, 1200ms);
  EXPECT_EQ(second.rest_before_cause, RestCause::kCooldown);
  EXPECT_EQ(second.rest_after, 0ms);
  now_ += 1s;
  recorder_.Record(Launch(100ms));
  EXPECT_EQ(End(BurstEnd::kIdle).rest_before_cause, RestCause::kNone);
}

TEST_F(BurstRecorderTest, OverlappingLaunchesBeginWithTheFirst) {
  recorder_.Record(Launch(100ms));
  BurstLaunch beside = Launch(10ms);
  beside.busy = 105ms;
  recorder_.Record(beside);
  const BurstRecord burst = End(BurstEnd::kIdle);
  EXPECT_EQ(burst.duration, 110ms);
  EXPECT_EQ(burst.busy, 205ms);
}

TEST_F(BurstRecorderTest, ABurstNamesABoundedNumberOfJobsAndCountsAll) {
  for (JobId job = 1; job <= 100; ++job) recorder_.Record(Launch(1ms, job));
  recorder_.Record(Launch(1ms, 100));
  const BurstRecord burst = End(BurstEnd::kIdle);
  EXPECT_EQ(burst.jobs, 100u);
  EXPECT_EQ(burst.shares.size(), BurstRecord::kMostShares);
  EXPECT_EQ(burst.fuel, 101 * 100u);
}

}  // namespace
}  // namespace wb::test
