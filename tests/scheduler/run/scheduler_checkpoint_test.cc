// Jobs whose instances leave the scheduler with their states, and go on in another job.

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/scheduler/real_parts.h"
#include "tests/scheduler/run/given_states.h"
#include "tests/scheduler/run/shared_batch_fixture.h"

namespace wb::test {
namespace {

constexpr uint64_t kOfJob = 16;
constexpr uint64_t kStayed = 100'000;  // fuel of one launch

class CheckpointTest : public SchedulerTest {
 protected:
  CheckpointTest() {
    cpu_.act = [this](const FakeLane&) { return stay_ ? LaneAct::kStay : LaneAct::kDone; };
    cpu_.stay_fuel = kStayed;
    cpu_.adds_fuel = true;
  }
  Status Checkpoint(JobId id = 1) { return scheduler_->Checkpoint(id, keeper_); }
  SinkRef GoOn() {
    JobSpec spec = NumberJob(NumberModule(), kOfJob);
    spec.before = keeper_->Before();
    return Submit(std::move(spec));
  }

  std::atomic<bool> stay_{true};
  const std::shared_ptr<RecordingKeeper> keeper_ = std::make_shared<RecordingKeeper>();
};

TEST_F(CheckpointTest, WhoIsMidwayGoesOnInAnotherJob) {
  cpu_.blocks_until_stop = true;
  Start();
  const SinkRef first = SubmitNumbers(kOfJob);
  cpu_.AwaitLaunch(1);
  ASSERT_TRUE(Checkpoint().ok());
  first->AwaitEnd();
  EXPECT_TRUE(first->cancelled());
  EXPECT_TRUE(first->Results().empty());
  EXPECT_EQ(first->reserved(), 0u);
  ASSERT_EQ(keeper_->count(), kOfJob);
  EXPECT_EQ(keeper_->fuel(), kOfJob * kStayed);
  stay_ = false;
  cpu_.ReleaseLaunches();
  const SinkRef second = GoOn();
  ExpectNumbers(*second, kOfJob);
  for (const InstanceResult& result : second->Results()) {
    EXPECT_EQ(result.fuel, kStayed + cpu_.done_fuel);
    EXPECT_EQ(result.attempt, 1u);
  }
}

TEST_F(CheckpointTest, AJobThatWaitsHasNoStates) {
  cpu_.blocks_until_stop = true;
  settings_.tenants.others.max_running_jobs = 1;
  Start();
  const SinkRef running = SubmitNumbers(kOfJob);
  cpu_.AwaitLaunch(1);
  const SinkRef waiting = SubmitNumbers(kOfJob);
  ASSERT_TRUE(Checkpoint(2).ok());
  waiting->AwaitEnd();
  EXPECT_TRUE(waiting->cancelled());
  EXPECT_EQ(keeper_->count(), 0u);
  stay_ = false;
  cpu_.ReleaseLaunches();
  ExpectNumbers(*running, kOfJob);
}

TEST_F(CheckpointTest, AKeeperThatKeepsNothingEndsTheJobLikewise) {
  cpu_.blocks_until_stop = true;
  keeper_->is_full = true;
  Start();
  const SinkRef first = SubmitNumbers(kOfJob);
  cpu_.AwaitLaunch(1);
  ASSERT_TRUE(Checkpoint().ok());
  first->AwaitEnd();
  EXPECT_TRUE(first->cancelled());
  EXPECT_EQ(keeper_->count(), 0u);
}

TEST_F(CheckpointTest, ADeviceThatDiesMeanwhileTakesTheStatesWithIt) {
  cpu_.blocks_until_stop = true;
  cpu_.on_export_lanes = [](uint32_t) { return Status(Reason::kDeviceLost, "It died."); };
  Start();
  const Pusher pusher(clock_);
  const SinkRef first = SubmitNumbers(kOfJob);
  cpu_.AwaitLaunch(1);
  ASSERT_TRUE(Checkpoint().ok());
  first->AwaitEnd();
  EXPECT_TRUE(first->cancelled());
  EXPECT_EQ(keeper_->count(), 0u);
}

TEST_F(CheckpointTest, AJobThatIsNotKnownHasNoCheckpoint) {
  stay_ = false;
  Start();
  ExpectNumbers(*SubmitNumbers(kOfJob), kOfJob);
  EXPECT_EQ(Checkpoint(77).reason(), Reason::kNotFound);
}

// Of jobs that share launches one leaves.
TEST_F(SharedBatchTest, ACheckpointTakesItsOwnStatesAndOthersGoOn) {
  std::atomic<bool> done{false};
  cpu_.act = [&](const FakeLane&) { return done ? LaneAct::kDone : LaneAct::kStay; };
  cpu_.stay_fuel = kStayed;
  Start();
  const auto keeper = std::make_shared<RecordingKeeper>();
  const auto sinks = SubmitSmall(6, 2);
  cpu_.AwaitLaunch(4);
  ASSERT_TRUE(scheduler_->Checkpoint(3, keeper).ok());
  sinks[2]->AwaitEnd();
  EXPECT_TRUE(sinks[2]->cancelled());
  EXPECT_EQ(keeper->count(), 2u);
  EXPECT_GE(keeper->fuel(), 2 * kStayed);
  done = true;
  for (const uint32_t job : {0, 1, 3, 4, 5}) ExpectJob(*sinks[job], job, 2);
}

// Through two pages, for some time.
std::shared_ptr<const Module> LongWork(uint32_t rounds) {
  std::string text = R"((module (memory 2)
    (func $deep (param $n i32) (result i32)
      (if (result i32) (i32.eqz (local.get $n)) (then (i32.const 1))
        (else (i32.add (i32.const 1) (call $deep (i32.sub (local.get $n) (i32.const 1)))))))
    (func (export "run") (param $n i32) (result i32) (local $i i32)
      (loop $l
        (i32.store (i32.and (i32.mul (local.get $i) (i32.const 20)) (i32.const 0x1fffc))
          (i32.add (call $deep (i32.and (local.get $i) (i32.const 15)))
            (i32.load (i32.and (i32.mul (local.get $i) (i32.const 36)) (i32.const 0x1fffc)))))
        (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                            (i32.const ROUNDS))))
      (i32.add (local.get $n) (i32.load (i32.const 4096))))))";
  text.replace(text.find("ROUNDS"), 6, std::to_string(rounds));
  return ModuleOf(text);
}

class RealCheckpointTest : public SchedulerTest {
 protected:
  RealCheckpointTest() { settings_.cpu.slice_fuel = settings_.interpreter.slice_fuel = 200'000; }
  void StartReal() { scheduler_ = AssembleScheduler(settings_, RealParts()).value(); }
  void StartHosts() {
    settings_.engine_host_path = WB_ENGINE_HOST;
    scheduler_ = CreateScheduler(settings_).value();
  }
  void ExpectGoesOn(Placement from, Placement to);
};

// With more to do until it is caught midway.
void RealCheckpointTest::ExpectGoesOn(Placement from, Placement to) {
  for (uint32_t rounds = 20'000;; rounds *= 2) {
    JobSpec spec = NumberJob(LongWork(rounds), kOfJob);
    spec.placement = from;
    const auto keeper = std::make_shared<RecordingKeeper>();
    const JobId id = next_id_;
    const SinkRef first = Submit(spec);
    first->AwaitProgress([](const JobProgress& progress) {
      return progress.usage.fuel > 0 || progress.phase == JobPhase::kEnded;
    });
    (void)scheduler_->Checkpoint(id, keeper);
    first->AwaitEnd();
    if (keeper->count() == 0) continue;
    ASSERT_TRUE(first->cancelled());
    spec.placement = to;
    const SinkRef plain = Submit(spec);
    spec.before = keeper->Before();
    const SinkRef second = Submit(std::move(spec));
    second->AwaitEnd();
    plain->AwaitEnd();
    std::vector<InstanceResult> results = first->Results();
    for (InstanceResult& result : second->Results()) results.push_back(std::move(result));
    ASSERT_EQ(results.size(), kOfJob);
    const std::vector<InstanceResult> undisturbed = plain->Results();
    for (const InstanceResult& result : results) {
      const InstanceResult& wanted = undisturbed[result.instance];
      EXPECT_EQ(result.fuel, wanted.fuel);
      EXPECT_EQ(result.attempt, 1u);
      EXPECT_EQ(result.steps[0].values[0], wanted.steps[0].values[0]);
    }
    EXPECT_EQ(second->usage().fuel, plain->usage().fuel);
    EXPECT_EQ(second->usage().lost_states, 0u);
    return;
  }
}

TEST_F(RealCheckpointTest, OfTheProcessorOnTheInterpreter) {
  StartReal();
  ExpectGoesOn(Placement::kCpu, Placement::kInterpreter);
}

TEST_F(RealCheckpointTest, OfTheInterpreterOnTheProcessor) {
  StartReal();
  ExpectGoesOn(Placement::kInterpreter, Placement::kCpu);
}

TEST_F(RealCheckpointTest, BetweenEngineHosts) {
  StartHosts();
  ExpectGoesOn(Placement::kCpu, Placement::kInterpreter);
}

}  // namespace
}  // namespace wb::test
