// Calls of sessions through a scheduler: each begins with what the one before it has left, whatever
// device it runs on, and an instance that is stopped midway has what it had before.

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "scheduler/job/resident/resident_instances.h"
#include "tests/fakes/forwarding_device.h"
#include "tests/scheduler/real_parts.h"
#include "tests/scheduler/resident_guest.h"
#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

constexpr uint32_t kResidents = 5;
constexpr uint64_t kRoomy = uint64_t{64} << 20;

// Beside what stays: one that counts in memory and then never ends.
std::shared_ptr<const Module> StayingModule() {
  static const std::shared_ptr<const Module> module =
      ModuleOf("(module (memory 1 8)" + std::string(kStayingPart) + R"(
    (func (export "forever") (param $n i32) (result i32)
      (i32.store (i32.const 8) (i32.add (i32.load (i32.const 8)) (i32.const 1)))
      (loop $l (br $l))
      (i32.const 0))
    (func (export "smear") (param $n i32) (result i32) (local $at i32)
      (loop $l
        (i32.store offset=64 (local.get $at) (local.get $n))
        (local.set $at (i32.add (local.get $at) (i32.const 4096)))
        (br_if $l (i32.lt_u (local.get $at) (i32.mul (memory.size) (i32.const 65536)))))
      (local.get $n))))");
  return module;
}

std::shared_ptr<ResidentInstances> NewResidents(uint64_t most = kRoomy) {
  return std::make_shared<ResidentInstances>(kResidents, most,
                                             std::make_shared<ResidentBudget>(kRoomy));
}

Step StepOf(const std::string& function, uint32_t argument) {
  CallStep call;
  call.function = function;
  call.go_on_after_trap = true;
  Operand number;
  number.source = Operand::Source::kColumn;
  number.value = Value::I32(argument);
  call.args.push_back(number);
  return call;
}

JobSpec CallOf(const std::string& function, uint32_t argument,
               std::shared_ptr<ResidentInstances> residents) {
  JobSpec spec = NumberJob(StayingModule(), kResidents);
  spec.steps = {StepOf(function, argument)};
  spec.residents = std::move(residents);
  return spec;
}

// What a step came to.
std::string TextOf(const StepResult& step) {
  if (step.trap != Trap::kNone) return "trap " + std::to_string(static_cast<int>(step.trap));
  return std::to_string(step.values.at(0).words[0]);
}

uint32_t CounterOf(const ResidentInstances& residents, uint64_t instance) {
  const ResidentStateRef state = residents.Get(instance);
  return state == nullptr ? 0 : ReadResident(*state, 0, 8, 4).value()[0];
}

// What an interpreter does that is not sound.
struct Faults {
  std::atomic<int> dies_in{-1};         // launches; below 0: it does not
  std::atomic<bool> takes_none{false};  // no state of a lane
  std::atomic<bool> gives_none{false};
};

class Faulty : public ForwardingDevice {
 public:
  Faulty(std::shared_ptr<Device> real, std::shared_ptr<Faults> faults)
      : ForwardingDevice(std::move(real)), faults_(std::move(faults)) {}
  // It has run the launch in which it dies.
  Result<LaunchReport> Await() override {
    WB_ASSIGN(const LaunchReport report, real_->Await());
    if (--faults_->dies_in == 0) return Status(Reason::kDeviceLost, "It died.");
    return report;
  }
  Result<std::vector<Status>> ImportLanes(Dispatch& dispatch,
                                          std::span<const LanePlace> lanes) override {
    if (!faults_->takes_none) return real_->ImportLanes(dispatch, lanes);
    return std::vector<Status>(lanes.size(), Status(Reason::kInvalidArgument, "Not this one."));
  }
  Result<std::vector<std::optional<LaneImage>>> ExportLanes(
      Dispatch& dispatch, std::span<const uint32_t> seats) override {
    if (!faults_->gives_none.exchange(false)) return real_->ExportLanes(dispatch, seats);
    return std::vector<std::optional<LaneImage>>(seats.size());
  }

 private:
  const std::shared_ptr<Faults> faults_;
};

class SessionCallsTest : public SchedulerTest {
 protected:
  SessionCallsTest() { settings_.start_on_interpreter = true; }

  void StartReal() {
    SchedulerParts parts = RealParts();
    parts.interpreter = [this](const std::function<void()>& on_lost) -> Result<StartedDevice> {
      WB_ASSIGN(StartedDevice started, StartRealInterpreter(on_lost));
      started.device =
          std::make_shared<Faulty>(std::shared_ptr<Device>(std::move(started.device)), faults_);
      return started;
    };
    scheduler_ = AssembleScheduler(settings_, std::move(parts)).value();
  }
  SinkRef Run(JobSpec spec) {
    if (spec.residents != nullptr) spec.residents->Begin();
    SinkRef sink = Submit(std::move(spec));
    sink->AwaitEnd();
    EXPECT_TRUE(sink->status().ok()) << sink->status().ToString();
    return sink;
  }
  SinkRef RunOn(Placement placement, JobSpec spec) {
    spec.placement = placement;
    return Run(std::move(spec));
  }
  // On devices of engine hosts, a GPU's among them, which is made of this processor.
  void StartGpuHosts() {
    settings_.engine_host_path = WB_FAKE_GPU_HOST;
    settings_.cuda_enabled = settings_.cuda_required = true;
    auto scheduler = CreateScheduler(settings_);
    ASSERT_TRUE(scheduler.ok()) << scheduler.status().ToString();
    scheduler_ = std::move(scheduler).value();
  }
  // Each call at one of these places.
  void ExpectCallsAreThoseOfOneInstance(uint32_t seed, const std::vector<Placement>& places = {
                                                           Placement::kAuto, Placement::kCpu,
                                                           Placement::kInterpreter});

  const std::shared_ptr<Faults> faults_ = std::make_shared<Faults>();  // of the interpreter
};

void SessionCallsTest::ExpectCallsAreThoseOfOneInstance(uint32_t seed,
                                                        const std::vector<Placement>& places) {
  std::mt19937 random(seed);
  JobSpec whole = NumberJob(StayingModule(), kResidents);
  whole.steps.clear();
  std::vector<std::pair<std::string, uint32_t>> calls;
  for (int i = 0; i < 30; ++i) {
    calls.emplace_back(kStayingCalls[random() % std::size(kStayingCalls)], random() % 8);
    whole.steps.push_back(StepOf(calls.back().first, calls.back().second));
  }
  const auto wanted = RunOn(Placement::kInterpreter, std::move(whole))->Results();
  ASSERT_EQ(wanted.size(), kResidents);
  const auto residents = NewResidents();
  for (size_t i = 0; i < calls.size(); ++i) {
    const auto got =
        RunOn(places[random() % places.size()], CallOf(calls[i].first, calls[i].second, residents))
            ->Results();
    ASSERT_EQ(got.size(), kResidents);
    for (size_t instance = 0; instance < kResidents; ++instance) {
      ASSERT_EQ(TextOf(got[instance].steps.at(0)), TextOf(wanted[instance].steps.at(i)))
          << "call " << i << " of " << calls[i].first << ", instance " << instance;
    }
    EXPECT_EQ(residents->changed(), kResidents);
  }
}

TEST_F(SessionCallsTest, AreThoseOfOneInstance) {
  StartReal();
  ExpectCallsAreThoseOfOneInstance(1);
  ExpectCallsAreThoseOfOneInstance(2);
}

TEST_F(SessionCallsTest, AreThoseOfOneInstanceBetweenEngineHosts) {
  settings_.engine_host_path = WB_ENGINE_HOST;
  auto scheduler = CreateScheduler(settings_);
  ASSERT_TRUE(scheduler.ok()) << scheduler.status().ToString();
  scheduler_ = std::move(scheduler).value();
  ExpectCallsAreThoseOfOneInstance(3);
}

// Each 4 KiB of memories that have grown.
TEST_F(SessionCallsTest, MayChangeAllThereIs) {
  settings_.engine_host_path = WB_ENGINE_HOST;
  auto scheduler = CreateScheduler(settings_);
  ASSERT_TRUE(scheduler.ok()) << scheduler.status().ToString();
  scheduler_ = std::move(scheduler).value();
  const auto residents = NewResidents();
  for (int page = 0; page < 7; ++page) RunOn(Placement::kInterpreter, CallOf("grow", 1, residents));
  for (uint32_t call = 1; call <= 3; ++call) {
    const auto results =
        RunOn(Placement::kInterpreter, CallOf("smear", call * 50, residents))->Results();
    ASSERT_EQ(results.size(), kResidents);
    for (uint32_t i = 0; i < kResidents; ++i) {
      EXPECT_EQ(results[i].attempt, 1u);
      for (uint64_t at = 64; at < 65536; at += 4096)
        ASSERT_EQ(ReadResident(*residents->Get(i), 0, at, 4).value()[0],
                  results[i].steps.at(0).values.at(0).words[0] & 0xff);
    }
    EXPECT_EQ(residents->changed(), kResidents);
  }
}

TEST_F(SessionCallsTest, AreThoseOfOneInstanceOnGpusToo) {
  StartGpuHosts();
  ExpectCallsAreThoseOfOneInstance(4, {Placement::kGpu});
  ExpectCallsAreThoseOfOneInstance(
      5, {Placement::kGpu, Placement::kCpu, Placement::kInterpreter, Placement::kAuto});
}

// As many as a GPU has lanes for at once, and more.
TEST_F(SessionCallsTest, OfManyInstancesOnAGpu) {
  constexpr uint32_t kMany = 3000;
  StartGpuHosts();
  const auto residents =
      std::make_shared<ResidentInstances>(kMany, kRoomy, std::make_shared<ResidentBudget>(kRoomy));
  for (uint32_t call = 1; call <= 3; ++call) {
    JobSpec spec = CallOf("count", 1, residents);
    spec.instances = kMany;
    const auto results = RunOn(Placement::kGpu, std::move(spec))->Results();
    ASSERT_EQ(results.size(), kMany);
    for (uint32_t i = 0; i < kMany; ++i) {
      ASSERT_EQ(results[i].steps.at(0).values.at(0).words[0], call * (i + 1) + 'b') << i;
      ASSERT_EQ(results[i].device, "cuda0");
    }
    EXPECT_EQ(residents->changed(), kMany);
  }
}

// A session that leaves its place open stays on the processor.
TEST_F(SessionCallsTest, GoToAGpuOnlyWhereTheySaySo) {
  StartGpuHosts();
  const auto residents = NewResidents();
  for (int call = 0; call < 5; ++call) {
    for (const InstanceResult& result : Run(CallOf("count", 1, residents))->Results())
      EXPECT_NE(result.device, "cuda0");
  }
}

TEST_F(SessionCallsTest, OnAGpuWithoutFuelAnInstanceHasWhatItHadBefore) {
  StartGpuHosts();
  const auto residents = NewResidents();
  RunOn(Placement::kGpu, CallOf("count", 1, residents));
  JobSpec spec = CallOf("forever", 0, residents);
  spec.limits.max_fuel = 1000;
  for (const InstanceResult& result : RunOn(Placement::kGpu, std::move(spec))->Results())
    EXPECT_EQ(result.end, End::kOutOfFuel);
  EXPECT_EQ(residents->changed(), 0u);
  for (uint32_t i = 0; i < kResidents; ++i) EXPECT_EQ(CounterOf(*residents, i), i + 1);
}

// More instances than seats: dispatches are filled again and again.
TEST_F(SessionCallsTest, OfManyInstancesInFewSeats) {
  settings_.interpreter.burst_instances = 7;
  StartReal();
  const auto residents =
      std::make_shared<ResidentInstances>(100, kRoomy, std::make_shared<ResidentBudget>(kRoomy));
  for (uint32_t call = 1; call <= 3; ++call) {
    JobSpec spec = CallOf("count", 1, residents);
    spec.instances = 100;
    const auto results = RunOn(Placement::kInterpreter, std::move(spec))->Results();
    ASSERT_EQ(results.size(), 100u);
    for (uint32_t i = 0; i < 100; ++i)
      EXPECT_EQ(results[i].steps.at(0).values.at(0).words[0], call * (i + 1) + 'b');
  }
  EXPECT_EQ(residents->changed(), 100u);
}

TEST_F(SessionCallsTest, WithoutFuelAnInstanceHasWhatItHadBefore) {
  StartReal();
  const auto residents = NewResidents();
  Run(CallOf("count", 1, residents));
  JobSpec spec = CallOf("forever", 0, residents);
  spec.limits.max_fuel = 1000;
  for (const InstanceResult& result : Run(std::move(spec))->Results())
    EXPECT_EQ(result.end, End::kOutOfFuel);
  EXPECT_EQ(residents->changed(), 0u);
  for (uint32_t i = 0; i < kResidents; ++i) EXPECT_EQ(CounterOf(*residents, i), i + 1);
  const auto results = Run(CallOf("count", 0, residents))->Results();
  EXPECT_EQ(results.at(2).steps.at(0).values.at(0).words[0], 3u + 2u + 'b');
}

TEST_F(SessionCallsTest, OneThatIsCancelledHasWhatItHadBefore) {
  StartReal();
  const auto residents = NewResidents();
  Run(CallOf("count", 1, residents));
  residents->Begin();
  const SinkRef sink = Submit(CallOf("forever", 0, residents));
  sink->AwaitProgress([](const JobProgress& progress) { return progress.running > 0; });
  scheduler_->Cancel(next_id_ - 1);
  sink->AwaitEnd();
  EXPECT_TRUE(sink->cancelled());
  EXPECT_EQ(residents->changed(), 0u);
  for (uint32_t i = 0; i < kResidents; ++i) EXPECT_EQ(CounterOf(*residents, i), i + 1);
}

// An engine that had run the call when it died, and one that does not say what was left: the call
// runs again from what was before it, and not from what the engine left.
TEST_F(SessionCallsTest, ADeadEngineTakesNoStateAlong) {
  StartReal();
  const auto residents = NewResidents();
  RunOn(Placement::kInterpreter, CallOf("count", 1, residents));
  for (uint32_t call = 2; call <= 3; ++call) {
    faults_->dies_in = call == 2 ? 1 : -1;
    faults_->gives_none = call == 3;
    const auto results = RunOn(Placement::kInterpreter, CallOf("count", 1, residents))->Results();
    ASSERT_EQ(results.size(), kResidents);
    for (uint32_t i = 0; i < kResidents; ++i) {
      EXPECT_EQ(results[i].attempt, 2u);
      EXPECT_EQ(results[i].steps.at(0).values.at(0).words[0], call * (i + 1) + 'b');
      EXPECT_EQ(CounterOf(*residents, i), call * (i + 1));
    }
  }
}

TEST_F(SessionCallsTest, AnInstanceDoesNotStartWithoutItsState) {
  StartReal();
  const auto residents = NewResidents();
  RunOn(Placement::kInterpreter, CallOf("count", 1, residents));
  faults_->takes_none = true;
  const SinkRef sink = RunOn(Placement::kInterpreter, CallOf("count", 1, residents));
  ASSERT_EQ(sink->Results().size(), kResidents);
  for (const InstanceResult& result : sink->Results()) EXPECT_EQ(result.end, End::kFailed);
  EXPECT_NE(sink->usage().failures.find("did not take the states"), std::string::npos);
  for (uint32_t i = 0; i < kResidents; ++i) EXPECT_EQ(CounterOf(*residents, i), i + 1);
}

TEST_F(SessionCallsTest, AStateWithoutRoomStaysAsItWas) {
  StartReal();
  const auto residents = NewResidents(uint64_t{kResidents} * 20'000);
  Run(CallOf("count", 1, residents));
  EXPECT_EQ(residents->no_room(), "");
  const uint64_t bytes = residents->bytes();
  for (int page = 0; page < 10; ++page) Run(CallOf("grow", 1, residents));
  EXPECT_LT(residents->changed(), kResidents);
  EXPECT_NE(residents->no_room().find("[100000]"), std::string::npos) << residents->no_room();
  EXPECT_GT(residents->bytes(), bytes);
  EXPECT_LE(residents->bytes(), 100'000u);
}

TEST_F(SessionCallsTest, WhatCannotBeACallIsRefused) {
  StartReal();
  auto sink = std::make_shared<RecordingSink>();
  JobSpec other = CallOf("count", 1, NewResidents());
  other.instances = kResidents + 1;
  EXPECT_EQ(scheduler_->Submit(92, std::move(other), sink).reason(), Reason::kInvalidArgument);
}

}  // namespace
}  // namespace wb::test
