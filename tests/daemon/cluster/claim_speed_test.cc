#include "daemon/cluster/claim_speed.h"

#include <gtest/gtest.h>

#include <chrono>

namespace wb {
namespace {

using std::chrono::duration;
using std::chrono::duration_cast;
using std::chrono::nanoseconds;

TimePoint At(double seconds) {
  return TimePoint(duration_cast<nanoseconds>(duration<double>(1000 + seconds)));
}

TEST(ClaimSpeedTest, IsNotKnownBeforeAnythingFinished) {
  ClaimSpeed speed;
  EXPECT_EQ(speed.PerSecond(At(0)), 0);
  speed.Begin(At(0));
  EXPECT_EQ(speed.PerSecond(At(5)), 0);
  speed.Finish(At(5), 0);
  EXPECT_EQ(speed.PerSecond(At(5)), 0);
}

TEST(ClaimSpeedTest, IsKnownFromTheFirstLaunch) {
  ClaimSpeed speed;
  speed.Begin(At(0));
  speed.Finish(At(0.5), 1000);
  EXPECT_NEAR(speed.PerSecond(At(0.5)), 2000, 1e-6);
}

TEST(ClaimSpeedTest, SaysNothingOfTooShortATime) {
  ClaimSpeed speed;
  speed.Begin(At(0));
  speed.Finish(At(0.001), 1000);
  EXPECT_EQ(speed.PerSecond(At(0.001)), 0);
  speed.Finish(At(0.02), 1000);
  EXPECT_NEAR(speed.PerSecond(At(0.02)), 100'000, 1e-3);
}

TEST(ClaimSpeedTest, LaunchesThatTakeLongerThanItRemembersAreKnown) {
  ClaimSpeed speed;
  speed.Begin(At(0));
  for (int launch = 1; launch <= 10; ++launch) speed.Finish(At(60.0 * launch), 6000);
  EXPECT_NEAR(speed.PerSecond(At(600)), 100, 1e-6);
  EXPECT_NEAR(speed.PerSecond(At(659)), 100, 1e-6);
}

TEST(ClaimSpeedTest, FollowsAChangeWithinSeconds) {
  ClaimSpeed speed;
  speed.Begin(At(0));
  double now = 0;
  for (; now < 60; now += 0.01) speed.Finish(At(now), 10);
  EXPECT_NEAR(speed.PerSecond(At(now)), 1000, 30);
  for (; now < 66; now += 0.01) speed.Finish(At(now), 2);
  EXPECT_NEAR(speed.PerSecond(At(now)), 200, 10);
}

TEST(ClaimSpeedTest, FallsWhenNothingFinishesAnyMore) {
  ClaimSpeed speed;
  speed.Begin(At(0));
  speed.Finish(At(1), 100);
  EXPECT_NEAR(speed.PerSecond(At(2)), 100, 1e-6);
  EXPECT_NEAR(speed.PerSecond(At(5)), 25, 1e-6);
}

TEST(ClaimSpeedTest, TimeWithoutWorkDoesNotCount) {
  ClaimSpeed speed;
  double now = 0;
  for (int turn = 0; turn < 10; ++turn) {
    speed.Begin(At(now));
    speed.Begin(At(now + 0.1));  // it works already
    speed.Finish(At(now + 0.5), 50);
    speed.Finish(At(now + 1), 50);
    speed.Pause(At(now + 1));
    speed.Pause(At(now + 7));  // it pauses already
    now += 10;
  }
  EXPECT_NEAR(speed.PerSecond(At(now)), 100, 1e-6);
}

TEST(ClaimSpeedTest, ResultsThatComeDuringAPauseCount) {
  ClaimSpeed speed;
  speed.Begin(At(0));
  speed.Pause(At(1));
  speed.Finish(At(3), 100);
  EXPECT_NEAR(speed.PerSecond(At(9)), 100, 1e-6);
}

}  // namespace
}  // namespace wb
