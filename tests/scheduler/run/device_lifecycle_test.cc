// A device starts, is lost and starts again, and what other threads see of that.

#include "scheduler/run/device_lifecycle.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "scheduler/run/gate_watch.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_device.h"

namespace wb::test {
namespace {

using namespace std::chrono_literals;

class DeviceLifecycleTest : public ::testing::Test {
 protected:
  DeviceStatus Shown() const {
    DeviceStatus status;
    lifecycle_.Show(&status);
    return status;
  }

  FakeClock clock_;
  FakeEngine engine_{Engine::kCpu};
  LoopInbox inbox_{"cpu0", clock_};
  DeviceLifecycle lifecycle_{"cpu0", engine_.Starter(), clock_, inbox_};
};

TEST_F(DeviceLifecycleTest, AStartedDeviceIsGivenToAllThreads) {
  EXPECT_EQ(lifecycle_.AwaitDevice(clock_.Now()).status().reason(), Reason::kDeviceLost);
  ASSERT_TRUE(lifecycle_.Start().ok());
  EXPECT_EQ(*lifecycle_.AwaitDevice(clock_.Now()), lifecycle_.device());
  EXPECT_TRUE(lifecycle_.IsHealthy());
  EXPECT_EQ(Shown().state, "idle");
  EXPECT_EQ(lifecycle_.info().threads, engine_.threads);
  EXPECT_FALSE(lifecycle_.Wait());
}

TEST_F(DeviceLifecycleTest, ALostDeviceSaysWhyAndWhenItIsStartedAgain) {
  ASSERT_TRUE(lifecycle_.Start().ok());
  lifecycle_.Lose();
  lifecycle_.Drop();
  lifecycle_.StartLater("it was lost: its cable is out.");
  EXPECT_FALSE(lifecycle_.IsHealthy());
  EXPECT_EQ(Shown().state, "restarting");
  EXPECT_EQ(lifecycle_.AwaitDevice(clock_.Now()).status().reason(), Reason::kDeviceLost);
  ASSERT_TRUE(lifecycle_.Wait());
  EXPECT_NE(lifecycle_.Wait()->words.find("its cable is out. It is started again in ["),
            std::string::npos);
  EXPECT_GT(lifecycle_.start_after(), clock_.Now());
  ASSERT_TRUE(lifecycle_.Start().ok());
  lifecycle_.RecordRestart();
  EXPECT_FALSE(lifecycle_.Wait());
  EXPECT_TRUE(lifecycle_.IsHealthy());
  EXPECT_EQ(Shown().restarts, 1u);
}

TEST_F(DeviceLifecycleTest, StartsThatFailComeLaterAndLater) {
  engine_.FailStarts(2);
  EXPECT_FALSE(lifecycle_.Start().ok());
  lifecycle_.StartLater("it did not start.");
  const auto first = lifecycle_.start_after() - clock_.Now();
  EXPECT_FALSE(lifecycle_.Start().ok());
  lifecycle_.StartLater("it did not start.");
  EXPECT_GT(lifecycle_.start_after() - clock_.Now(), first);
}

TEST_F(DeviceLifecycleTest, ClosingEndsTheWaitForADevice) {
  lifecycle_.Close();
  EXPECT_EQ(lifecycle_.AwaitDevice(TimePoint::max()).status().reason(), Reason::kDeviceLost);
}

TEST(GateWatchTest, TheLoopSeesAnOrderFromItsNextLookOn) {
  GateWatch gate;
  const TimePoint now{1h};
  EXPECT_TRUE(gate.Order({Gate::kDraining, 5s, {}}, now));
  EXPECT_FALSE(gate.IsOpen());
  EXPECT_TRUE(gate.gate().IsOpen());
  EXPECT_TRUE(gate.HasNewDeadline());
  EXPECT_TRUE(gate.Look());
  EXPECT_EQ(gate.gate().deadline(), now + 5s);
  EXPECT_FALSE(gate.HasNewDeadline());
  EXPECT_FALSE(gate.Look());
  DeviceStatus status;
  gate.Show(now + 2s, &status);
  EXPECT_EQ(status.drain_left, 3s);
  EXPECT_EQ(status.gate_age, 2s);
}

}  // namespace
}  // namespace wb::test
