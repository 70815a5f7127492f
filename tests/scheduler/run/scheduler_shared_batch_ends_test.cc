// Of jobs that share launches each ends by itself: cancelled, out of time, unread, out of memory,
// or lost with the engine.

#include <algorithm>
#include <atomic>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "tests/scheduler/run/shared_batch_fixture.h"

namespace wb::test {
namespace {

TEST_F(SharedBatchTest, ACancelEmptiesItsSeatsAloneAndOthersGoOn) {
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

TEST_F(SharedBatchTest, MaxTimeEndsOneAndShortensTheLaunch) {
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

TEST_F(SharedBatchTest, AReaderThatDoesNotReadHoldsItsOwnJobOnly) {
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

// A poisonous instance ends the engine three times. The instances beside it start again among those
// of their own job.
TEST_F(SharedBatchTest, AnInstanceThatKillsEnginesFailsAlone) {
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

TEST_F(SharedBatchTest, NonsenseInOneRecordLosesTheEngineForAll) {
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
TEST_F(SharedBatchTest, WhoNeedsMoreMemoryStartsAgainInADispatchOfItsOwn) {
  for (const LaneAct act : {LaneAct::kNeedsMemory, LaneAct::kWaits}) {
    held_ = true;
    // So little that a batch cannot reserve all for each.
    FakeEngine little(Engine::kCpu, uint64_t{64} << 20);
    little.act = [act](const FakeLane& lane) { return lane.number == 2000 ? act : LaneAct::kDone; };
    little.stay_fuel = uint64_t{1} << 29;
    little.wanted_pages = 2;
    little.adds_fuel = true;
    little.on_load = cpu_.on_load;
    StartOn(little);
    const auto sinks = SubmitSmall(8, 1);
    for (uint32_t job = 0; job < 8; ++job) ExpectJob(*sinks[job], job, 1);
    EXPECT_EQ(sinks[2]->Results()[0].attempt, 1u);
    EXPECT_EQ(sinks[2]->Results()[0].fuel, 7u);
    EXPECT_EQ(little.launches().size(), 3u);
    scheduler_.reset();
  }
}

TEST_F(SharedBatchTest, AClosedDeviceGivesThemBackAndTheyEndElsewhere) {
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

// Whatever lanes do, readers read, clients cancel and engines die: every instance exactly once.
TEST_F(SharedBatchTest, RandomJobsEachInstanceOnce) {
  for (const uint32_t seed : {1, 2, 3, 4, 5, 6, 7, 8}) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    int deaths = 2;  // an instance that is blamed three times fails
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
    StartOn(engine);
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

}  // namespace
}  // namespace wb::test
