#include "scheduler/control/energy_meter.h"

#include <gtest/gtest.h>

namespace wb::test {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

// A device with a counter, which draws `work_watts` while it works and 20 W else.
class EnergyMeterTest : public ::testing::Test {
 protected:
  static constexpr double kIdleWatts = 20;

  void Pass(nanoseconds time, double watts) {
    now_ += time;
    joules_ += std::chrono::duration<double>(time).count() * watts;
  }
  void Work(nanoseconds time, double watts) {
    Pass(time, watts);
    meter_.Worked(time);
  }
  void Idle(nanoseconds time) { Pass(time, kIdleWatts); }
  void Sample() { meter_.Record({now_, joules_, {}}); }
  double Watts() const { return meter_.Watts(now_).value_or(-1); }

  EnergyMeter meter_;
  TimePoint now_{1h};
  double joules_ = 12345;
};

TEST_F(EnergyMeterTest, WithoutASensorThereIsNoEnergy) {
  meter_.Worked(1s);
  EXPECT_FALSE(meter_.Watts(now_));
  meter_.Record({now_, {}, {}});
  EXPECT_FALSE(meter_.Watts(now_));
  EXPECT_FALSE(meter_.Measures());
}

TEST_F(EnergyMeterTest, TheCountersMeanIsThePowerOfWork) {
  Sample();
  EXPECT_TRUE(meter_.Measures());
  EXPECT_EQ(Watts(), -1);  // one sample of a counter says nothing
  Work(250ms, 300);
  Sample();
  EXPECT_NEAR(Watts(), 300, 1e-6);
  Work(250ms, 400);
  Sample();
  EXPECT_NEAR(Watts(), 400, 1e-6);
}

TEST_F(EnergyMeterTest, RestsDoNotMakeWorkCheaper) {
  Sample();
  for (int burst = 0; burst < 3; ++burst) {
    Work(500ms, 300);
    Sample();
    EXPECT_NEAR(Watts(), 300, 1e-6);
    for (int i = 0; i < 4; ++i) {
      Idle(250ms);
      Sample();
      EXPECT_NEAR(Watts(), 300, 1e-6) << "remembered of the burst";
    }
  }
}

TEST_F(EnergyMeterTest, LittleWorkInALongSpanIsItsMean) {
  Sample();
  Idle(9s);
  Work(1s, 300);
  Sample();
  EXPECT_NEAR(Watts(), (9 * kIdleWatts + 300) / 10, 1e-6);
}

TEST_F(EnergyMeterTest, WhatWasSeenLongAgoIsForgotten) {
  Sample();
  Work(500ms, 300);
  Sample();
  now_ += EnergyMeter::kRemembered;
  EXPECT_NEAR(Watts(), 300, 1e-6);
  now_ += 1ms;
  EXPECT_EQ(Watts(), -1);
}

TEST_F(EnergyMeterTest, AShortSpanIsPartOfTheNext) {
  Sample();
  Work(60ms, 1000);  // the counter's step
  Sample();
  EXPECT_EQ(Watts(), -1);
  Work(60ms, 200);
  Sample();
  EXPECT_NEAR(Watts(), 600, 1e-6);
}

TEST_F(EnergyMeterTest, ACounterThatBeginsAnewCostsNothing) {
  Sample();
  Work(250ms, 300);
  Sample();
  joules_ = 0;  // the engine host was started again
  Work(250ms, 300);
  Sample();
  EXPECT_NEAR(Watts(), 300, 1e-6);
  Work(250ms, 500);
  Sample();
  EXPECT_NEAR(Watts(), 500, 1e-6);
}

TEST_F(EnergyMeterTest, WithoutACounterItIsThePowerThatSensorsSay) {
  meter_.Record({now_, {}, 30.0F});
  EXPECT_EQ(Watts(), 30);
  meter_.Worked(200ms);
  now_ += 250ms;
  meter_.Record({now_, {}, 280.0F});
  EXPECT_EQ(Watts(), 280);
  now_ += 250ms;
  meter_.Record({now_, {}, 35.0F});  // idle
  EXPECT_EQ(Watts(), 280);
}

}  // namespace
}  // namespace wb::test
