// Small jobs of one module share launches.

#include <algorithm>
#include <atomic>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

// Job number k counts from 1000 k, so a lane's number says whose instance it is.
class CoachTest : public SchedulerTest {
 protected:
  CoachTest() {
    cpu_.on_load = [this](ByteView) {
      while (held_) std::this_thread::yield();
      return Status();
    };
  }
  ~CoachTest() override { held_ = false; }

  static JobSpec Small(uint32_t number, uint64_t instances) {
    JobSpec spec = NumberJob(NumberModule(), instances);
    spec.columns[0].start = Value::I32(number * 1000);
    return spec;
  }
  // The first has its turn, alone, when all others have come.
  std::vector<SinkRef> SubmitTogether(std::vector<JobSpec> specs) {
    std::vector<SinkRef> sinks;
    for (JobSpec& spec : specs) {
      sinks.push_back(Submit(std::move(spec)));
      while (device_->loads() == 0) std::this_thread::yield();
    }
    Release(specs.size());
    return sinks;
  }
  void Release(uint64_t jobs) {
    while (scheduler_->Devices()[0].jobs < jobs) std::this_thread::yield();
    held_ = false;
  }
  std::vector<SinkRef> SubmitSmall(uint32_t jobs, uint64_t instances) {
    std::vector<JobSpec> specs;
    for (uint32_t job = 0; job < jobs; ++job) specs.push_back(Small(job, instances));
    return SubmitTogether(std::move(specs));
  }
  static void ExpectJob(RecordingSink& sink, uint32_t number, uint64_t instances) {
    sink.AwaitEnd();
    EXPECT_TRUE(sink.status().ok()) << sink.status().ToString();
    const auto results = sink.Results();
    ASSERT_EQ(results.size(), instances);
    for (uint32_t i = 0; i < instances; ++i) {
      ASSERT_EQ(results[i].instance, i);
      ASSERT_EQ(results[i].end, End::kReturned);
      ASSERT_EQ(results[i].steps.at(0).values.at(0), Value::I32(number * 1000 + i + 1));
    }
    EXPECT_EQ(sink.ends(), 1u);
    EXPECT_FALSE(sink.overflowed());
  }
  static std::chrono::nanoseconds TimeOf(const std::vector<SinkRef>& sinks) {
    std::chrono::nanoseconds time{};
    for (const SinkRef& sink : sinks) time += sink->usage().device_time;
    return time;
  }

  std::atomic<bool> held_{true};
  FakeEngine* device_ = &cpu_;
};

TEST_F(CoachTest, JobsOfOneInstanceShareALaunch) {
  Start();
  const auto sinks = SubmitSmall(60, 1);
  for (uint32_t job = 0; job < 60; ++job) ExpectJob(*sinks[job], job, 1);
  EXPECT_EQ(cpu_.launches().size(), 2u) << "the first was alone when its launch began";
  EXPECT_EQ(cpu_.launches()[1].taken, 59u);
  EXPECT_EQ(sinks[1]->usage().bursts, 1u);
  EXPECT_EQ(sinks[1]->usage().fuel, 7u);
}

TEST_F(CoachTest, EachHasLaunchesOfItsOwnWhereTheDeviceDoesNotShare) {
  settings_.cpu.shares_launches = false;
  Start();
  const auto sinks = SubmitSmall(60, 1);
  for (uint32_t job = 0; job < 60; ++job) ExpectJob(*sinks[job], job, 1);
  EXPECT_EQ(cpu_.launches().size(), 60u);
}

TEST_F(CoachTest, ManyJobsOfAFewInstancesFillEveryLaunch) {
  Start();
  const auto sinks = SubmitSmall(100, 5);
  for (uint32_t job = 0; job < 100; ++job) ExpectJob(*sinks[job], job, 5);
  EXPECT_LE(cpu_.launches().size(), 500u / 64 + 3);
}

TEST_F(CoachTest, TheLaunchIsPaidByTheSeatsInIt) {
  cpu_.busy = std::chrono::milliseconds(30);
  Start();
  const auto sinks = SubmitTogether({Small(0, 1), Small(1, 1), Small(2, 2), Small(3, 3)});
  for (uint32_t job = 0; job < 4; ++job) ExpectJob(*sinks[job], job, std::max(job, 1u));
  ASSERT_EQ(cpu_.launches().size(), 2u);
  EXPECT_EQ(sinks[1]->usage().device_time, std::chrono::milliseconds(5));
  EXPECT_EQ(sinks[2]->usage().device_time, std::chrono::milliseconds(10));
  EXPECT_EQ(sinks[3]->usage().device_time, std::chrono::milliseconds(15));
  EXPECT_EQ(TimeOf(sinks), scheduler_->Devices()[0].busy);
}

TEST_F(CoachTest, WhatDiffersInADispatchKeepsJobsApart) {
  Start();
  std::vector<JobSpec> specs;
  for (uint32_t job = 0; job < 6; ++job) specs.push_back(Small(job, 1));
  specs[1].limits.max_fuel = 1000;
  specs[2].limits.max_memory_bytes = 1 << 20;
  specs[3].limits.max_stack = 100;
  specs[4].limits.max_total_fuel = 1000;
  specs[5].steps.push_back(specs[5].steps[0]);
  const auto sinks = SubmitTogether(std::move(specs));
  for (const SinkRef& sink : sinks) sink->AwaitEnd();
  EXPECT_EQ(cpu_.launches().size(), 6u);
  for (const FakeLaunch& launch : cpu_.launches()) EXPECT_EQ(launch.taken, 1u);
}

TEST_F(CoachTest, TenantsAndPrioritiesMayDiffer) {
  Start();
  std::vector<JobSpec> specs;
  for (uint32_t job = 0; job < 20; ++job) {
    specs.push_back(Small(job, 1));
    specs.back().tenant = "tenant" + std::to_string(job % 3);
    specs.back().priority = static_cast<int32_t>(job % 5);
  }
  const auto sinks = SubmitTogether(std::move(specs));
  for (uint32_t job = 0; job < 20; ++job) ExpectJob(*sinks[job], job, 1);
  EXPECT_EQ(cpu_.launches().size(), 2u);
}

TEST_F(CoachTest, AJobThatFillsTheDeviceKeepsItsOwnDispatches) {
  Start();
  const auto sinks = SubmitTogether({Small(0, 1), Small(1, 40), Small(2, 1), Small(3, 1)});
  ExpectJob(*sinks[0], 0, 1);
  ExpectJob(*sinks[1], 1, 40);
  ExpectJob(*sinks[2], 2, 1);
  ExpectJob(*sinks[3], 3, 1);
  std::vector<uint32_t> taken;
  for (const FakeLaunch& launch : cpu_.launches()) taken.push_back(launch.taken);
  EXPECT_EQ(std::count(taken.begin(), taken.end(), 40u), 1);
  EXPECT_EQ(std::count(taken.begin(), taken.end(), 2u), 1);
}

// Two lanes run at a time here: as soon as two are under way, others go in another dispatch.
TEST_F(CoachTest, NobodySitsBehindInstancesThatTakeLong) {
  std::atomic<bool> done{false};
  cpu_.act = [&](const FakeLane& lane) {
    if (lane.number >= 10'000) return LaneAct::kDone;
    if (lane.number >= 3000) return LaneAct::kQueued;
    return done ? LaneAct::kDone : LaneAct::kStay;
  };
  Start();
  std::vector<JobSpec> specs;
  for (uint32_t job = 0; job < 5; ++job) specs.push_back(Small(job, 1));
  for (uint32_t job = 10; job < 30; ++job) specs.push_back(Small(job, 1));
  const auto sinks = SubmitTogether(std::move(specs));
  for (uint32_t i = 5; i < 25; ++i) ExpectJob(*sinks[i], i + 5, 1);
  EXPECT_EQ(sinks[0]->ends() + sinks[1]->ends() + sinks[2]->ends(), 0u);
  for (const JobId id : {4, 5}) scheduler_->Cancel(id);  // of whom no lane was ever begun
  done = true;
  for (uint32_t job = 0; job < 3; ++job) ExpectJob(*sinks[job], job, 1);
  for (uint32_t job = 3; job < 5; ++job) {
    sinks[job]->AwaitEnd();
    EXPECT_TRUE(sinks[job]->cancelled());
    EXPECT_TRUE(sinks[job]->Results().empty());
  }
}

TEST_F(CoachTest, LaunchesWithNewcomersAreShortAndGrowWithoutThem) {
  std::atomic<int> left{40};
  cpu_.act = [&](const FakeLane&) { return --left > 0 ? LaneAct::kStay : LaneAct::kDone; };
  Start();
  const auto sinks = SubmitSmall(3, 1);
  for (uint32_t job = 0; job < 3; ++job) ExpectJob(*sinks[job], job, 1);
  std::vector<std::chrono::nanoseconds> shared;
  for (const FakeLaunch& launch : cpu_.launches()) {
    if (launch.lanes > 1) shared.push_back(launch.max_duration);
  }
  ASSERT_GE(shared.size(), 8u);
  EXPECT_EQ(shared[0], std::chrono::milliseconds(10));
  EXPECT_EQ(shared[1], std::chrono::milliseconds(20));
  EXPECT_EQ(shared[7], std::chrono::milliseconds(500));
}

TEST_F(CoachTest, ACancelEmptiesItsSeatsAloneAndOthersGoOn) {
  std::atomic<bool> done{false};
  cpu_.act = [&](const FakeLane&) { return done ? LaneAct::kDone : LaneAct::kStay; };
  Start();
  const auto sinks = SubmitSmall(6, 2);
  cpu_.AwaitLaunch(4);
  scheduler_->Cancel(3);
  scheduler_->Cancel(5);
  for (const uint32_t job : {2, 4}) {
    sinks[job]->AwaitEnd();
    EXPECT_TRUE(sinks[job]->cancelled());
    EXPECT_TRUE(sinks[job]->Results().empty());
  }
  done = true;
  for (const uint32_t job : {0, 1, 3, 5}) ExpectJob(*sinks[job], job, 2);
  EXPECT_EQ(sinks[1]->Results()[0].attempt, 1u);
}

TEST_F(CoachTest, MaxTimeEndsOneAndShortensTheLaunch) {
  std::atomic<bool> done{false};
  cpu_.act = [&](const FakeLane&) { return done ? LaneAct::kDone : LaneAct::kStay; };
  Start();
  std::vector<JobSpec> specs;
  for (uint32_t job = 0; job < 4; ++job) specs.push_back(Small(job, 1));
  specs[2].limits.max_time = std::chrono::milliseconds(7);
  const auto sinks = SubmitTogether(std::move(specs));
  cpu_.AwaitLaunch(4);
  clock_.Advance(std::chrono::milliseconds(8));
  sinks[2]->AwaitEnd();
  ASSERT_EQ(sinks[2]->Results().size(), 1u);
  EXPECT_EQ(sinks[2]->Results()[0].end, End::kDeadline);
  const auto launches = cpu_.launches();
  const auto shared = std::find_if(launches.begin(), launches.end(),
                                   [](const FakeLaunch& launch) { return launch.lanes > 1; });
  EXPECT_EQ(shared->max_duration, std::chrono::milliseconds(7));
  done = true;
  for (const uint32_t job : {0, 1, 3}) ExpectJob(*sinks[job], job, 1);
}

TEST_F(CoachTest, AReaderThatDoesNotReadHoldsItsOwnJobOnly) {
  Start();
  std::vector<SinkRef> sinks;
  for (uint32_t job = 0; job < 10; ++job) sinks.push_back(Submit(Small(job, 5), job == 3 ? 2 : 5));
  Release(10);
  for (uint32_t job = 0; job < 10; ++job) {
    if (job != 3) ExpectJob(*sinks[job], job, 5);
  }
  sinks[3]->AwaitResults(2);
  EXPECT_EQ(sinks[3]->ends(), 0u);
  sinks[3]->AddRoom(3);
  scheduler_->RoomChanged(4);
  ExpectJob(*sinks[3], 3, 5);
}

// A poisonous instance ends the engine three times; who sat with it starts again among its own.
TEST_F(CoachTest, AnInstanceThatKillsEnginesFailsAlone) {
  cpu_.act = [](const FakeLane& lane) {
    return lane.number == 7001 ? LaneAct::kKillEngine : LaneAct::kDone;
  };
  Start();
  const Pusher pusher(clock_);
  const auto sinks = SubmitSmall(20, 3);
  for (uint32_t job = 0; job < 20; ++job) {
    if (job == 7) continue;
    ExpectJob(*sinks[job], job, 3);
    for (const InstanceResult& result : sinks[job]->Results()) EXPECT_LE(result.attempt, 2u);
  }
  sinks[7]->AwaitEnd();
  const auto results = sinks[7]->Results();
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0].end, End::kReturned);
  EXPECT_EQ(results[1].end, End::kFailed);
  EXPECT_EQ(results[1].attempt, 3u);
  EXPECT_EQ(results[2].end, End::kReturned);
  EXPECT_FALSE(sinks[7]->usage().failures.empty());
  EXPECT_EQ(cpu_.starts(), 4u);
}

TEST_F(CoachTest, NonsenseInOneRecordLosesTheEngineForAll) {
  std::atomic<bool> once{true};
  cpu_.act = [&](const FakeLane& lane) {
    return lane.number == 3000 && once.exchange(false) ? LaneAct::kNonsense : LaneAct::kDone;
  };
  Start();
  const Pusher pusher(clock_);
  const auto sinks = SubmitSmall(8, 1);
  for (uint32_t job = 0; job < 8; ++job) ExpectJob(*sinks[job], job, 1);
  EXPECT_EQ(cpu_.starts(), 2u);
  EXPECT_EQ(sinks[2]->Results()[0].attempt, 1u) << "its result was taken before";
  EXPECT_EQ(sinks[3]->Results()[0].attempt, 2u);
}

// Whether it did from the start or waits for it midway.
TEST_F(CoachTest, WhoNeedsMoreMemoryStartsAgainInADispatchOfItsOwn) {
  for (const LaneAct act : {LaneAct::kNeedsMemory, LaneAct::kWaits}) {
    held_ = true;
    // So little that a coach cannot reserve all for each.
    FakeEngine little(Engine::kCpu, uint64_t{64} << 20);
    little.act = [act](const FakeLane& lane) { return lane.number == 2000 ? act : LaneAct::kDone; };
    little.stay_fuel = uint64_t{1} << 29;
    little.wanted_pages = 2;
    little.adds_fuel = true;
    little.on_load = cpu_.on_load;
    device_ = &little;
    SchedulerParts parts;
    parts.cpu = little.Starter();
    parts.interpreter = interpreter_.Starter();
    parts.compiler = FakeCompiler();
    parts.clock = &clock_;
    scheduler_ = AssembleScheduler(settings_, std::move(parts)).value();
    const auto sinks = SubmitSmall(8, 1);
    for (uint32_t job = 0; job < 8; ++job) ExpectJob(*sinks[job], job, 1);
    EXPECT_EQ(sinks[2]->Results()[0].attempt, 1u);
    EXPECT_EQ(sinks[2]->Results()[0].fuel, 7u);
    EXPECT_EQ(little.launches().size(), 3u);
    scheduler_.reset();
  }
}

TEST_F(CoachTest, TwoLaunchesAtATimeAndQueuesOfSeats) {
  cpu_.launches_at_once = 2;
  cpu_.seats_per_lane = 8;
  Start();
  const auto sinks = SubmitSmall(150, 3);
  for (uint32_t job = 0; job < 150; ++job) ExpectJob(*sinks[job], job, 3);
  EXPECT_LE(cpu_.launches().size(), 450u / 32 + 4);
}

TEST_F(CoachTest, LongInstancesDoNotHoldLanesThatNobodyUses) {
  std::atomic<bool> done{false};
  cpu_.act = [&](const FakeLane&) { return done ? LaneAct::kDone : LaneAct::kStay; };
  std::atomic<int> spacious{0};
  std::atomic<int> coaches{0};
  cpu_.on_allocate = [&](const DispatchShape& shape) {
    if (shape.lanes > 2) ++spacious;
    if (shape.lanes == 2) ++coaches;
    return Status();
  };
  Start();
  std::vector<SinkRef> sinks;
  for (uint32_t job = 0; job < 40; ++job) {
    sinks.push_back(Submit(Small(job, 1)));
    Release(job + 1);
    cpu_.AwaitLaunch(cpu_.launches().size() + 4);
  }
  EXPECT_LE(spacious.load(), 3);
  EXPECT_GE(coaches.load(), 10);
  done = true;
  for (uint32_t job = 0; job < 40; ++job) ExpectJob(*sinks[job], job, 1);
}

// Whatever lanes do, readers read, clients cancel and engines die: every instance exactly once.
TEST_F(CoachTest, RandomJobsEachInstanceOnce) {
  for (const uint32_t seed : {1, 2, 3, 4, 5, 6, 7, 8}) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    int deaths = 2;  // who is blamed three times fails
    FakeEngine engine(Engine::kCpu);
    engine.launches_at_once = 1 + seed % 2;
    engine.threads = 1 + seed % 3;
    engine.act = [&](const FakeLane&) {
      const uint32_t draw = random() % 1000;
      if (draw == 0 && deaths-- > 0) return LaneAct::kKillEngine;
      if (draw < 300) return LaneAct::kStay;
      if (draw < 500) return LaneAct::kQueued;
      return draw < 520 ? LaneAct::kNeedsMemory : draw < 540 ? LaneAct::kWaits : LaneAct::kDone;
    };
    engine.wanted_pages = 2;
    engine.stay_fuel = seed % 2 * 1'000'000;
    SchedulerParts parts;
    parts.cpu = engine.Starter();
    parts.interpreter = interpreter_.Starter();
    parts.compiler = FakeCompiler();
    parts.clock = &clock_;
    scheduler_ = AssembleScheduler(settings_, std::move(parts)).value();
    const Pusher pusher(clock_);
    std::mt19937 choice(seed + 100);
    std::vector<std::pair<SinkRef, uint64_t>> jobs;
    for (uint32_t job = 0; job < 120; ++job) {
      const uint64_t instances = 1 + choice() % 12;
      jobs.emplace_back(Submit(Small(job, instances), 1 + choice() % 12), instances);
      if (choice() % 10 == 0) scheduler_->Cancel(next_id_ - 1 - choice() % 3);
    }
    for (auto& [sink, instances] : jobs) sink->AddRoom(instances);
    for (JobId id = next_id_ - 120; id < next_id_; ++id) scheduler_->RoomChanged(id);
    for (uint32_t job = 0; job < 120; ++job) {
      auto& [sink, instances] = jobs[job];
      sink->AwaitEnd();
      if (!sink->cancelled()) ExpectJob(*sink, job, instances);
      std::set<uint64_t> seen;
      for (const auto& result : sink->Results()) EXPECT_TRUE(seen.insert(result.instance).second);
    }
    scheduler_.reset();
  }
}

TEST_F(CoachTest, AClosedDeviceGivesThemBackAndTheyEndElsewhere) {
  cpu_.act = [](const FakeLane&) { return LaneAct::kStay; };
  Start();
  const auto sinks = SubmitSmall(6, 2);
  cpu_.AwaitLaunch(5);
  GateOrder order;
  order.gate = Gate::kDraining;
  order.deadline = std::chrono::nanoseconds(0);
  EXPECT_TRUE(scheduler_->OrderGate("cpu0", order).ok());
  for (uint32_t job = 0; job < 6; ++job) {
    ExpectJob(*sinks[job], job, 2);
    EXPECT_EQ(sinks[job]->Results()[0].device, "interpreter0");
    EXPECT_EQ(sinks[job]->Results()[0].attempt, 1u);
  }
}

}  // namespace
}  // namespace wb::test
