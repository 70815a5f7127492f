// An engine host that is stopped and not dead: neither its launch nor its heart goes on.

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <string>
#include <thread>

#include "scheduler/job/waits.h"
#include "scheduler/scheduler.h"
#include "tests/fakes/recording_sink.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {
namespace {

constexpr uint32_t kSteps = 20000000;

// Takes some tens of milliseconds: Expected(n).
std::shared_ptr<const Module> CountingModule() {
  return ModuleOf(R"((module
    (func (export "run") (param $n i32) (result i32)
      (local $i i32) (local $h i32)
      (loop $l
        (local.set $h (i32.xor (i32.mul (local.get $h) (i32.const 1664525)) (local.get $i)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $l (i32.lt_u (local.get $i) (i32.const 20000000))))
      (i32.add (local.get $n) (local.get $h)))))");
}

uint32_t Expected(uint32_t number) {
  uint32_t hash = 0;
  for (uint32_t i = 0; i < kSteps; ++i) hash = hash * 1664525 ^ i;
  return number + hash;
}

class EngineHangTest : public ::testing::Test {
 protected:
  // Long: a test on a slow machine ends the host before the scheduler does.
  static constexpr std::chrono::seconds kShort{4}, kLong{60};

  void Start(std::chrono::seconds max_silence) {
    SchedulerSettings settings;
    settings.engine_host_path = WB_ENGINE_HOST;
    settings.cache_directory = folder_.path() + "/cache";
    settings.cpu.burst_max_duration = std::chrono::milliseconds(200);
    settings.engine_max_silence = max_silence;
    settings.log = [this](Severity, const std::string& line) { log_ += line; };
    scheduler_ = CreateScheduler(settings).value();
  }
  DeviceStatus cpu() const { return scheduler_->Devices()[0]; }
  DeviceStatus AwaitSilence() const {
    DeviceStatus status = cpu();
    while (status.state != "not responding" && status.restarts == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      status = cpu();
    }
    return status;
  }

  TemporaryFolder folder_;
  std::string log_;  // of the device's thread
  std::unique_ptr<Scheduler> scheduler_;
};

TEST_F(EngineHangTest, ItIsShownSoonThenReplacedAndTheJobEndsAsItShould) {
  Start(kShort);
  JobSpec spec = NumberJob(CountingModule(), 60);
  spec.placement = Placement::kCpu;
  auto sink = std::make_shared<RecordingSink>();
  ASSERT_TRUE(scheduler_->Submit(1, spec, sink).ok());
  sink->AwaitProgress([](const JobProgress& progress) {
    return progress.usage.bursts > 0 && progress.running > 0;
  });
  ::kill(static_cast<pid_t>(cpu().host_pid), SIGSTOP);
  const DeviceStatus hung = AwaitSilence();
  EXPECT_EQ(hung.restarts, 0u) << "it was replaced before it was shown";
  EXPECT_FALSE(hung.healthy);
  EXPECT_NE(hung.trouble.find("has not answered for ["), std::string::npos) << hung.trouble;
  const auto waits = scheduler_->Waits(1);
  ASSERT_FALSE(waits.empty());
  EXPECT_EQ(waits[0].cause, WaitCause::kLost);
  sink->AwaitEnd();
  ASSERT_TRUE(sink->status().ok()) << sink->status().ToString();
  const auto results = sink->Results();
  ASSERT_EQ(results.size(), 60u);
  const uint32_t first = Expected(0);
  for (uint32_t i = 0; i < 60; ++i) {
    EXPECT_EQ(results[i].steps.at(0).values.at(0), Value::I32(first + i));
  }
  EXPECT_EQ(cpu().restarts, 1u);
  EXPECT_TRUE(cpu().healthy);
  scheduler_.reset();
  EXPECT_NE(log_.find("did not answer for [4000] ms"), std::string::npos) << log_;
}

TEST_F(EngineHangTest, ALostHostSaysHowItEnded) {
  Start(kLong);
  auto sink = std::make_shared<RecordingSink>();
  JobSpec spec = NumberJob(CountingModule(), 60);
  spec.placement = Placement::kCpu;
  ASSERT_TRUE(scheduler_->Submit(1, spec, sink).ok());
  sink->AwaitProgress([](const JobProgress& progress) {
    return progress.usage.bursts > 0 && progress.running > 0;
  });
  const auto host = static_cast<pid_t>(cpu().host_pid);
  ::kill(host, SIGSTOP);
  AwaitSilence();  // so it is a launch that finds it ended
  ::kill(host, SIGKILL);
  sink->AwaitEnd();
  EXPECT_TRUE(sink->status().ok()) << sink->status().ToString();
  scheduler_.reset();
  EXPECT_NE(log_.find("was ended by signal [9]"), std::string::npos) << log_;
}

}  // namespace
}  // namespace wb::test
