// LaunchTally: one rate where launches last alike, and its bounds where they do not.

#include "scheduler/control/launch_tally.h"

#include <gtest/gtest.h>

#include "tests/scheduler/control/shown_launches.h"

namespace wb::test {
namespace {

using std::chrono::milliseconds;

TEST(LaunchTallyTest, ALaunchAloneHasOneRate) {
  const LaunchTally tally = TallyAt(1e12);
  EXPECT_EQ(tally.launches(), 1u);
  EXPECT_TRUE(tally.IsSure());
  EXPECT_DOUBLE_EQ(tally.rate(), 1e12);
  EXPECT_DOUBLE_EQ(tally.lowest(), 1e12);
  EXPECT_DOUBLE_EQ(tally.highest(), 1e12);
}

// Three abreast, each in flight for three times as long as the device worked on it alone.
TEST(LaunchTallyTest, LaunchesThatLastAlikeHaveOneRateAbreastToo) {
  LaunchTally tally;
  for (int i = 0; i < 3; ++i) {
    OccupancyLaunch launch = LaunchAt(1e12, milliseconds(50));
    launch.abreast = 3;
    launch.air = milliseconds(150);
    tally.Add(launch);
  }
  EXPECT_TRUE(tally.IsSure());
  EXPECT_DOUBLE_EQ(tally.rate(), 1e12);
}

TEST(LaunchTallyTest, WhereTheTwoTimesDifferTheRateLiesBetween) {
  LaunchTally tally;
  OccupancyLaunch launch = LaunchAt(1e12, milliseconds(100));
  launch.abreast = 2;
  launch.air = milliseconds(100);  // side by side it would have had half of that
  tally.Add(launch);
  EXPECT_FALSE(tally.IsSure());
  EXPECT_DOUBLE_EQ(tally.lowest(), 1e12);
  EXPECT_DOUBLE_EQ(tally.highest(), 2e12);
  EXPECT_GT(tally.rate(), tally.lowest());
  EXPECT_LT(tally.rate(), tally.highest());
}

TEST(LaunchTallyTest, ShortLaunchesShowSomethingTogether) {
  LaunchTally tally;
  EXPECT_FALSE(tally.IsLong());
  tally.Add(LaunchAt(1e12, LaunchTally::kLeastTime / 2));
  EXPECT_FALSE(tally.IsLong());
  tally.Add(LaunchAt(1e12, LaunchTally::kLeastTime / 2));
  EXPECT_TRUE(tally.IsLong());
}

}  // namespace
}  // namespace wb::test
