// What is short: room for results, memory of a device.

#include <algorithm>
#include <atomic>

#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

TEST_F(SchedulerTest, ASinkWithoutRoomHoldsItsJobAndNobodyElse) {
  Start();
  const SinkRef slow = SubmitNumbers(100, 7);
  slow->AwaitResults(7);
  const SinkRef fast = SubmitNumbers(300);
  ExpectNumbers(*fast, 300);
  EXPECT_EQ(slow->Results().size(), 7u);
  EXPECT_EQ(slow->ends(), 0u);
  slow->AddRoom(50);
  Wake();
  slow->AwaitResults(57);
  slow->AddRoom(1000);
  Wake();
  ExpectNumbers(*slow, 100);
}

TEST_F(SchedulerTest, SeatedInstancesCountAgainstTheRoom) {
  std::atomic<bool> stay{true};
  cpu_.act = [&](const FakeLane&) { return stay ? LaneAct::kStay : LaneAct::kDone; };
  Start();
  const SinkRef sink = SubmitNumbers(100, 10);
  cpu_.AwaitLaunch(5);
  for (const FakeLaunch& launch : cpu_.launches()) EXPECT_EQ(launch.taken, 10u);
  stay = false;
  sink->AwaitResults(10);
  EXPECT_FALSE(sink->overflowed());
  sink->AddRoom(kMuch);
  Wake();
  ExpectNumbers(*sink, 100);
}

TEST_F(SchedulerTest, MaxTimeComesWhileTheSinkHasNoRoom) {
  Start();
  JobSpec spec = NumberJob(NumberModule(), 50);
  spec.limits.max_time = std::chrono::seconds(10);
  const SinkRef sink = Submit(std::move(spec), 5);
  sink->AwaitResults(5);
  clock_.AwaitWaiter(std::chrono::seconds(10));
  clock_.Advance(std::chrono::seconds(11));
  sink->AwaitEnd();
  EXPECT_FALSE(sink->overflowed());
  EXPECT_EQ(sink->Results()[49].end, End::kDeadline);
}

TEST_F(SchedulerTest, MaxTimeComesForAJobThatNeverHadRoom) {
  Start();
  JobSpec spec = NumberJob(NumberModule(), 50);
  spec.limits.max_time = std::chrono::seconds(10);
  const SinkRef sink = Submit(std::move(spec), 0);
  clock_.AwaitWaiter(std::chrono::seconds(10));
  clock_.Advance(std::chrono::seconds(11));
  sink->AwaitEnd();
  EXPECT_EQ(sink->ranges(), 1u);
  EXPECT_EQ(sink->Results().size(), 50u);
  EXPECT_EQ(sink->Results()[0].end, End::kDeadline);
}

TEST_F(SchedulerTest, ADrainDoesNotWaitForAJobWithoutReader) {
  Start();
  const SinkRef paused = Submit(NumberJob(NumberModule(), 50), 5);
  paused->AwaitResults(5);
  const TimePoint begin = clock_.Now();
  std::thread drain([this] { scheduler_->Drain(std::chrono::hours(1), {}); });
  const Pusher pusher(clock_);
  paused->AwaitEnd();
  drain.join();
  EXPECT_TRUE(paused->cancelled());
  EXPECT_LT(clock_.Now() - begin, std::chrono::minutes(30));
}

TEST_F(SchedulerTest, InstancesThatNeedMemoryStartAgainWithMore) {
  // Little memory: lanes get one page each at first.
  FakeEngine small(Engine::kCpu, 64 * (65536 + 8192));
  std::atomic<uint32_t> grown{0};
  small.act = [&](const FakeLane& lane) {
    if (lane.number % 10 != 0) return LaneAct::kDone;
    grown = std::max(grown.load(), lane.capacity_pages);
    return lane.capacity_pages < 16 ? LaneAct::kNeedsMemory : LaneAct::kDone;
  };
  SchedulerParts parts;
  parts.cpu = small.Starter();
  parts.interpreter = interpreter_.Starter();
  parts.compiler = FakeCompiler();
  parts.clock = &clock_;
  scheduler_ = AssembleScheduler(settings_, std::move(parts)).value();
  JobSpec spec = NumberJob(NumberModule(), 100);
  spec.limits.max_memory_bytes = 16 * 65536;
  const SinkRef sink = Submit(std::move(spec));
  ExpectNumbers(*sink, 100);
  EXPECT_EQ(grown.load(), 16u);
  for (const InstanceResult& result : sink->Results()) EXPECT_EQ(result.attempt, 1u);
  scheduler_.reset();
}

TEST_F(SchedulerTest, InstancesThatNeedStackStartAgainWithMore) {
  std::atomic<uint32_t> grown{0};
  cpu_.act = [&](const FakeLane& lane) {
    if (lane.number % 10 != 0) return LaneAct::kDone;
    grown = std::max(grown.load(), lane.capacity_stack);
    return lane.capacity_stack < 20000 ? LaneAct::kNeedsStack : LaneAct::kDone;
  };
  Start();
  const SinkRef sink = SubmitNumbers(100);
  ExpectNumbers(*sink, 100);
  EXPECT_EQ(grown.load(), 32768u);
  for (const InstanceResult& result : sink->Results()) EXPECT_EQ(result.attempt, 1u);
}

TEST_F(SchedulerTest, JobsShareTheDevicesMemory) {
  // Room for 4 lanes of a job that may grow to 16 pages.
  FakeEngine small(Engine::kCpu, 4 * (16 * 65536 + 8192));
  std::atomic<uint64_t> held{0};
  small.on_allocate = [&](const DispatchShape& shape) {
    held = std::max<uint64_t>(held, uint64_t{shape.lanes} * shape.capacity_pages);
    return Status();
  };
  SchedulerParts parts;
  parts.cpu = small.Starter();
  parts.interpreter = interpreter_.Starter();
  parts.compiler = FakeCompiler();
  parts.clock = &clock_;
  scheduler_ = AssembleScheduler(settings_, std::move(parts)).value();
  std::vector<SinkRef> sinks;
  for (int i = 0; i < 6; ++i) {
    JobSpec spec = NumberJob(NumberModule(), 40);
    spec.limits.max_memory_bytes = 16 * 65536;
    sinks.push_back(Submit(std::move(spec)));
  }
  for (const SinkRef& sink : sinks) ExpectNumbers(*sink, 40);
  EXPECT_LE(held.load(), 64u);
  scheduler_.reset();
}

TEST_F(SchedulerTest, WhereLanesTakeSeatsInTurnALaunchHoldsManyInstances) {
  cpu_.seats_per_lane = 8;
  Start();
  ExpectNumbers(*SubmitNumbers(2000), 2000);
  const std::vector<FakeLaunch> launches = cpu_.launches();
  ASSERT_FALSE(launches.empty());
  EXPECT_EQ(launches[0].seats, 8 * settings_.cpu.burst_instances);
  EXPECT_EQ(launches[0].taken, settings_.cpu.burst_instances) << "the first is to begin soon";
  ASSERT_GT(launches.size(), 1u);
  EXPECT_EQ(launches[1].taken, (2000 - settings_.cpu.burst_instances) / 4) << "of what is left";
  // Lanes without work end it while others wait for seats, and not when there are none.
  EXPECT_EQ(launches[0].most_idle, settings_.cpu.burst_instances / 8);
  EXPECT_EQ(launches.back().most_idle, ~0u);
}

// Seats that the sink's room keeps empty are no reason to end a launch early.
TEST_F(SchedulerTest, ALaunchThatCannotBeFilledRunsOn) {
  cpu_.seats_per_lane = 8;
  Start();
  const SinkRef sink = SubmitNumbers(2000, 100);
  cpu_.AwaitLaunch(2);
  EXPECT_EQ(cpu_.launches()[0].taken, settings_.cpu.burst_instances);
  EXPECT_EQ(cpu_.launches()[1].taken, 100 - settings_.cpu.burst_instances);
  EXPECT_EQ(cpu_.launches()[1].most_idle, ~0u);
  sink->AddRoom(5000);
  Wake();
  ExpectNumbers(*sink, 2000);
}

TEST_F(SchedulerTest, ADeviceWithLessMemoryThanItSaidGetsSmallerDispatches) {
  cpu_.on_allocate = [](const DispatchShape& shape) {
    return shape.lanes > 5 ? Status(Reason::kNoDeviceFits, "Too large.") : Status();
  };
  Start();
  ExpectNumbers(*SubmitNumbers(30), 30);
}

}  // namespace
}  // namespace wb::test
