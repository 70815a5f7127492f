// Which job runs when: turns, cancels, rests, the end of time and of the scheduler.

#include <atomic>
#include <set>
#include <thread>

#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

TEST_F(SchedulerTest, TenThousandInstancesEachExactlyOnce) {
  Start();
  const SinkRef sink = SubmitNumbers(10000);
  ExpectNumbers(*sink, 10000);
  EXPECT_GE(cpu_.launches().size(), 10000u / 64);
  for (const FakeLaunch& launch : cpu_.launches()) EXPECT_LE(launch.taken, 64u);
  EXPECT_EQ(sink->usage().fuel, 70000u);
  EXPECT_EQ(sink->usage().bursts, cpu_.launches().size());
  EXPECT_EQ(sink->Results()[0].device, "cpu0");
  EXPECT_EQ(sink->Results()[0].attempt, 1u);
}

TEST_F(SchedulerTest, InstancesLeftMidwayGoOnBesideNewOnes) {
  std::set<uint32_t> seen;
  cpu_.act = [&](const FakeLane& lane) {
    return lane.number % 3 == 0 && seen.insert(lane.number).second ? LaneAct::kStay
                                                                   : LaneAct::kDone;
  };
  Start();
  ExpectNumbers(*SubmitNumbers(500), 500);
}

TEST_F(SchedulerTest, ATrapIsAResult) {
  cpu_.act = [](const FakeLane& lane) {
    return lane.number == 5 ? LaneAct::kTrap : LaneAct::kDone;
  };
  Start();
  const SinkRef sink = SubmitNumbers(10);
  sink->AwaitEnd();
  EXPECT_TRUE(sink->status().ok());
  EXPECT_EQ(sink->Results()[5].end, End::kTrapped);
  EXPECT_EQ(sink->Results()[5].trap, Trap::kUnreachable);
}

// What runs is ended for the newcomer, and the next turn is its.
TEST_F(SchedulerTest, ASmallJobBehindABigOneIsNext) {
  cpu_.blocks_until_stop = true;
  Start();
  const SinkRef big = SubmitNumbers(100 * 64);
  cpu_.AwaitLaunch(1);
  JobSpec spec = NumberJob(NumberModule(), 1);
  spec.steps.push_back(spec.steps[0]);  // so that its launch is known by its two steps
  const SinkRef small = Submit(std::move(spec));
  cpu_.AwaitLaunch(2);
  EXPECT_EQ(cpu_.launches()[1].steps, 2u);
  cpu_.ReleaseLaunches();
  small->AwaitEnd();
  scheduler_->Cancel(1);
  big->AwaitEnd();
}

// What runs is not stopped again so soon; so what is begun meanwhile is short.
TEST_F(SchedulerTest, ANewcomerSoonAfterAnotherWaitsForASliceAndNotForABurst) {
  cpu_.blocks_until_stop = true;
  cpu_.act = [](const FakeLane& lane) {
    return lane.number < 1000 ? LaneAct::kStay : LaneAct::kDone;
  };
  Start();
  const SinkRef endless = SubmitNumbers(2);
  cpu_.AwaitLaunch(1);
  EXPECT_EQ(cpu_.launches()[0].max_duration, std::chrono::milliseconds(500));
  JobSpec tiny = NumberJob(NumberModule(), 1);
  tiny.columns[0].start = Value::I32(1000);
  const SinkRef newcomer = Submit(std::move(tiny));
  cpu_.AwaitLaunch(2);
  cpu_.ReleaseLaunches();
  newcomer->AwaitEnd();
  cpu_.AwaitLaunch(10);  // at the same moment
  const auto launches = cpu_.launches();
  for (size_t i = 1; i < 10; ++i) {
    EXPECT_LE(launches[i].max_duration, std::chrono::milliseconds(20)) << i;
  }
  clock_.Advance(std::chrono::milliseconds(20));
  const auto longest = std::chrono::milliseconds(500);
  while (cpu_.launches().back().max_duration < longest) std::this_thread::yield();
  scheduler_->Cancel(1);
  endless->AwaitEnd();
}

TEST_F(SchedulerTest, ManyJobsTakeTurns) {
  settings_.cpu.burst_instances = 10;
  cpu_.blocks_until_stop = true;
  Start();
  const SinkRef first = SubmitNumbers(200);
  cpu_.AwaitLaunch(1);
  std::vector<SinkRef> sinks;
  for (int i = 0; i < 5; ++i) sinks.push_back(SubmitNumbers(50));
  for (const SinkRef& sink : sinks) {
    sink->AwaitProgress([](const JobProgress& p) { return p.phase != JobPhase::kQueued; });
  }
  cpu_.ReleaseLaunches();
  ExpectNumbers(*first, 200);
  for (const SinkRef& sink : sinks) ExpectNumbers(*sink, 50);
}

TEST_F(SchedulerTest, ACancelStopsTheLaunchUnderWay) {
  cpu_.blocks_until_stop = true;
  cpu_.act = [](const FakeLane&) { return LaneAct::kStay; };
  Start();
  const SinkRef sink = SubmitNumbers(10);
  cpu_.AwaitLaunch(1);
  scheduler_->Cancel(1);
  sink->AwaitEnd();
  EXPECT_TRUE(sink->status().ok());
  EXPECT_TRUE(sink->cancelled());
  EXPECT_TRUE(sink->Results().empty());
  scheduler_->Cancel(1);  // ended: no effect
  scheduler_->Cancel(99);
  EXPECT_EQ(sink->ends(), 1u);
}

TEST_F(SchedulerTest, ACancelWhileCompilingEndsTheJobAtOnce) {
  SlowBuild build;
  cpu_.on_build = build();
  Start();
  const SinkRef sink = SubmitNumbers(10);
  sink->AwaitProgress(
      [](const JobProgress& p) { return p.waiting_for.find("cpu0") != std::string::npos; });
  scheduler_->Cancel(1);
  sink->AwaitEnd();
  EXPECT_TRUE(sink->cancelled());
  build.Finish();
}

TEST_F(SchedulerTest, MaxTimeEndsWhoIsLeft) {
  cpu_.act = [](const FakeLane& lane) {
    return lane.number < 20 ? LaneAct::kDone : LaneAct::kStay;
  };
  cpu_.blocks_until_stop = true;
  Start();
  JobSpec spec = NumberJob(NumberModule(), 200);
  spec.limits.max_time = std::chrono::milliseconds(100);
  const SinkRef sink = Submit(std::move(spec));
  cpu_.AwaitLaunch(1);
  EXPECT_EQ(cpu_.launches()[0].max_duration, std::chrono::milliseconds(100));
  clock_.Advance(std::chrono::milliseconds(101));
  cpu_.ReleaseLaunches();
  sink->AwaitEnd();
  EXPECT_TRUE(sink->status().ok());
  EXPECT_FALSE(sink->cancelled());
  const auto results = sink->Results();
  ASSERT_EQ(results.size(), 200u);
  for (uint32_t i = 0; i < 200; ++i) {
    EXPECT_EQ(results[i].instance, i);
    EXPECT_EQ(results[i].end, i < 20 ? End::kReturned : End::kDeadline) << i;
  }
}

TEST_F(SchedulerTest, TheDeviceRestsBetweenBursts) {
  settings_.cpu.cooldown = std::chrono::milliseconds(1000);
  cpu_.busy = std::chrono::milliseconds(500);
  Start();
  const SinkRef sink = SubmitNumbers(3 * 64);
  for (uint64_t burst = 1; burst <= 2; ++burst) {
    while (scheduler_->Devices()[0].state != "cooling") std::this_thread::yield();
    clock_.AwaitWaiter(std::chrono::milliseconds(1000));
    EXPECT_EQ(cpu_.launches().size(), burst);
    clock_.Advance(std::chrono::milliseconds(1000));
    cpu_.AwaitLaunch(burst + 1);
  }
  ExpectNumbers(*sink, 3 * 64);
}

TEST_F(SchedulerTest, SubmitRefusesWhatCannotRun) {
  settings_.max_queued_jobs = 2;
  cpu_.blocks_until_stop = true;
  cpu_.act = [](const FakeLane&) { return LaneAct::kStay; };  // whichever job's launch is stopped
  Start();
  auto sink = std::make_shared<RecordingSink>();
  const auto submit = [&](JobId id, std::function<void(JobSpec&)> change) {
    JobSpec spec = NumberJob(NumberModule(), 5);
    change(spec);
    return scheduler_->Submit(id, std::move(spec), sink).reason();
  };
  EXPECT_EQ(submit(1,
                   [](JobSpec& s) {
                     s.steps = {CallStep{"no", {}, false}};
                   }),
            Reason::kEntryPointNotFound);
  EXPECT_EQ(submit(1, [](JobSpec& s) { s.instances = 0; }), Reason::kInvalidArgument);
  const auto endless = ModuleOf("(module (memory 1) (func (export \"run\") (param i32)))");
  EXPECT_EQ(submit(1,
                   [&](JobSpec& s) {
                     s.module = endless;
                     s.limits.max_memory_bytes = uint64_t{2} << 30;
                   }),
            Reason::kNoDeviceFits);
  EXPECT_EQ(sink->ends(), 0u);
  EXPECT_EQ(submit(1, [](JobSpec&) {}), Reason::kOk);
  EXPECT_EQ(submit(1, [](JobSpec&) {}), Reason::kInvalidArgument);  // a known id
  EXPECT_EQ(submit(2, [](JobSpec&) {}), Reason::kOk);
  EXPECT_EQ(submit(3, [](JobSpec&) {}), Reason::kQueueFull);
  scheduler_->Drain(std::chrono::nanoseconds(0), {});
  EXPECT_EQ(sink->ends(), 2u);
  EXPECT_EQ(submit(4, [](JobSpec&) {}), Reason::kDraining);
}

TEST_F(SchedulerTest, DrainLetsRunningJobsEnd) {
  cpu_.blocks_until_stop = true;
  Start();
  const SinkRef sink = SubmitNumbers(200);
  cpu_.AwaitLaunch(1);
  std::thread drainer([&] { scheduler_->Drain(std::chrono::hours(1), {}); });
  clock_.AwaitWaiter(
      std::chrono::milliseconds(100));  // it looks for jobs that are held up so often
  cpu_.ReleaseLaunches();
  drainer.join();
  ExpectNumbers(*sink, 200);
}

}  // namespace
}  // namespace wb::test
