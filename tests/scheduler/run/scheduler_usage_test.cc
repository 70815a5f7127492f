// What a job has used, while it runs and when it ends before its instances do.

#include <chrono>
#include <thread>
#include <vector>

#include "tests/scheduler/run/shared_batch_fixture.h"

namespace wb::test {
namespace {

constexpr uint64_t kFuel = 1000;  // of a launch

class SchedulerUsageTest : public SharedBatchTest {
 protected:
  SchedulerUsageTest() {
    held_ = false;
    cpu_.stay_fuel = kFuel;
    cpu_.act = [](const FakeLane& lane) {
      return lane.number % 1000 < 2 ? LaneAct::kStay : LaneAct::kDone;
    };
  }
  // Two of its instances never end.
  static void AwaitFuel(RecordingSink& sink, uint64_t fuel) {
    sink.AwaitProgress([fuel](const JobProgress& progress) { return progress.usage.fuel >= fuel; });
  }
};

TEST_F(SchedulerUsageTest, ProgressCountsWhoIsUnderWayAndACancelKeepsIt) {
  Start();
  const SinkRef sink = SubmitNumbers(5);
  AwaitFuel(*sink, 20 * kFuel);
  EXPECT_GE(sink->progress().usage.fuel_running, 18 * kFuel);
  scheduler_->Cancel(1);
  sink->AwaitEnd();
  ASSERT_TRUE(sink->cancelled());
  EXPECT_EQ(sink->usage().fuel_running, 0u);
  EXPECT_FALSE(sink->usage().joules);  // nothing measures it
  EXPECT_EQ(sink->Results().size(), 3u);
  EXPECT_GE(sink->usage().fuel, 20 * kFuel + 3 * 7);
  EXPECT_EQ((sink->usage().fuel - 3 * 7) % (2 * kFuel), 0u);  // nothing counts twice
  EXPECT_GE(sink->usage().carried, 20u);                      // two, from launch to launch
}

TEST_F(SchedulerUsageTest, SoDoJobsThatShareALaunch) {
  held_ = true;
  Start();
  device_ = &cpu_;
  const std::vector<SinkRef> sinks = SubmitSmall(3, 5);
  for (const SinkRef& sink : sinks) AwaitFuel(*sink, 20 * kFuel);
  for (JobId id = 1; id <= 3; ++id) scheduler_->Cancel(id);
  for (const SinkRef& sink : sinks) {
    sink->AwaitEnd();
    EXPECT_GE(sink->usage().fuel, 20 * kFuel + 3 * 7);
    EXPECT_EQ((sink->usage().fuel - 3 * 7) % kFuel, 0u);
    EXPECT_GE(sink->usage().carried, 20u);
  }
}

TEST_F(SchedulerUsageTest, EnergyIsTheDevicesPowerInTheJobsPartOfLaunches) {
  constexpr double kWatts = 50;
  cpu_.sensors = [] {
    Telemetry telemetry;
    telemetry.watts = static_cast<float>(kWatts);
    return telemetry;
  };
  cpu_.act = {};
  cpu_.busy = std::chrono::milliseconds(30);
  held_ = true;
  Start();
  device_ = &cpu_;
  const std::vector<SinkRef> sinks = SubmitSmall(3, 5);
  double joules = 0;
  for (const SinkRef& sink : sinks) {
    sink->AwaitEnd();
    const double seconds = std::chrono::duration<double>(sink->usage().device_time).count();
    ASSERT_TRUE(sink->usage().joules);
    EXPECT_EQ(sink->usage().carried, 0u);
    EXPECT_NEAR(*sink->usage().joules, kWatts * seconds, 1e-6);
    EXPECT_GT(seconds, 0);
    joules += *sink->usage().joules;
  }
  while (scheduler_->Devices()[0].jobs > 0) std::this_thread::yield();
  ASSERT_TRUE(scheduler_->Devices()[0].joules);
  EXPECT_NEAR(*scheduler_->Devices()[0].joules, joules, 1e-6);
}

TEST_F(SchedulerUsageTest, ARateIsKnownOnceItHasRunForASecond) {
  Start();
  const SinkRef sink = SubmitNumbers(5);
  AwaitFuel(*sink, 20 * kFuel);
  EXPECT_FALSE(sink->progress().forecast.instructions_per_second);
  clock_.Advance(std::chrono::seconds(2));
  const uint64_t fuel = sink->progress().usage.fuel;
  AwaitFuel(*sink, fuel + 10 * kFuel);
  ASSERT_TRUE(sink->progress().forecast.instructions_per_second);
  EXPECT_GT(*sink->progress().forecast.instructions_per_second, 5 * kFuel);
  scheduler_->Cancel(1);
  sink->AwaitEnd();
}

TEST_F(SchedulerUsageTest, AndJobsThatALimitEnds) {
  Start();
  JobSpec spec = NumberJob(NumberModule(), 5);
  spec.limits.max_time = std::chrono::seconds(1);
  const SinkRef sink = Submit(std::move(spec));
  AwaitFuel(*sink, 20 * kFuel);
  clock_.Advance(std::chrono::seconds(2));
  sink->AwaitEnd();
  EXPECT_EQ(sink->Results().size(), 5u);
  EXPECT_GE(sink->usage().fuel, 20 * kFuel + 3 * 7);
  EXPECT_EQ((sink->usage().fuel - 3 * 7) % (2 * kFuel), 0u);
}

}  // namespace
}  // namespace wb::test
