// Bursts and rests of a device: by its thermometer, by time alone, and what is told of them.

#include <atomic>

#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

using namespace std::chrono_literals;

class HeatTest : public SchedulerTest {
 protected:
  HeatTest() {
    cpu_.busy = 100ms;
    cpu_.sensors = [this] {
      ++samples_;
      Telemetry telemetry;
      telemetry.celsius = static_cast<float>(celsius_.load());
      return telemetry;
    };
  }
  // Its threads ask the sensors, which this fixture has.
  void TearDown() override { scheduler_.reset(); }
  DeviceStatus Cpu() const { return scheduler_->Devices()[0]; }
  void AwaitState(const std::string& state) const {
    while (Cpu().state != state) std::this_thread::yield();
  }

  std::atomic<int> celsius_{50};
  std::atomic<int> samples_{0};
  std::atomic<uint32_t> thermal_state_{0};
};

TEST_F(HeatTest, ACoolDeviceNeedsNoRest) {
  settings_.cpu.cooldown = 1s;
  Start();
  ExpectNumbers(*SubmitNumbers(30 * 64), 30 * 64);  // six bursts; the clock stands still
  EXPECT_EQ(Cpu().telemetry.celsius, 50);
  EXPECT_EQ(Cpu().policy, DevicePolicy::kBurst);
}

TEST_F(HeatTest, AHotDeviceRestsUntilItHasCooledDown) {
  celsius_ = 85;
  Start();
  const SinkRef sink = SubmitNumbers(10 * 64);
  AwaitState("cooling");
  EXPECT_EQ(cpu_.launches().size(), 0u);
  EXPECT_NE(Cpu().rest.find("85 C, until 70 C"), std::string::npos) << Cpu().rest;
  celsius_ = 75;
  for (int i = 0; i < 20; ++i) {  // no longer hot, and not yet cool
    clock_.AwaitWaiter(ThermalGovernor::kLook);
    EXPECT_EQ(cpu_.launches().size(), 0u);
    clock_.Advance(ThermalGovernor::kLook);
  }
  celsius_ = 69;
  const Pusher pusher(clock_);
  ExpectNumbers(*sink, 10 * 64);
  EXPECT_EQ(Cpu().rest, "");
}

TEST_F(HeatTest, WaitingJobsSayThatTheDeviceIsHot) {
  Start();
  cpu_.blocks_until_stop = true;
  const SinkRef sink = SubmitNumbers(10 * 64);
  cpu_.AwaitLaunch(1);
  celsius_ = 91;
  clock_.Advance(1s);
  cpu_.ReleaseLaunches();
  sink->AwaitProgress([](const JobProgress& progress) {
    return progress.waiting_for.find("the device [cpu0], cooling: it is hot, 91 C") == 0;
  });
  celsius_ = 60;
  const Pusher pusher(clock_);
  ExpectNumbers(*sink, 10 * 64);
  EXPECT_EQ(sink->progress().waiting_for, "");
}

TEST_F(HeatTest, AStuckThermometerLetsOneBurstThroughAfterTheLongestRest) {
  celsius_ = 99;
  settings_.cpu.longest_rest = 2s;
  Start();
  const Pusher pusher(clock_);
  ExpectNumbers(*SubmitNumbers(12 * 64), 12 * 64);
}

TEST_F(HeatTest, ACancelIsHeededWhileItRests) {
  celsius_ = 85;
  Start();
  const SinkRef sink = SubmitNumbers(64);
  AwaitState("cooling");
  scheduler_->Cancel(1);
  sink->AwaitEnd();
  EXPECT_TRUE(sink->cancelled());
}

// As a Mac without a readable thermometer says it.
TEST_F(HeatTest, AThermalStateThatIsCriticalHoldsTheDeviceUntilItIsNot) {
  thermal_state_ = 3;
  cpu_.sensors = [this] {
    Telemetry telemetry;
    telemetry.thermal_state = thermal_state_.load();
    return telemetry;
  };
  settings_.cpu.cooldown = 1s;
  Start();
  const SinkRef sink = SubmitNumbers(30 * 64);
  AwaitState("cooling");
  EXPECT_EQ(cpu_.launches().size(), 0u);
  thermal_state_ = 0;
  clock_.AwaitWaiter(ThermalGovernor::kLook);
  clock_.Advance(ThermalGovernor::kLook);
  ExpectNumbers(*sink, 30 * 64);  // six bursts, and no rest between: the clock stands still
}

// Five launches of 100 ms are a burst; the rest comes after the fifth.
TEST_F(HeatTest, SeveralLaunchesAreOneBurst) {
  cpu_.sensors = nullptr;
  settings_.cpu.cooldown = 1s;
  Start();
  const SinkRef sink = SubmitNumbers(8 * 64);
  clock_.AwaitWaiter(1s);
  EXPECT_EQ(cpu_.launches().size(), 5u);
  EXPECT_EQ(cpu_.launches()[0].max_duration, 500ms);
  EXPECT_EQ(cpu_.launches()[4].max_duration, 100ms);  // what is left of it
  EXPECT_NE(Cpu().rest.find("after a burst"), std::string::npos) << Cpu().rest;
  clock_.Advance(1s);
  ExpectNumbers(*sink, 8 * 64);
}

TEST_F(HeatTest, SensorsThatSayNothingAreAskedNoMore) {
  cpu_.sensors = [this] {
    ++samples_;
    return Telemetry();
  };
  Start();
  for (int i = 0; i < 10; ++i) {
    ExpectNumbers(*SubmitNumbers(64), 64);
    clock_.Advance(1s);
  }
  EXPECT_EQ(samples_.load(), 3);
}

TEST_F(HeatTest, AnIdleDeviceIsSampledWhileSomebodyLooks) {
  Start();
  const int before = samples_;
  for (int i = 0; i < 5; ++i) {
    (void)Cpu();
    clock_.AwaitWaiter(1s);
    celsius_ = 60 + i;
    clock_.Advance(1s);
    while (samples_ <= before + i) std::this_thread::yield();
  }
  while (Cpu().telemetry.celsius != 64) std::this_thread::yield();
}

}  // namespace
}  // namespace wb::test
