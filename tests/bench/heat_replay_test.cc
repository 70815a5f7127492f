// Records of heat, read and replayed through the thermal governor: ten minutes and more.

#include "bench/scheduling/heat_replay.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace wb::bench {
namespace {

constexpr double kQuarterHour = 900;

std::vector<HeatMoment> Rising(float from, float to, float watts) {
  std::vector<HeatMoment> record;
  for (int second = 0; second <= 90; ++second) {
    const float part = static_cast<float>(second) / 90;
    record.push_back({static_cast<double>(second), from + (to - from) * part, watts, 700});
  }
  return record;
}

HeatReplay Replay(const std::vector<HeatMoment>& record, DevicePolicy policy) {
  ThermalSettings settings;
  settings.policy = policy;
  return ReplayHeat(record, settings, kQuarterHour);
}

TEST(HeatReplayTest, ACoolDeviceWorksAllTheTimeButWhereItIsToBeQuiet) {
  const auto record = Rising(34, 59, 430);
  for (const auto policy :
       {DevicePolicy::kBurst, DevicePolicy::kContinuous, DevicePolicy::kPersistent}) {
    const HeatReplay replay = Replay(record, policy);
    EXPECT_NEAR(replay.worked, kQuarterHour, 0.5) << PolicyName(policy);
    EXPECT_EQ(replay.longest_rest, 0) << PolicyName(policy);
    EXPECT_FLOAT_EQ(replay.hottest_worked, 59) << PolicyName(policy);
    EXPECT_NEAR(replay.joules, kQuarterHour * 430, 500) << PolicyName(policy);
  }
  const HeatReplay quiet = Replay(record, DevicePolicy::kQuiet);
  EXPECT_NEAR(quiet.worked, kQuarterHour / 4, kQuarterHour / 50);
  EXPECT_NEAR(quiet.Rested(RestCause::kQuiet), kQuarterHour * 3 / 4, kQuarterHour / 50);
}

TEST(HeatReplayTest, TheSeedsFixedCooldownTakesTwoThirdsOfACoolDevicesTime) {
  const HeatReplay seed = Replay(Rising(34, 59, 430), DevicePolicy::kSeed);
  EXPECT_NEAR(seed.worked, kQuarterHour / 3, kQuarterHour / 50);
  EXPECT_NEAR(seed.Rested(RestCause::kCooldown), kQuarterHour * 2 / 3, kQuarterHour / 50);
  const HeatReplay strong = Replay(Rising(34, 59, 650), DevicePolicy::kSeed);
  EXPECT_LT(strong.worked, seed.worked);
  EXPECT_GT(strong.Rested(RestCause::kPower), kQuarterHour * 2 / 3);
}

// A device that stays hot is given a burst a minute, and nothing else.
TEST(HeatReplayTest, AHotOneRestsUnderEveryPolicy) {
  const auto record = Rising(75, 95, 430);
  for (const auto policy :
       {DevicePolicy::kBurst, DevicePolicy::kContinuous, DevicePolicy::kPersistent}) {
    const HeatReplay replay = Replay(record, policy);
    EXPECT_GT(replay.Rested(RestCause::kHot), kQuarterHour * 0.9) << PolicyName(policy);
    EXPECT_LE(replay.longest_rest, 61) << PolicyName(policy);
    EXPECT_LT(replay.worked, 90 + kQuarterHour / 60) << PolicyName(policy);
  }
}

TEST(HeatReplayTest, WarmAndAtItsPowersLimitTheBurstPolicyRestsAndContinuousDoesNot) {
  const auto record = Rising(60, 78, 650);
  const HeatReplay burst = Replay(record, DevicePolicy::kBurst);
  EXPECT_GT(burst.Rested(RestCause::kPower), 60);
  EXPECT_LE(burst.longest_rest, 2.1);
  EXPECT_NEAR(Replay(record, DevicePolicy::kContinuous).worked, kQuarterHour, 0.5);
}

// What an H200's sensors said while it ran instances for some 85 s, under that policy.
std::vector<HeatMoment> Recorded(DevicePolicy policy) {
  std::ifstream file(WB_HEAT_RECORDS "/h200_" + std::string(PolicyName(policy)) + ".csv");
  auto record = ReadHeatRecord(file);
  EXPECT_TRUE(record.ok()) << PolicyName(policy) << ": " << record.status().message();
  return record.ok() ? *record : std::vector<HeatMoment>();
}

TEST(HeatReplayTest, TenMinutesOfARecordedOneAreAllWork) {
  constexpr double kTenMinutes = 600;
  for (const auto policy :
       {DevicePolicy::kBurst, DevicePolicy::kContinuous, DevicePolicy::kPersistent}) {
    SCOPED_TRACE(PolicyName(policy));
    const std::vector<HeatMoment> record = Recorded(policy);
    ASSERT_GT(record.size(), 80u);
    ThermalSettings settings;
    settings.policy = policy;
    const HeatReplay replay = ReplayHeat(record, settings, kTenMinutes);
    EXPECT_NEAR(replay.worked, kTenMinutes, 0.5);
    EXPECT_EQ(replay.longest_rest, 0);
    EXPECT_GE(replay.hottest_worked, 50);
    EXPECT_LE(replay.hottest_worked, 52);
    EXPECT_NEAR(replay.joules, kTenMinutes * 428, kTenMinutes * 5);
  }
}

// With thresholds below what it reached it rests, and is looked at once a minute.
TEST(HeatReplayTest, ARecordedOneRestsAboveWhatItMayReach) {
  ThermalSettings settings;
  settings.policy = DevicePolicy::kContinuous;
  settings.temp_high = 51;
  settings.temp_low = 49;
  const HeatReplay replay = ReplayHeat(Recorded(DevicePolicy::kPersistent), settings, 600);
  EXPECT_GT(replay.Rested(RestCause::kHot), 500);
  EXPECT_LT(replay.hottest_worked, 51);
  EXPECT_LE(replay.longest_rest, 61);
}

TEST(HeatRecordTest, IsReadOrRefusedByLine) {
  std::istringstream good("seconds,celsius,watts,limit\n0,34,79.5,700\n1.5,35,420,700\n");
  const auto record = ReadHeatRecord(good);
  ASSERT_TRUE(record.ok()) << record.status().message();
  ASSERT_EQ(record->size(), 2u);
  EXPECT_EQ((*record)[1].seconds, 1.5);
  EXPECT_EQ((*record)[1].watts, 420);
  for (const std::string rows :
       {"0,34,79,700\n0,35,80,700\n", "0,34,79,700\n1,35,80\n", "0,34,79,700\n1,35,80,700,9\n"}) {
    std::istringstream bad("header\n" + rows);
    EXPECT_NE(ReadHeatRecord(bad).status().message().find("[3]"), std::string::npos) << rows;
  }
  std::istringstream short_one("header\n0,34,79,700\n");
  EXPECT_FALSE(ReadHeatRecord(short_one).ok());
}

}  // namespace
}  // namespace wb::bench
