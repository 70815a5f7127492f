// Jobs of which instances begin in states that somebody kept.

#include <algorithm>
#include <atomic>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "scheduler/devices/cpu/cpu_device.h"
#include "tests/scheduler/real_interpreter.h"
#include "tests/scheduler/run/given_states.h"
#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

constexpr uint64_t kInAll = 16;
constexpr uint64_t kGiven = 6;  // instances 2, 4, 6, ...
constexpr uint64_t kUsed = 1000;

class GivenStatesTest : public SchedulerTest {
 protected:
  GivenStatesTest() { cpu_.adds_fuel = true; }

  SinkRef SubmitGiven(bool must_keep, const StateNeeds& needs = {1},
                      JobSpec spec = NumberJob(NumberModule(), kInAll)) {
    auto before = std::make_shared<JobBefore>();
    before->attempt = 1;
    before->must_keep_states = must_keep;
    for (uint64_t i = 1; i <= kGiven; ++i) {
      states_.push_back(FakeState(spec, kUsed, needs));
      states_.back()->is_gone = first_is_gone_ && i == 1;
      before->midway.push_back({2 * i, 3, states_.back()});
    }
    spec.before = std::move(before);
    return Submit(std::move(spec));
  }
  static bool IsGiven(const InstanceResult& result) {
    return result.instance != 0 && result.instance % 2 == 0 && result.instance <= 2 * kGiven;
  }
  // Each has ended once, those that were given a state with this fuel and attempt.
  void ExpectGiven(RecordingSink& sink, uint64_t fuel, uint32_t attempt) {
    ExpectNumbers(sink, kInAll);
    for (const InstanceResult& result : sink.Results()) {
      EXPECT_EQ(result.fuel, IsGiven(result) ? fuel : cpu_.done_fuel) << result.instance;
      if (IsGiven(result)) {
        EXPECT_EQ(result.attempt, attempt);
      }
    }
  }

  std::vector<std::shared_ptr<CountedState>> states_;
  bool first_is_gone_ = false;
};

TEST_F(GivenStatesTest, TheyGoOnWithFuelAndAttempt) {
  Start();
  const SinkRef sink = SubmitGiven(false);
  ExpectGiven(*sink, kUsed + cpu_.done_fuel, 3);
  EXPECT_EQ(cpu_.import_lanes(), kGiven);
  EXPECT_EQ(sink->usage().fuel, kGiven * kUsed + kInAll * cpu_.done_fuel);
  EXPECT_EQ(sink->usage().lost_states, 0u);
  for (const DeviceStatus& status : scheduler_->Devices()) {
    EXPECT_LE(status.fuel, kInAll * cpu_.done_fuel) << "what was used before is of no device";
  }
  for (const auto& state : states_) EXPECT_EQ(state->reads, 1u);
}

TEST_F(GivenStatesTest, TheirDispatchHasRoomForThem) {
  Start();
  ExpectGiven(*SubmitGiven(false, {40, 0, 5000}), kUsed + cpu_.done_fuel, 3);
  bool roomy = false;
  for (const FakeLaunch& launch : cpu_.launches()) {
    roomy = roomy || (launch.capacity_pages >= 40 && launch.taken == kGiven);
  }
  EXPECT_TRUE(roomy);
}

TEST_F(GivenStatesTest, WhatDoesNotFitBeginsAtItsStartAndIsCounted) {
  cpu_.on_import_lanes = [](const LaneImage&) { return Status(Reason::kInvalidArgument, "No."); };
  Start();
  const SinkRef sink = SubmitGiven(false);
  ExpectGiven(*sink, cpu_.done_fuel, 3);
  EXPECT_EQ(sink->usage().lost_states, kGiven);
  EXPECT_EQ(sink->usage().fuel, kInAll * cpu_.done_fuel);
}

TEST_F(GivenStatesTest, AStateThatIsGoneMeansTheStart) {
  first_is_gone_ = true;
  Start();
  const SinkRef sink = SubmitGiven(false);
  ExpectNumbers(*sink, kInAll);
  EXPECT_EQ(sink->usage().lost_states, 1u);
  EXPECT_EQ(sink->Results()[2].fuel, cpu_.done_fuel);
  EXPECT_EQ(sink->Results()[4].fuel, kUsed + cpu_.done_fuel);
}

TEST_F(GivenStatesTest, AfterADeathTheyStartAgainUnlessTheyMustKeepTheirStates) {
  for (const bool must_keep : {false, true}) {
    std::atomic<bool> killed{false};
    states_.clear();
    cpu_.act = [&killed](const FakeLane& lane) {
      if (lane.number == 2 && !killed.exchange(true)) return LaneAct::kKillEngine;
      return LaneAct::kDone;
    };
    if (scheduler_ == nullptr) Start();
    const Pusher pusher(clock_);
    const SinkRef sink = SubmitGiven(must_keep);
    ExpectNumbers(*sink, kInAll);
    const InstanceResult blamed = sink->Results()[2];
    EXPECT_EQ(blamed.attempt, 4u);
    EXPECT_EQ(blamed.fuel, (must_keep ? kUsed : 0) + cpu_.done_fuel);
    EXPECT_EQ(states_[0]->reads, must_keep ? 2u : 1u);
  }
}

TEST_F(GivenStatesTest, WhoMustKeepAStateWaitsForADispatchThatTakesItIn) {
  std::atomic<uint32_t> asked{0};
  cpu_.on_import_lanes = [&asked](const LaneImage&) {
    return ++asked <= kGiven ? Status(Reason::kInvalidArgument, "It is too large.") : Status();
  };
  Start();
  JobSpec spec = NumberJob(ModuleOf(R"((module (memory 1 8192)
    (func (export "run") (param i32) (result i32) (local.get 0))))"),
                           kInAll);
  spec.limits.max_memory_bytes = uint64_t{512} << 20;
  const SinkRef sink = SubmitGiven(true, {1}, std::move(spec));
  ExpectGiven(*sink, kUsed + cpu_.done_fuel, 3);
  uint32_t least = ~0u;
  uint32_t most = 0;
  for (const FakeLaunch& launch : cpu_.launches()) {
    least = std::min(least, launch.capacity_pages);
    most = std::max(most, launch.capacity_pages);
  }
  EXPECT_LT(least, 8192u);
  EXPECT_EQ(most, 8192u);
}

TEST_F(GivenStatesTest, WhoseStateFitsNowhereFailsInWords) {
  cpu_.on_import_lanes = [](const LaneImage&) {
    return Status(Reason::kInvalidArgument, "It is of another module.");
  };
  Start();
  const SinkRef sink = SubmitGiven(true);
  sink->AwaitEnd();
  ASSERT_TRUE(sink->status().ok()) << sink->status().ToString();
  ASSERT_EQ(sink->Results().size(), kInAll);
  for (const InstanceResult& result : sink->Results()) {
    EXPECT_EQ(result.end, IsGiven(result) ? End::kFailed : End::kReturned);
    if (IsGiven(result)) {
      EXPECT_EQ(result.attempt, 3u);
    }
  }
  EXPECT_NE(sink->usage().failures.find("It is of another module."), std::string::npos);
}

TEST_F(GivenStatesTest, WhoMustKeepAStateThatIsGoneFails) {
  Start();
  JobSpec spec = NumberJob(NumberModule(), 1);
  auto before = std::make_shared<JobBefore>();
  before->must_keep_states = true;
  const auto state = FakeState(spec, kUsed);
  state->is_gone = true;
  before->midway.push_back({0, 1, state});
  spec.before = std::move(before);
  const SinkRef sink = Submit(std::move(spec));
  sink->AwaitEnd();
  ASSERT_EQ(sink->Results().size(), 1u);
  EXPECT_EQ(sink->Results()[0].end, End::kFailed);
  EXPECT_NE(sink->usage().failures.find("The state is damaged."), std::string::npos);
}

// Stores and loads through two pages.
constexpr std::string_view kWork = R"((module (memory 2)
  (func (export "run") (param $n i32) (result i32) (local $i i32)
    (loop $l
      (i32.store (i32.and (i32.mul (local.get $i) (i32.const 20)) (i32.const 0x1fffc))
        (i32.add (local.get $n)
          (i32.load (i32.and (i32.mul (local.get $i) (i32.const 36)) (i32.const 0x1fffc)))))
      (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                          (i32.const 20000))))
    (i32.load (i32.const 4096)))))";

// Of another kind of engine than the one that left the states.
class RealGivenStatesTest : public SchedulerTest {
 protected:
  static std::unique_ptr<Device> RealCpu() {
    CpuSettings settings;
    settings.threads = 2;
    return CreateCpuDevice(settings).value();
  }
  static std::unique_ptr<Device> RealInterpreter() {
    InterpreterSettings settings;
    settings.threads = 2;
    return CreateInterpreterDevice(settings);
  }
  void StartReal() {
    SchedulerParts parts;
    parts.cpu = [](const std::function<void()>&) -> Result<StartedDevice> {
      return StartedDevice{RealCpu()};
    };
    parts.interpreter = StartRealInterpreter;
    parts.compiler = RealCompiler(std::make_shared<LoweredModules>());
    parts.clock = &SystemClock();
    scheduler_ = AssembleScheduler(settings_, std::move(parts)).value();
  }
  void ExpectGoesOn(Device& from, Placement to, uint64_t instances);
};

void RealGivenStatesTest::ExpectGoesOn(Device& from, Placement to, uint64_t instances) {
  JobSpec spec = NumberJob(ModuleOf(kWork), instances);
  spec.placement = to;
  const SinkRef plain = Submit(spec);
  plain->AwaitEnd();
  auto before = std::make_shared<JobBefore>();
  before->attempt = 1;
  before->midway = LeftMidway(from, spec, 100'000);
  ASSERT_EQ(before->midway.size(), instances);
  uint64_t given = 0;
  for (const LeftInstance& left : before->midway) given += left.state->fuel();
  ASSERT_GE(given, instances * 50'000);
  spec.before = std::move(before);
  uint64_t ran = 0;
  for (const DeviceStatus& status : scheduler_->Devices()) ran += status.fuel;
  const SinkRef sink = Submit(std::move(spec));
  sink->AwaitEnd();
  ASSERT_EQ(sink->Results().size(), instances);
  for (uint64_t i = 0; i < instances; ++i) {
    EXPECT_EQ(sink->Results()[i].fuel, plain->Results()[i].fuel);
    EXPECT_EQ(sink->Results()[i].attempt, 1u);
    EXPECT_EQ(sink->Results()[i].steps[0].values[0], plain->Results()[i].steps[0].values[0]);
  }
  EXPECT_EQ(sink->usage().lost_states, 0u);
  EXPECT_EQ(sink->usage().fuel, plain->usage().fuel);
  for (const DeviceStatus& status : scheduler_->Devices()) ran -= status.fuel;
  EXPECT_EQ(~ran + 1, plain->usage().fuel - given) << "nothing was run twice";
}

TEST_F(RealGivenStatesTest, WhatTheProcessorLeftGoesOnOnTheInterpreter) {
  StartReal();
  const auto from = RealCpu();
  ExpectGoesOn(*from, Placement::kInterpreter, 5);
}

TEST_F(RealGivenStatesTest, WhatTheInterpreterLeftGoesOnOnTheProcessor) {
  StartReal();
  const auto from = RealInterpreter();
  ExpectGoesOn(*from, Placement::kCpu, 5);
}

// A job is planned by how many instances it has; one that is nearly done is still that job.
TEST_F(RealGivenStatesTest, OfAJobOfManyTheLastFewGoOnLikewise) {
  StartReal();
  constexpr uint64_t kMany = 5000;
  constexpr uint64_t kLast = kMany - 1;
  JobSpec spec = NumberJob(ModuleOf(R"((module (func (export "run") (param $n i32) (param $k i32)
    (result i32) (local $i i32)
    (loop $l (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                                 (i32.const 5000))))
    (i32.add (local.get $n) (local.get $k)))))"),
                           kMany);
  std::get<CallStep>(spec.steps[0]).args.push_back({});
  spec.placement = Placement::kInterpreter;
  const auto from = RealCpu();
  std::vector<LeftInstance> left = LeftMidway(*from, spec, 10'000);
  ASSERT_EQ(left.size(), kMany);
  auto before = std::make_shared<JobBefore>();
  before->finished.Add(0, kLast);
  before->midway.push_back(left.back());
  before->must_keep_states = true;
  spec.before = std::move(before);
  const SinkRef sink = Submit(std::move(spec));
  sink->AwaitEnd();
  ASSERT_EQ(sink->Results().size(), 1u);
  EXPECT_EQ(sink->Results()[0].end, End::kReturned) << sink->usage().failures;
  EXPECT_EQ(sink->Results()[0].steps[0].values[0], Value::I32(kLast));
}

}  // namespace
}  // namespace wb::test
