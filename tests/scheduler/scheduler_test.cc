// The scheduler's rules, on devices that do as the test says and time that it moves.

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <set>
#include <thread>

#include "scheduler/scheduler_parts.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_device.h"
#include "tests/fakes/recording_sink.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {
namespace {

using SinkRef = std::shared_ptr<RecordingSink>;
constexpr uint64_t kMuch = uint64_t{1} << 40;

class SchedulerTest : public ::testing::Test {
 protected:
  SchedulerTest() {
    settings_.cache_directory = folder_.path() + "/cache";
    settings_.cpu.burst_instances = 64;
  }

  void Start(CompilerCalls compiler = FakeCompiler()) {
    SchedulerParts parts;
    parts.cpu = cpu_.Starter();
    parts.interpreter = interpreter_.Starter();
    parts.compiler = std::move(compiler);
    parts.clock = &clock_;
    scheduler_ = AssembleScheduler(settings_, std::move(parts)).value();
  }

  SinkRef Submit(JobSpec spec, uint64_t room = kMuch) {
    auto sink = std::make_shared<RecordingSink>(room);
    EXPECT_TRUE(scheduler_->Submit(next_id_++, std::move(spec), sink).ok());
    return sink;
  }
  SinkRef SubmitNumbers(uint64_t instances, uint64_t room = kMuch) {
    return Submit(NumberJob(NumberModule(), instances), room);
  }
  void Wake() { scheduler_->RoomChanged(1); }

  static void ExpectNumbers(RecordingSink& sink, uint64_t instances) {
    sink.AwaitEnd();
    EXPECT_TRUE(sink.status().ok()) << sink.status().ToString();
    const auto results = sink.Results();
    ASSERT_EQ(results.size(), instances);
    for (uint32_t i = 0; i < instances; ++i) {
      ASSERT_EQ(results[i].instance, i);
      ASSERT_EQ(results[i].end, End::kReturned);
      ASSERT_EQ(results[i].steps.at(0).values.at(0), Value::I32(i + 1));
    }
    EXPECT_EQ(sink.ends(), 1u);
    EXPECT_FALSE(sink.overflowed());
  }

  TemporaryFolder folder_;
  FakeClock clock_;
  FakeEngine cpu_{Engine::kCpu};
  FakeEngine interpreter_{Engine::kInterpreter};
  SchedulerSettings settings_;
  std::unique_ptr<Scheduler> scheduler_;
  JobId next_id_ = 1;
};

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

TEST_F(SchedulerTest, ASmallJobWaitsForOneBurstOfABigOne) {
  cpu_.blocks_until_stop = true;
  Start();
  const SinkRef big = SubmitNumbers(100 * 64);
  cpu_.AwaitLaunch(1);
  JobSpec spec = NumberJob(NumberModule(), 1);
  spec.steps.push_back(spec.steps[0]);  // so that its launch is known by its two steps
  const SinkRef small = Submit(std::move(spec));
  small->AwaitProgress([](const JobProgress& p) { return p.phase == JobPhase::kCompiling; });
  // Whatever is on its way to the device's thread gets there while the launch is held.
  while (small->progress().waiting_for.find("cpu0") == std::string::npos) std::this_thread::yield();
  cpu_.ReleaseLaunches();
  small->AwaitEnd();
  scheduler_->Cancel(1);
  big->AwaitEnd();
  const auto launches = cpu_.launches();
  size_t turn = 0;
  while (turn < launches.size() && launches[turn].steps != 2) ++turn;
  ASSERT_LT(turn, launches.size());
  // One burst was under way and the job may have come during the next; never more than that per
  // hand-over on the way.
  EXPECT_LE(turn, 100u);
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
  Mutex mutex;
  CondVar changed;
  bool go = false;
  cpu_.on_build = [&](const KernelSource&) -> Result<Bytes> {
    MutexLock lock(mutex);
    while (!go) changed.Wait(mutex);
    return Bytes{1};
  };
  Start();
  const SinkRef sink = SubmitNumbers(10);
  sink->AwaitProgress(
      [](const JobProgress& p) { return p.waiting_for.find("cpu0") != std::string::npos; });
  scheduler_->Cancel(1);
  sink->AwaitEnd();
  EXPECT_TRUE(sink->cancelled());
  {
    MutexLock lock(mutex);
    go = true;
  }
  changed.NotifyAll();
  scheduler_.reset();  // the build reads what stands above
}

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

TEST_F(SchedulerTest, MaxTimeComesWhileTheSinkHasNoRoom) {
  Start();
  JobSpec spec = NumberJob(NumberModule(), 50);
  spec.limits.max_time = std::chrono::seconds(10);
  const SinkRef sink = Submit(std::move(spec), 5);
  sink->AwaitResults(5);
  clock_.AwaitWaiter(std::chrono::seconds(10));
  clock_.Advance(std::chrono::seconds(11));
  sink->AddRoom(20);
  Wake();
  sink->AwaitResults(25);
  EXPECT_FALSE(sink->overflowed());
  sink->AddRoom(25);
  Wake();
  sink->AwaitEnd();
  EXPECT_EQ(sink->Results()[49].end, End::kDeadline);
}

TEST_F(SchedulerTest, TheDeviceRestsBetweenBursts) {
  settings_.cpu.cooldown = std::chrono::milliseconds(1000);
  Start();
  const SinkRef sink = SubmitNumbers(3 * 64);
  for (uint64_t burst = 1; burst <= 2; ++burst) {
    clock_.AwaitWaiter(std::chrono::milliseconds(1000));
    EXPECT_EQ(cpu_.launches().size(), burst);
    EXPECT_EQ(scheduler_->Devices()[0].state, "cooling");
    clock_.Advance(std::chrono::milliseconds(1000));
    cpu_.AwaitLaunch(burst + 1);
  }
  ExpectNumbers(*sink, 3 * 64);
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

TEST_F(SchedulerTest, ALostEngineIsStartedAgainAndNobodyIsForgotten) {
  std::atomic<bool> die{true};
  cpu_.act = [&](const FakeLane& lane) {
    return lane.number == 100 && die.exchange(false) ? LaneAct::kKillEngine : LaneAct::kDone;
  };
  Start();
  const SinkRef sink = SubmitNumbers(300);
  clock_.AwaitWaiter(Backoff::kFirst);
  EXPECT_EQ(scheduler_->Devices()[0].state, "restarting");
  EXPECT_FALSE(scheduler_->Devices()[0].healthy);
  clock_.Advance(Backoff::kFirst);
  ExpectNumbers(*sink, 300);
  EXPECT_EQ(sink->Results()[100].attempt, 2u);
  EXPECT_EQ(sink->Results()[0].attempt, 1u);
  EXPECT_EQ(cpu_.starts(), 2u);
  EXPECT_TRUE(scheduler_->Devices()[0].healthy);
  EXPECT_EQ(scheduler_->Devices()[0].restarts, 1u);
}

// Moves time whenever a device waits to be started, until the test is over.
class Pusher {
 public:
  explicit Pusher(FakeClock& clock)
      : thread_([this, &clock] {
          while (!done_) {
            clock.Advance(std::chrono::milliseconds(50));
            std::this_thread::yield();
          }
        }) {}
  ~Pusher() {
    done_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> done_{false};
  std::thread thread_;
};

TEST_F(SchedulerTest, TheInstanceThatKillsEnginesFailsAlone) {
  cpu_.act = [](const FakeLane& lane) {
    return lane.number == 70 ? LaneAct::kKillEngine : LaneAct::kDone;
  };
  Start();
  const Pusher pusher(clock_);
  const SinkRef sink = SubmitNumbers(200);
  sink->AwaitEnd();
  EXPECT_TRUE(sink->status().ok());
  const auto results = sink->Results();
  ASSERT_EQ(results.size(), 200u);
  for (uint32_t i = 0; i < 200; ++i) {
    EXPECT_EQ(results[i].end, i == 70 ? End::kFailed : End::kReturned) << i;
  }
  EXPECT_EQ(results[70].attempt, 3u);
  EXPECT_FALSE(sink->usage().failures.empty());
}

TEST_F(SchedulerTest, NonsenseInARecordIsALostEngine) {
  std::atomic<bool> once{true};
  cpu_.act = [&](const FakeLane& lane) {
    return lane.number == 3 && once.exchange(false) ? LaneAct::kNonsense : LaneAct::kDone;
  };
  Start();
  const Pusher pusher(clock_);
  ExpectNumbers(*SubmitNumbers(20), 20);
  EXPECT_EQ(cpu_.starts(), 2u);
}

TEST_F(SchedulerTest, OtherJobsSuspendedInALostEngineAreNotBlamed) {
  std::atomic<bool> stay{true};
  cpu_.act = [&](const FakeLane& lane) {
    if (lane.number >= 1000) return LaneAct::kKillEngine;
    return stay ? LaneAct::kStay : LaneAct::kDone;
  };
  Start();
  const Pusher pusher(clock_);
  const SinkRef innocent = SubmitNumbers(20);
  cpu_.AwaitLaunch(1);
  JobSpec spec = NumberJob(NumberModule(), 1);
  spec.columns[0].start = Value::I32(1000);
  const SinkRef guilty = Submit(std::move(spec));
  guilty->AwaitEnd();
  EXPECT_EQ(guilty->Results()[0].end, End::kFailed);
  stay = false;
  ExpectNumbers(*innocent, 20);
}

TEST_F(SchedulerTest, AnEngineThatEndsWhileIdleIsStartedAgain) {
  Start();
  const Pusher pusher(clock_);
  ExpectNumbers(*SubmitNumbers(5), 5);
  cpu_.LoseCurrent();
  ExpectNumbers(*SubmitNumbers(5), 5);
  while (scheduler_->Devices()[0].restarts == 0) std::this_thread::yield();
  EXPECT_EQ(cpu_.starts(), 2u);
}

TEST_F(SchedulerTest, AnEngineThatDoesNotStartAnyMoreLeavesItsJobsToTheInterpreter) {
  std::atomic<bool> die{true};
  cpu_.act = [&](const FakeLane&) { return die ? LaneAct::kKillEngine : LaneAct::kDone; };
  Start();
  const Pusher pusher(clock_);
  cpu_.FailStarts(1000);
  const SinkRef sink = SubmitNumbers(20);
  ExpectNumbers(*sink, 20);
  EXPECT_EQ(sink->Results()[0].device, "interpreter0");
  EXPECT_EQ(sink->Results()[0].attempt, 2u);
  JobSpec pinned = NumberJob(NumberModule(), 1);
  pinned.placement = Placement::kCpu;
  const SinkRef insists = Submit(std::move(pinned));
  insists->AwaitEnd();
  EXPECT_EQ(insists->status().reason(), Reason::kDeviceLost);
}

TEST_F(SchedulerTest, TwoSubmittersOfOneModuleCompileOnce) {
  Mutex mutex;
  CondVar changed;
  bool go = false;
  cpu_.on_build = [&](const KernelSource&) -> Result<Bytes> {
    MutexLock lock(mutex);
    while (!go) changed.Wait(mutex);
    return Bytes{1};
  };
  Start();
  std::vector<SinkRef> sinks;
  for (int i = 0; i < 5; ++i) sinks.push_back(SubmitNumbers(3));
  for (const SinkRef& sink : sinks) {
    sink->AwaitProgress(
        [](const JobProgress& p) { return p.waiting_for.find("cpu0") != std::string::npos; });
  }
  {
    MutexLock lock(mutex);
    go = true;
  }
  changed.NotifyAll();
  for (const SinkRef& sink : sinks) ExpectNumbers(*sink, 3);
  EXPECT_EQ(cpu_.builds(), 1u);
  EXPECT_EQ(cpu_.loads(), 1u);
  const SinkRef later = SubmitNumbers(3);
  ExpectNumbers(*later, 3);
  EXPECT_TRUE(later->usage().pipeline_cached);
  EXPECT_EQ(cpu_.builds(), 1u);
}

TEST_F(SchedulerTest, ARestartedDaemonFindsThePipelineOnDisk) {
  Start();
  ExpectNumbers(*SubmitNumbers(3), 3);
  scheduler_.reset();
  Start();
  const SinkRef sink = SubmitNumbers(3);
  ExpectNumbers(*sink, 3);
  EXPECT_TRUE(sink->usage().pipeline_cached);
  EXPECT_EQ(cpu_.builds(), 1u);
  EXPECT_EQ(scheduler_->CacheStatus().hits, 1u);
  ASSERT_EQ(scheduler_->CacheList().size(), 1u);
  EXPECT_GT(scheduler_->CachePrune(true).value(), 0u);
}

TEST_F(SchedulerTest, AnotherTargetIsAnotherPipeline) {
  Start();
  ExpectNumbers(*SubmitNumbers(3), 3);
  scheduler_.reset();
  cpu_.target = "fake-2";
  Start();
  ExpectNumbers(*SubmitNumbers(3), 3);
  EXPECT_EQ(cpu_.builds(), 2u);
}

TEST_F(SchedulerTest, TheCacheDirectoryMayGoAtAnyTime) {
  Start();
  ExpectNumbers(*SubmitNumbers(3), 3);
  std::filesystem::remove_all(settings_.cache_directory);
  ExpectNumbers(*SubmitNumbers(3), 3);
  scheduler_.reset();
  Start();
  ExpectNumbers(*SubmitNumbers(3), 3);
  EXPECT_EQ(cpu_.builds(), 2u);
}

TEST_F(SchedulerTest, ABinaryThatDoesNotLoadIsBuiltAnew) {
  std::atomic<bool> bad{true};
  cpu_.on_load = [&](ByteView) {
    return bad.exchange(false) ? Status(Reason::kCompileFailed, "Bad binary.") : Status();
  };
  Start();
  const SinkRef sink = SubmitNumbers(3);
  ExpectNumbers(*sink, 3);
  EXPECT_EQ(cpu_.builds(), 2u);
  EXPECT_EQ(sink->Results()[0].device, "cpu0");
}

TEST_F(SchedulerTest, AFailedBuildGoesToTheInterpreterAndIsRemembered) {
  cpu_.on_build = [](const KernelSource&) -> Result<Bytes> {
    return Status(Reason::kCompileFailed, "The compiler crashed.");
  };
  Start();
  const SinkRef sink = SubmitNumbers(3);
  ExpectNumbers(*sink, 3);
  EXPECT_EQ(sink->Results()[0].device, "interpreter0");
  EXPECT_NE(sink->progress().placement_reason.find("The compiler crashed."), std::string::npos);
  ExpectNumbers(*SubmitNumbers(3), 3);
  EXPECT_EQ(cpu_.builds(), 1u);
  JobSpec pinned = NumberJob(NumberModule(), 1);
  pinned.placement = Placement::kCpu;
  const SinkRef insists = Submit(std::move(pinned));
  insists->AwaitEnd();
  EXPECT_EQ(insists->status().reason(), Reason::kCompileFailed);
}

TEST_F(SchedulerTest, ABuildThatKillsTheEngineTwiceGoesToTheInterpreter) {
  cpu_.on_build = [&](const KernelSource&) -> Result<Bytes> {
    cpu_.LoseCurrent();
    return Status(Reason::kDeviceLost, "It died.");
  };
  Start();
  const Pusher pusher(clock_);
  const SinkRef sink = SubmitNumbers(3);
  ExpectNumbers(*sink, 3);
  EXPECT_EQ(sink->Results()[0].device, "interpreter0");
  EXPECT_EQ(cpu_.builds(), 2u);
}

TEST_F(SchedulerTest, ALoadThatKillsTheEngineTwiceGoesToTheInterpreter) {
  cpu_.on_load = [](ByteView) { return Status(Reason::kDeviceLost, "It died."); };
  Start();
  const Pusher pusher(clock_);
  const SinkRef sink = SubmitNumbers(3);
  ExpectNumbers(*sink, 3);
  EXPECT_EQ(sink->Results()[0].device, "interpreter0");
  EXPECT_EQ(cpu_.loads(), 2u);
}

TEST_F(SchedulerTest, ARefusedModuleRunsOnTheInterpreterUnlessPinned) {
  Start(FakeCompiler(true));
  const SinkRef sink = SubmitNumbers(3);
  ExpectNumbers(*sink, 3);
  EXPECT_EQ(sink->Results()[0].device, "interpreter0");
  EXPECT_NE(sink->progress().placement_reason.find("The fake compiler refuses it."),
            std::string::npos);
  JobSpec pinned = NumberJob(NumberModule(), 1);
  pinned.placement = Placement::kCpu;
  const SinkRef insists = Submit(std::move(pinned));
  insists->AwaitEnd();
  EXPECT_EQ(insists->status().reason(), Reason::kWasmUnsupportedFeature);
}

TEST_F(SchedulerTest, ALoweringErrorEndsTheJob) {
  CompilerCalls compiler = FakeCompiler();
  compiler.lower = [](std::shared_ptr<const Module>) {
    return Result<std::shared_ptr<const LoweredModule>>(
        Status(Reason::kImportNotProvided, "No env.f here."));
  };
  Start(compiler);
  const SinkRef sink = SubmitNumbers(3);
  sink->AwaitEnd();
  EXPECT_EQ(sink->status().reason(), Reason::kImportNotProvided);
  EXPECT_FALSE(sink->cancelled());
}

TEST_F(SchedulerTest, AModuleIsLoweredOnce) {
  CompilerCalls compiler = FakeCompiler();
  std::atomic<int> lowered{0};
  compiler.lower = [&, lower = compiler.lower](std::shared_ptr<const Module> module) {
    ++lowered;
    return lower(std::move(module));
  };
  Start(compiler);
  const auto module = NumberModule();
  for (int i = 0; i < 3; ++i) ExpectNumbers(*Submit(NumberJob(module, 2)), 2);
  EXPECT_EQ(lowered.load(), 1);
}

TEST_F(SchedulerTest, SubmitRefusesWhatCannotRun) {
  settings_.max_queued_jobs = 2;
  cpu_.blocks_until_stop = true;
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
  scheduler_->Drain(std::chrono::nanoseconds(0));
  EXPECT_EQ(sink->ends(), 2u);
  EXPECT_EQ(submit(4, [](JobSpec&) {}), Reason::kDraining);
}

TEST_F(SchedulerTest, DrainLetsRunningJobsEnd) {
  cpu_.blocks_until_stop = true;
  Start();
  const SinkRef sink = SubmitNumbers(200);
  cpu_.AwaitLaunch(1);
  std::thread drainer([&] { scheduler_->Drain(std::chrono::hours(1)); });
  clock_.AwaitWaiter(std::chrono::hours(1));
  cpu_.ReleaseLaunches();
  drainer.join();
  ExpectNumbers(*sink, 200);
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

TEST_F(SchedulerTest, ADeviceWithLessMemoryThanItSaidGetsSmallerDispatches) {
  cpu_.on_allocate = [](const DispatchShape& shape) {
    return shape.lanes > 5 ? Status(Reason::kNoDeviceFits, "Too large.") : Status();
  };
  Start();
  ExpectNumbers(*SubmitNumbers(30), 30);
}

}  // namespace
}  // namespace wb::test
