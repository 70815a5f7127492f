// Instances that wait for memory go on in a dispatch with more, with the state they have: what they
// ran is run once.

#include <atomic>
#include <map>
#include <optional>

#include "compiler/link/link.h"
#include "scheduler/devices/cpu/cpu_device.h"
#include "scheduler/devices/interpreter/interpreter_device.h"
#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

constexpr uint32_t kInstances = 100;
constexpr uint32_t kWaiting = kInstances / 10;
constexpr uint64_t kLong = uint64_t{1} << 29;  // fuel of one launch

// So little memory that lanes get one page each at first; every tenth wants 12.
class SchedulerGrowsTest : public SchedulerTest {
 protected:
  SchedulerGrowsTest() {
    small_.adds_fuel = true;
    small_.stay_fuel = kLong;
    small_.wanted_pages = 12;
    small_.act = [this](const FakeLane& lane) {
      if (lane.number % 10 != 0) return LaneAct::kDone;
      ++ran_;
      return lane.capacity_pages < 12 ? LaneAct::kWaits : LaneAct::kDone;
    };
  }

  SinkRef Run(bool pushes = false) {
    SchedulerParts parts;
    parts.cpu = small_.Starter();
    parts.interpreter = interpreter_.Starter();
    parts.compiler = FakeCompiler();
    parts.clock = &clock_;
    scheduler_ = AssembleScheduler(settings_, std::move(parts)).value();
    JobSpec spec = NumberJob(NumberModule(), kInstances);
    spec.limits.max_memory_bytes = 16 * 65536;
    std::optional<Pusher> pusher;
    if (pushes) pusher.emplace(clock_);
    SinkRef sink = Submit(std::move(spec));
    ExpectNumbers(*sink, kInstances);
    pusher.reset();  // it knows the scheduler's threads
    for (const DeviceStatus& status : scheduler_->Devices()) fuel_ += status.fuel;
    scheduler_.reset();  // before the device
    return sink;
  }
  static void Expect(RecordingSink& sink, uint64_t fuel) {
    for (const InstanceResult& result : sink.Results()) {
      EXPECT_EQ(result.attempt, 1u);
      EXPECT_EQ(result.fuel, result.instance % 10 == 0 ? fuel : 7u);
    }
  }

  FakeEngine small_{Engine::kCpu, 64 * (65536 + 8192)};
  std::atomic<uint32_t> ran_{0};  // launches of lanes that wait
  uint64_t fuel_ = 0;             // of all devices
};

TEST_F(SchedulerGrowsTest, WhoWaitsForMemoryGoesOnWhereItIs) {
  const SinkRef sink = Run();
  Expect(*sink, kLong + 7);
  EXPECT_EQ(small_.given_out(), kWaiting);
  EXPECT_EQ(small_.import_lanes(), kWaiting);
  EXPECT_EQ(ran_, 2 * kWaiting);  // the next dispatch had as much as they wanted
  EXPECT_EQ(fuel_, sink->usage().fuel);
}

TEST_F(SchedulerGrowsTest, AndOnAgain) {
  small_.wanted_pages = 2;
  const SinkRef sink = Run();
  for (const InstanceResult& result : sink->Results()) {
    if (result.instance % 10 != 0) continue;
    EXPECT_GE(result.fuel, 2 * kLong + 7);
  }
  EXPECT_GE(small_.import_lanes(), 2 * kWaiting);
  EXPECT_EQ(fuel_, sink->usage().fuel);
}

TEST_F(SchedulerGrowsTest, WhoHasRunLittleStartsAgain) {
  small_.stay_fuel = 0;
  const SinkRef sink = Run();
  Expect(*sink, 7);
  EXPECT_EQ(small_.given_out(), 0u);
}

TEST_F(SchedulerGrowsTest, WhereNobodyMovesTheyStartAgain) {
  small_.moves_lanes = false;
  const SinkRef sink = Run();
  Expect(*sink, 7);
  EXPECT_EQ(small_.given_out(), 0u);
  EXPECT_EQ(ran_, 2 * kWaiting);
}

TEST_F(SchedulerGrowsTest, BeyondTheBoundTheOthersStartAgain) {
  settings_.moved_max_bytes = 200;
  const SinkRef sink = Run();
  uint32_t moved = 0;
  for (const InstanceResult& result : sink->Results()) moved += result.fuel > kLong ? 1 : 0;
  EXPECT_GT(moved, 0u);
  EXPECT_LT(moved, kWaiting);
  EXPECT_EQ(fuel_, sink->usage().fuel);
}

TEST_F(SchedulerGrowsTest, TheDeviceDiesAsItGivesThemOut) {
  std::atomic<uint32_t> asked{0};
  small_.on_export_lanes = [&](uint32_t) {
    return ++asked == 2 ? Status(Reason::kDeviceLost, "It died.") : Status();
  };
  const SinkRef sink = Run(true);
  EXPECT_EQ(sink->Results()[0].attempt, 2u);
  EXPECT_EQ(sink->Results()[0].fuel, 7u);  // the instance takes no state along
}

// The same with real ones.
class RealGrowsTest : public SchedulerTest {
 protected:
  struct Outcome {
    std::vector<InstanceResult> results;
    uint64_t usage = 0;
    uint64_t ran = 0;  // by all devices
  };
  Outcome Run(std::shared_ptr<const Module> module, uint64_t memory_bytes);
};

constexpr uint64_t kFew = 12;
constexpr const char* kGrows = R"((module (memory 1 16)
    (func $work (param $n i32) (result i32) (local $i i32)
      (loop $l
        (i32.store (i32.and (i32.mul (local.get $i) (i32.const 20)) (i32.const 0xfffc))
          (i32.add (local.get $n)
            (i32.load (i32.and (i32.mul (local.get $i) (i32.const 36)) (i32.const 0xfffc)))))
        (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                            (i32.const 1000000))))
      (i32.load (i32.const 4096)))
    (func (export "run") (param $n i32) (result i32) (local $sum i32)
      (local.set $sum (call $work (local.get $n)))
      (local.set $sum (i32.add (local.get $sum) (memory.grow (i32.const 4))))
      (local.set $sum (i32.add (local.get $sum) (call $work (local.get $sum))))
      (local.set $sum (i32.mul (local.get $sum) (memory.grow (i32.const 11))))
      (i32.store (i32.const 1048572) (local.get $sum))
      (i32.add (call $work (local.get $sum)) (i32.load (i32.const 1048572))))))";

// Two memories grow in turns, each beyond what is reserved at first. Both are written and read.
constexpr const char* kLibraryGrows = R"((module (memory 1 16)
    (func (export "more") (param $n i32) (result i32) (local $old i32)
      (local.set $old (memory.grow (local.get $n)))
      (i32.store (i32.sub (i32.shl (memory.size) (i32.const 16)) (i32.const 4)) (local.get $n))
      (i32.add (local.get $old) (i32.load (i32.const 65532))))))";
constexpr const char* kProgramGrows =
    R"((module (import "library" "more" (func $more (param i32) (result i32))) (memory 2 16)
    (func (export "run") (param $n i32) (result i32) (local $i i32) (local $sum i32)
      (i32.store (i32.const 131068) (local.get $n))
      (local.set $sum (call $more (i32.const 1)))
      (loop $l
        (local.set $sum (i32.add (i32.mul (local.get $sum) (i32.const 17))
          (memory.grow (i32.and (local.get $i) (i32.const 3)))))
        (local.set $sum (i32.add (i32.mul (local.get $sum) (i32.const 17))
          (call $more (i32.and (i32.add (local.get $n) (local.get $i)) (i32.const 3)))))
        (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                            (i32.const 8))))
      (i32.add (local.get $sum) (i32.load (i32.const 131068))))))";

RealGrowsTest::Outcome RealGrowsTest::Run(std::shared_ptr<const Module> module,
                                          uint64_t memory_bytes) {
  SchedulerParts parts;
  parts.cpu = [=](const std::function<void()>&) -> Result<StartedDevice> {
    CpuSettings settings;
    settings.threads = 2;
    settings.memory_bytes = memory_bytes;
    WB_ASSIGN(std::unique_ptr<Device> device, CreateCpuDevice(settings));
    return StartedDevice{std::move(device)};
  };
  parts.interpreter = interpreter_.Starter();
  parts.compiler = RealCompiler(std::make_shared<LoweredModules>());
  parts.clock = &SystemClock();
  scheduler_ = AssembleScheduler(settings_, std::move(parts)).value();
  JobSpec spec = NumberJob(std::move(module), kFew);
  spec.limits.max_memory_bytes = 16 << 16;
  const SinkRef sink = Submit(std::move(spec));
  sink->AwaitEnd();
  EXPECT_TRUE(sink->status().ok()) << sink->status().ToString();
  Outcome outcome{sink->Results(), sink->usage().fuel, 0};
  for (const DeviceStatus& status : scheduler_->Devices()) outcome.ran += status.fuel;
  scheduler_.reset();
  return outcome;
}

TEST_F(RealGrowsTest, WhatWasRunIsKept) {
  const Outcome roomy = Run(ModuleOf(kGrows), 0);
  const Outcome small = Run(ModuleOf(kGrows), uint64_t{3} << 20);
  ASSERT_EQ(roomy.results.size(), kFew);
  ASSERT_EQ(small.results.size(), kFew);
  for (size_t i = 0; i < kFew; ++i) {
    EXPECT_EQ(small.results[i].attempt, 1u);
    EXPECT_EQ(small.results[i].fuel, roomy.results[i].fuel);
    EXPECT_EQ(small.results[i].memory_pages, 16u);
    EXPECT_EQ(small.results[i].steps.at(0).values.at(0), roomy.results[i].steps.at(0).values.at(0));
  }
  EXPECT_EQ(roomy.ran, roomy.usage);
  EXPECT_EQ(small.ran, small.usage);
}

TEST_F(RealGrowsTest, EachOfSeveralMemories) {
  const auto module =
      Link(PartsByName({{"library", ModuleOf(kLibraryGrows)}, {"main", ModuleOf(kProgramGrows)}}),
           {}, Instantiation::kAtStart)
          .value();
  const Outcome roomy = Run(module, 0);
  const Outcome small = Run(module, uint64_t{5} << 20);
  ASSERT_EQ(small.results.size(), kFew);
  for (size_t i = 0; i < kFew; ++i) {
    EXPECT_EQ(small.results[i].end, End::kReturned);
    EXPECT_EQ(small.results[i].fuel, roomy.results[i].fuel);
    EXPECT_EQ(small.results[i].memory_pages, 14u);
    EXPECT_EQ(small.results[i].steps.at(0).values.at(0), roomy.results[i].steps.at(0).values.at(0));
  }
}

}  // namespace
}  // namespace wb::test
