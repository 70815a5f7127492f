// When a device's sensors are read, and what is said of its rests.

#include "scheduler/run/thermal_watch.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <utility>

#include "tests/fakes/fake_device.h"

namespace wb::test {
namespace {

using namespace std::chrono_literals;

class ThermalWatchTest : public ::testing::Test {
 protected:
  ThermalWatchTest() {
    engine_.sensors = [this] {
      ++samples_;
      Telemetry telemetry;
      telemetry.celsius = celsius_;
      return telemetry;
    };
    device_ = engine_.Starter()([] {}).value().device;
  }
  DeviceStatus Shown() const {
    DeviceStatus status;
    watch_.Show(&status);
    return status;
  }

  FakeEngine engine_{Engine::kCpu};
  std::shared_ptr<Device> device_;
  int samples_ = 0;
  double joules_ = 1000;
  std::optional<float> celsius_ = 50.0F;
  TimePoint now_{1h};
  ThermalWatch watch_{ThermalSettings()};
};

TEST_F(ThermalWatchTest, AnIdleDeviceIsSampledOnlyWhileAnOperatorLooks) {
  watch_.Start(*device_, now_);
  EXPECT_EQ(samples_, 1);
  now_ += 1h;
  EXPECT_TRUE(watch_.MayWork(*device_, now_, true));
  EXPECT_EQ(samples_, 1);
  EXPECT_EQ(watch_.NextLook(now_, true), TimePoint::max());
  watch_.Watch(now_);
  EXPECT_LE(watch_.NextLook(now_, true), now_);  // due
  EXPECT_TRUE(watch_.MayWork(*device_, now_, true));
  EXPECT_EQ(samples_, 2);
  EXPECT_EQ(watch_.NextLook(now_, true), now_ + 1s);
  EXPECT_EQ(watch_.NextLook(now_ + 11s, true), TimePoint::max());
}

TEST_F(ThermalWatchTest, AHotDeviceRestsAndTheJobsAreToldOnce) {
  celsius_ = 90.0F;
  watch_.Start(*device_, now_);
  EXPECT_FALSE(watch_.MayWork(*device_, now_, true));
  EXPECT_TRUE(watch_.IsResting());
  ASSERT_TRUE(watch_.TakeNews());
  EXPECT_FALSE(watch_.TakeNews());
  ASSERT_TRUE(watch_.Wait("cpu0", now_));
  EXPECT_EQ(watch_.Wait("cpu0", now_)->cause, WaitCause::kRest);
  EXPECT_EQ(Shown().telemetry.celsius, 90.0F);
  EXPECT_NE(Shown().rest, "");
  celsius_ = 60.0F;
  now_ = watch_.NextLook(now_, true);
  EXPECT_TRUE(watch_.MayWork(*device_, now_, true));
  EXPECT_FALSE(watch_.Wait("cpu0", now_));
}

TEST_F(ThermalWatchTest, EnergyIsMeasuredOfWorkAndNotOfIdleTime) {
  engine_.sensors = [this] {
    ++samples_;
    Telemetry telemetry;
    telemetry.joules = joules_;
    return telemetry;
  };
  watch_.Start(*device_, now_);
  now_ += 1h;
  joules_ += 3600 * 20;  // idle
  watch_.BeginWork(*device_, now_);
  EXPECT_EQ(samples_, 2);
  now_ += 500ms;
  joules_ += 150;
  watch_.RecordWork(500ms, now_);
  EXPECT_EQ(watch_.WattsOfWork(*device_, now_), 300);
  EXPECT_EQ(samples_, 3);
  now_ += 20ms;  // the sensors are not read for a launch so soon
  watch_.BeginWork(*device_, now_);
  watch_.RecordWork(20ms, now_);
  EXPECT_EQ(watch_.WattsOfWork(*device_, now_), 300);
  EXPECT_EQ(samples_, 3);
}

TEST_F(ThermalWatchTest, WithoutASensorForItNoEnergyIsMeasuredAndNothingReadForIt) {
  watch_.Start(*device_, now_);
  now_ += 1s;
  watch_.BeginWork(*device_, now_);
  watch_.RecordWork(500ms, now_);
  EXPECT_EQ(watch_.WattsOfWork(*device_, now_), std::nullopt);
  EXPECT_EQ(samples_, 1);
}

TEST_F(ThermalWatchTest, AfterThreeEmptySamplesNoMoreAreTaken) {
  celsius_ = std::nullopt;
  watch_.Start(*device_, now_);
  for (int i = 0; i < 5; ++i) {
    now_ += 1s;
    watch_.RecordWork(1ms, now_);
    watch_.MayWork(*device_, now_, true);
  }
  EXPECT_EQ(samples_, 3);
}

}  // namespace
}  // namespace wb::test
