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

TEST_F(SchedulerUsageTest, LanesThatWereUsefulAreTheJobsAndTheDevices) {
  cpu_.lane_fuel = {.useful = 600, .resident = 1000};
  cpu_.act = {};
  Start();
  const SinkRef sink = SubmitNumbers(5);
  sink->AwaitEnd();
  const JobUsage usage = sink->usage();
  EXPECT_EQ(usage.lane_fuel.useful, 600 * usage.bursts);
  EXPECT_EQ(usage.lane_fuel.UsefulLanes(), 0.6);
  while (scheduler_->Devices()[0].jobs > 0) std::this_thread::yield();
  EXPECT_EQ(scheduler_->Devices()[0].lane_fuel, usage.lane_fuel);
}

TEST_F(SchedulerUsageTest, OfASharedLaunchAJobHasItsPart) {
  cpu_.lane_fuel = {.useful = 750, .resident = 1500};
  cpu_.act = {};
  held_ = true;
  Start();
  device_ = &cpu_;
  LaneFuel all;
  uint64_t parts = 0;
  for (const SinkRef& sink : SubmitSmall(3, 5)) {
    sink->AwaitEnd();
    ASSERT_EQ(sink->usage().lane_fuel.UsefulLanes(), 0.5);
    all.Add(sink->usage().lane_fuel);
    parts += sink->usage().bursts;
  }
  while (scheduler_->Devices()[0].jobs > 0) std::this_thread::yield();
  const DeviceStatus device = scheduler_->Devices()[0];
  EXPECT_LT(device.bursts, parts);  // they shared some
  EXPECT_EQ(all, device.lane_fuel);
}

TEST_F(SchedulerUsageTest, WhatADeviceHasOfAModuleIsKnownAndHowItRan) {
  cpu_.lane_fuel = {.useful = 600, .resident = 1000};
  cpu_.facts = {.code_bytes = 77, .registers = 96};
  cpu_.act = {};
  Start();
  const JobSpec spec = NumberJob(NumberModule(), 5);
  const Digest module = spec.module->digest();
  EXPECT_TRUE(scheduler_->Pipelines("cpu0", module).value().empty());
  EXPECT_EQ(scheduler_->Pipelines("cpu7", module).status().reason(), Reason::kNotFound);
  const SinkRef sink = Submit(JobSpec(spec));
  sink->AwaitEnd();
  while (scheduler_->Devices()[0].jobs > 0) std::this_thread::yield();
  const std::vector<PipelineStatus> pipelines = scheduler_->Pipelines("cpu0", module).value();
  ASSERT_EQ(pipelines.size(), 1u);
  EXPECT_EQ(pipelines[0].build, KernelBuild::kFull);
  EXPECT_EQ(pipelines[0].facts, cpu_.facts);
  EXPECT_EQ(pipelines[0].launches, sink->usage().bursts);
  EXPECT_EQ(pipelines[0].fuel, sink->usage().fuel);
  EXPECT_EQ(pipelines[0].busy, sink->usage().device_time);
  EXPECT_EQ(pipelines[0].lane_fuel, sink->usage().lane_fuel);
  EXPECT_TRUE(scheduler_->Pipelines("cpu0", Digest()).value().empty());
}

TEST_F(SchedulerUsageTest, AHintSaysForHowLongLanesWaitForTheirGroup) {
  cpu_.act = {};
  Start();
  for (const LaneHint hint : {LaneHint::kNone, LaneHint::kDivergent, LaneHint::kUniform}) {
    JobSpec spec = NumberJob(NumberModule(), 5);
    spec.hint = hint;
    Submit(std::move(spec))->AwaitEnd();
    const uint32_t wait = cpu_.launches().back().group_wait;
    EXPECT_EQ(wait, GroupWaitOf(hint));
    EXPECT_EQ(wait, hint == LaneHint::kNone ? 2 : (hint == LaneHint::kDivergent ? 0 : 8));
  }
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
