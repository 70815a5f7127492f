#include "scheduler/control/thermal_governor.h"

#include <gtest/gtest.h>

namespace wb::test {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

class ThermalGovernorTest : public ::testing::Test {
 protected:
  void Make(const ThermalSettings& settings) { governor_.emplace(settings); }

  // Work while the governor lets it, in launches of `slice`, no longer than `most`; how long it
  // was.
  nanoseconds Work(nanoseconds slice = 100ms, nanoseconds most = 1h) {
    const TimePoint begin = now_;
    while (now_ - begin < most && governor_->Look(now_).IsOver()) {
      governor_->Worked(now_, now_ + slice);
      now_ += slice;
    }
    return now_ - begin;
  }
  // The rest as the governor has it, time moved to its end; its length.
  nanoseconds RestOut() {
    const TimePoint begin = now_;
    for (;;) {
      const Rest rest = governor_->Look(now_);
      if (rest.IsOver()) return now_ - begin;
      EXPECT_GT(rest.look, now_);
      EXPECT_GE(rest.end, rest.look);
      now_ = rest.look;
    }
  }
  void Celsius(float celsius) { governor_->Record({now_, celsius, {}, {}, false}); }
  void Watts(float celsius, float watts) {
    governor_->Record({now_, celsius, watts, 100.0F, false});
  }
  RestCause Cause() { return governor_->Look(now_).cause; }

  std::optional<ThermalGovernor> governor_{ThermalSettings()};
  TimePoint now_{1h};
};

TEST_F(ThermalGovernorTest, WithoutAThermometerACooldownFollowsEveryBurst) {
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(Work(), 500ms);
    EXPECT_EQ(Cause(), RestCause::kCooldown);
    EXPECT_EQ(RestOut(), 1s);
  }
  EXPECT_EQ(governor_->bursts(), 5u);
}

TEST_F(ThermalGovernorTest, IdleTimeIsRest) {
  Work(100ms, 400ms);
  now_ += 1s;
  EXPECT_EQ(Work(), 500ms);
  RestOut();
  Work(100ms, 400ms);
  now_ += 500ms;  // half a rest: half a burst more
  EXPECT_EQ(Work(50ms), 350ms);
}

TEST_F(ThermalGovernorTest, AThinStreamOfWorkNeedsNoRest) {
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(Work(10ms, 10ms), 10ms);
    now_ += 30ms;
  }
  EXPECT_EQ(governor_->bursts(), 0u);
}

TEST_F(ThermalGovernorTest, ACoolThermometerSparesTheRest) {
  Celsius(50);
  EXPECT_EQ(Work(100ms, 5s), 5s);
  EXPECT_EQ(governor_->bursts(), 9u);  // the tenth is not looked at yet
}

TEST_F(ThermalGovernorTest, HeatEndsABurstAtOnceAndHoldsUntilItIsCool) {
  Celsius(79.9F);
  EXPECT_EQ(Work(100ms, 200ms), 200ms);
  Celsius(80);
  EXPECT_EQ(Cause(), RestCause::kHot);
  for (float celsius : {79.0F, 75.0F, 70.1F}) {
    now_ += 1s;
    Celsius(celsius);
    EXPECT_EQ(Cause(), RestCause::kHot) << celsius;
  }
  Celsius(70);
  EXPECT_EQ(Cause(), RestCause::kNone);
  Celsius(79);  // between the two it works on
  EXPECT_EQ(Work(100ms, 2s), 2s);
}

TEST_F(ThermalGovernorTest, AStuckThermometerSlowsDownAndDoesNotStop) {
  ThermalSettings settings;
  settings.longest_rest = 10s;
  Make(settings);
  nanoseconds worked{};
  const TimePoint begin = now_;
  while (now_ - begin < 10min) {
    Celsius(95);
    if (governor_->Look(now_).IsOver()) worked += Work();
    now_ += 250ms;
  }
  EXPECT_NEAR(static_cast<double>(worked.count()) / 1e9, 600 / 10.75 * 0.5, 2);
}

TEST_F(ThermalGovernorTest, AThermometerThatFallsSilentIsNotBelieved) {
  Celsius(40);
  now_ += ThermalGovernor::kStale + 1ms;
  EXPECT_EQ(Work(), 500ms);
  EXPECT_EQ(Cause(), RestCause::kCooldown);
}

TEST_F(ThermalGovernorTest, MuchPowerRestsLongerTheWarmerItIs) {
  Watts(70, 90);
  EXPECT_EQ(Work(100ms, 5s), 5s);
  Watts(75, 90);
  Work();
  EXPECT_EQ(Cause(), RestCause::kPower);
  EXPECT_EQ(RestOut(), 500ms);
  Watts(79.9F, 90);
  Work();
  EXPECT_NEAR(static_cast<double>(RestOut().count()), 990e6, 1e6);
  Watts(79.9F, 80);
  Work(100ms, 5s);
  EXPECT_EQ(Cause(), RestCause::kNone);
}

TEST_F(ThermalGovernorTest, MuchPowerAndNoThermometerRestTwice) {
  governor_->Record({now_, {}, 90.0F, 100.0F, false});
  Work();
  EXPECT_EQ(RestOut(), 2s);
  governor_->Record({now_, {}, 70.0F, 100.0F, false});
  Work();
  EXPECT_EQ(RestOut(), 1s);
}

// The power falls as soon as the device rests: that does not end the rest.
TEST_F(ThermalGovernorTest, ARestForPowerIsNotCutByTheSampleAfterIt) {
  Watts(75, 95);
  Work();
  EXPECT_EQ(Cause(), RestCause::kPower);
  now_ += 10ms;
  Watts(75, 20);
  EXPECT_EQ(RestOut(), 490ms);
}

TEST_F(ThermalGovernorTest, RestsDoubleWhileTheDriverThrottles) {
  const auto throttled = [&](bool is) { governor_->Record({now_, 75.0F, {}, {}, is}); };
  for (const nanoseconds wanted : {2s, 4s, 8s, 16s, 32s, 60s, 60s}) {
    throttled(true);
    Work();
    EXPECT_EQ(Cause(), RestCause::kThrottled);
    EXPECT_EQ(RestOut(), wanted);
  }
  throttled(false);
  Work(100ms, 600ms);
  throttled(true);
  Work();
  EXPECT_EQ(RestOut(), 2s);
}

TEST_F(ThermalGovernorTest, ASystemsWordForHeatStandsInForAThermometer) {
  const auto level = [&](HeatLevel says, std::optional<float> celsius = {}) {
    governor_->Record({now_, celsius, {}, {}, false, says});
  };
  level(HeatLevel::kCool);
  EXPECT_EQ(Work(100ms, 5s), 5s);
  level(HeatLevel::kWarm);
  Work();
  EXPECT_EQ(Cause(), RestCause::kCooldown);
  EXPECT_EQ(RestOut(), 1s);
  level(HeatLevel::kSlowed);
  Work();
  EXPECT_EQ(Cause(), RestCause::kThrottled);
  EXPECT_EQ(RestOut(), 2s);
  level(HeatLevel::kHot);
  const Rest rest = governor_->Look(now_);
  EXPECT_EQ(governor_->Words(rest, now_), "cooling: it is hot, at most 60.0 s more");
  now_ += 1s;
  level(HeatLevel::kSlowed);
  EXPECT_EQ(Cause(), RestCause::kNone);
  level(HeatLevel::kHot, 40.0F);  // whatever its own thermometer says
  EXPECT_EQ(Cause(), RestCause::kHot);
}

TEST_F(ThermalGovernorTest, AWordThatIsOldIsNotBelieved) {
  governor_->Record({now_, {}, {}, {}, false, HeatLevel::kCool});
  now_ += ThermalGovernor::kStale + 1ms;
  EXPECT_EQ(Work(), 500ms);
  EXPECT_EQ(Cause(), RestCause::kCooldown);
}

TEST_F(ThermalGovernorTest, ContinuousRestsOnlyWhenHot) {
  ThermalSettings settings;
  for (const DevicePolicy policy : {DevicePolicy::kContinuous, DevicePolicy::kPersistent}) {
    settings.policy = policy;
    Make(settings);
    EXPECT_EQ(Work(100ms, 10s), 10s);
    governor_->Record({now_, 75.0F, 99.0F, 100.0F, true});
    EXPECT_EQ(Work(100ms, 10s), 10s);
    Celsius(81);
    EXPECT_EQ(Cause(), RestCause::kHot);
  }
}

TEST_F(ThermalGovernorTest, QuietWorksItsShareOfTheTime) {
  ThermalSettings settings;
  settings.policy = DevicePolicy::kQuiet;
  settings.cooldown = 0s;
  Make(settings);
  nanoseconds worked{};
  const TimePoint begin = now_;
  while (now_ - begin < 5min) {
    Celsius(30);
    worked += Work();
    RestOut();
  }
  EXPECT_NEAR(static_cast<double>(worked.count()), static_cast<double>((now_ - begin).count()) / 4,
              1e9);
}

class SeedPolicyTest : public ThermalGovernorTest {
 protected:
  SeedPolicyTest() { Make(SeedSettings()); }
  static ThermalSettings SeedSettings() {
    ThermalSettings settings;
    settings.policy = DevicePolicy::kSeed;
    return settings;
  }
};

TEST_F(SeedPolicyTest, ACooldownFollowsEveryBurstHoweverCoolItIs) {
  for (int i = 0; i < 5; ++i) {
    Celsius(35);
    EXPECT_EQ(Work(), 500ms);
    EXPECT_EQ(Cause(), RestCause::kCooldown);
    EXPECT_TRUE(governor_->RestsAfterBurst(now_));
    EXPECT_EQ(RestOut(), 1s);
  }
  now_ += ThermalGovernor::kStale + 1ms;  // and without a thermometer
  EXPECT_EQ(Work(), 500ms);
  EXPECT_EQ(RestOut(), 1s);
}

TEST_F(SeedPolicyTest, WhereNoCooldownIsSetItIsASecond) {
  ThermalSettings settings = SeedSettings();
  settings.cooldown = 0s;
  Make(settings);
  Work();
  EXPECT_EQ(RestOut(), 1s);
  settings.cooldown = 3s;
  Make(settings);
  Work();
  EXPECT_EQ(RestOut(), 3s);
}

TEST_F(SeedPolicyTest, TheRestLastsUntilItIsCoolAlsoWhereItWasNeverHot) {
  Celsius(75);
  EXPECT_EQ(Work(), 500ms);
  EXPECT_EQ(Cause(), RestCause::kCooldown);
  now_ += 999ms;
  Celsius(75);
  EXPECT_EQ(Cause(), RestCause::kCooldown);
  for (float celsius : {75.0F, 72.0F, 70.1F}) {
    now_ += 1s;
    Celsius(celsius);
    const Rest rest = governor_->Look(now_);
    EXPECT_EQ(rest.cause, RestCause::kHot) << celsius;
    EXPECT_EQ(rest.look, now_ + ThermalGovernor::kLook);
  }
  Celsius(70);
  EXPECT_EQ(Cause(), RestCause::kNone);
  EXPECT_EQ(Work(), 500ms);
}

TEST_F(SeedPolicyTest, AStuckThermometerDoesNotStopIt) {
  ThermalSettings settings = SeedSettings();
  settings.longest_rest = 10s;
  Make(settings);
  nanoseconds worked{};
  const TimePoint begin = now_;
  while (now_ - begin < 10min) {
    Celsius(75);
    if (governor_->Look(now_).IsOver()) worked += Work();
    now_ += 250ms;
  }
  EXPECT_NEAR(static_cast<double>(worked.count()) / 1e9, 600 / 10.75 * 0.5, 2);
}

TEST_F(SeedPolicyTest, MuchPowerEndsTheBurstAndDoublesTheRestAtAnyTemperature) {
  Watts(30, 90);
  EXPECT_EQ(Work(), 100ms);  // the launch that had begun
  EXPECT_EQ(Cause(), RestCause::kPower);
  Watts(30, 20);
  EXPECT_EQ(RestOut(), 2s);
  Watts(30, 80);  // not more than its part
  EXPECT_EQ(Work(), 500ms);
  EXPECT_EQ(RestOut(), 1s);
  Watts(30, 90);  // still, when the next burst may begin
  EXPECT_EQ(Cause(), RestCause::kNone);
}

TEST_F(SeedPolicyTest, HeatHoldsAtOnce) {
  Celsius(60);
  Work(100ms, 200ms);
  Celsius(80);
  EXPECT_EQ(Cause(), RestCause::kHot);
  now_ += 5s;
  Celsius(71);
  EXPECT_EQ(Cause(), RestCause::kHot);
  Celsius(69);
  EXPECT_EQ(Cause(), RestCause::kNone);
}

TEST_F(ThermalGovernorTest, SaysWhy) {
  Celsius(84);
  const Rest rest = governor_->Look(now_);
  EXPECT_EQ(governor_->Words(rest, now_),
            "cooling: it is hot, 84 C, until 70 C, at most 60.0 s more");
  EXPECT_EQ(governor_->Words({}, now_), "");
  EXPECT_EQ(PolicyOf("quiet"), DevicePolicy::kQuiet);
  EXPECT_EQ(PolicyOf("seed"), DevicePolicy::kSeed);
  EXPECT_EQ(PolicyName(DevicePolicy::kSeed), "seed");
  EXPECT_EQ(PolicyOf("loud"), std::nullopt);
  EXPECT_EQ(PolicyName(DevicePolicy::kContinuous), "continuous");
}

}  // namespace
}  // namespace wb::test
