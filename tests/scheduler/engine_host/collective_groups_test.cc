// Groups of instances that lose some on the way, start again, die with their engine or are gone on
// with by another scheduler; and random programs of collectives.

#include <gtest/gtest.h>
#include <signal.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/job/job_plan.h"
#include "tests/scheduler/engine_host/collectives_rig.h"

namespace wb::test {
namespace {

// ---- groups that lose instances, or start again.

constexpr std::string_view kSumImport =
    R"((import "gpu_std" "sum_i32" (func $sum (param i32) (result i32))))";

TEST_F(CollectivesTest, AGroupAtDifferentCollectivesEndsInATrap) {
  const auto module = ModuleOf("(module " + std::string(kSumImport) + R"(
    (import "gpu_std" "ballot" (func $ballot (param i32) (result i32)))
    (func (export "run") (param $n i32) (result i32)
      (if (i32.eq (local.get $n) (i32.const 40)) (then (return (call $ballot (i32.const 1)))))
      (call $sum (i32.const 1))))
  )");
  auto scheduler = CreateScheduler(Settings()).value();
  JobId id = 1;
  for (const Placement placement : GroupPlacements()) {
    JobSpec spec = NumberJob(module, 70);
    spec.placement = placement;
    for (const InstanceResult& result : Run(*scheduler, std::move(spec), id++)) {
      if (result.instance / 32 == 1) {
        EXPECT_EQ(result.trap, Trap::kCollectiveMismatch) << result.instance;
      } else {
        EXPECT_EQ(result.steps.at(0).values.at(0), Value::I32(result.instance < 32 ? 32 : 6));
      }
    }
  }
}

TEST_F(CollectivesTest, AFailedAssertionHasItsCodeAndALogIsAnOutput) {
  const auto module = ModuleOf(R"((module
    (import "gpu_std" "log" (func $log (param i32 i32)))
    (import "gpu_std" "assert" (func $assert (param i32 i32)))
    (memory 1)
    (data (i32.const 16) "seven, ")
    (func (export "run") (param $n i32) (result i32)
      (call $log (i32.const 16) (local.get $n))
      (call $assert (i32.ne (local.get $n) (i32.const 3)) (i32.const -42))
      (call $log (i32.const 16) (i32.const 2))
      (if (i32.eq (local.get $n) (i32.const 5))
        (then (call $log (i32.const 65535) (i32.const 2))))
      (local.get $n))))");
  auto scheduler = CreateScheduler(Settings()).value();
  JobId id = 1;
  for (const Placement placement : GroupPlacements()) {
    JobSpec spec = NumberJob(module, 7);
    spec.placement = placement;
    for (const InstanceResult& result : Run(*scheduler, std::move(spec), id++)) {
      const auto n = static_cast<size_t>(result.instance);
      ASSERT_EQ(result.outputs.size(), 1u);
      EXPECT_EQ(result.outputs[0].name, "log");
      std::string log = std::string("seven, ").substr(0, n);
      if (n == 3) {
        EXPECT_EQ(result.trap, Trap::kAssertionFailed);
        EXPECT_EQ(static_cast<int32_t>(result.exit_code), -42);
      } else {
        log += "se";
        EXPECT_EQ(result.trap, n == 5 ? Trap::kOutOfBoundsMemory : Trap::kNone);
      }
      EXPECT_EQ(AsText(result.outputs[0].bytes), log);
    }
  }
}

// Instance 40 runs until its fuel is used up, and its group waits for that.
TEST_F(CollectivesTest, WhoNeverComesIsWaitedForUntilItEnds) {
  const auto module = ModuleOf("(module " + std::string(kSumImport) + R"(
    (func (export "run") (param $n i32) (result i32)
      (loop $l (br_if $l (i32.eq (local.get $n) (i32.const 40))))
      (call $sum (i32.const 1))))
  )");
  auto scheduler = CreateScheduler(Settings()).value();
  JobId id = 1;
  for (const Placement placement : GroupPlacements()) {
    JobSpec spec = NumberJob(module, 64);
    spec.placement = placement;
    spec.limits.max_fuel = 3000000;
    for (const InstanceResult& result : Run(*scheduler, std::move(spec), id++)) {
      if (result.instance == 40) {
        EXPECT_EQ(result.end, End::kOutOfFuel);
      } else {
        EXPECT_EQ(result.steps.at(0).values.at(0), Value::I32(result.instance < 32 ? 32 : 31));
      }
    }
  }
}

// Between two meetings one grows its memory, and recurses deeply: more than lanes reserve.
TEST_F(CollectivesTest, AGroupOfWhichOneNeedsMoreStartsAgain) {
  const auto module = ModuleOf("(module " + std::string(kSumImport) + R"(
    (memory 1 4000)
    (func $deep (param $n i32) (result i32)
      (if (i32.eqz (local.get $n)) (then (return (i32.const 0))))
      (i32.add (i32.const 1) (call $deep (i32.sub (local.get $n) (i32.const 1)))))
    (func (export "run") (param $n i32) (result i32)
      (local $a i32)
      (local.set $a (call $sum (local.get $n)))
      (if (i32.eq (i32.rem_u (local.get $n) (i32.const 37)) (i32.const 3))
        (then
          (drop (memory.grow (i32.const 1500)))
          (i32.store (i32.const 90000000) (call $deep (i32.const 5000)))
          (local.set $a (i32.add (local.get $a) (i32.load (i32.const 90000000))))))
      (call $sum (local.get $a))))
  )");
  SchedulerSettings settings = Settings();
  auto scheduler = CreateScheduler(settings).value();
  JobId id = 1;
  for (const Placement placement : GroupPlacements()) {
    JobSpec spec = NumberJob(module, 200);
    spec.placement = placement;
    spec.limits.max_memory_bytes = 200 << 20;
    const auto results = Run(*scheduler, std::move(spec), id++);
    ASSERT_EQ(results.size(), 200u);
    for (const InstanceResult& result : results) {
      const uint32_t first = static_cast<uint32_t>(result.instance) / 32 * 32;
      const uint32_t end = std::min(first + 32, 200u);
      uint32_t sum = 0, deep = 0;
      for (uint32_t n = first; n < end; ++n) {
        sum += n;
        deep += n % 37 == 3 ? 5000 : 0;
      }
      EXPECT_EQ(result.steps.at(0).values.at(0), Value::I32(sum * (end - first) + deep))
          << result.instance;
    }
  }
}

JobSpec LongJob(uint64_t instances) {
  static const auto module = ModuleOf("(module " + std::string(kSumImport) + R"(
    (func (export "run") (param $n i32) (result i32)
      (local $i i32) (local $h i32)
      (loop $l
        (local.set $h (call $sum (i32.add (local.get $n) (i32.mul (local.get $h) (i32.const 5)))))
        (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                            (i32.const 20000))))
      (local.get $h)))
  )");
  return NumberJob(module, instances);
}

uint32_t LongResult(uint64_t instance, uint64_t instances) {
  const uint64_t first = instance / 32 * 32, end = std::min(first + 32, instances);
  uint32_t h = 0;
  for (int i = 0; i < 20000; ++i) {
    uint32_t sum = 0;
    for (uint64_t n = first; n < end; ++n) sum += static_cast<uint32_t>(n) + h * 5;
    h = sum;
  }
  return h;
}

TEST_F(CollectivesTest, AnEngineThatDiesChangesNoResult) {
  SchedulerSettings settings = Settings();
  settings.cpu.burst_max_duration = std::chrono::milliseconds(20);
  auto scheduler = CreateScheduler(settings).value();
  auto sink = std::make_shared<RecordingSink>();
  JobSpec spec = LongJob(100);
  spec.placement = Placement::kCpu;
  ASSERT_TRUE(scheduler->Submit(1, std::move(spec), sink).ok());
  sink->AwaitProgress([](const JobProgress& progress) { return progress.usage.bursts >= 2; });
  ::kill(static_cast<pid_t>(scheduler->Devices()[0].host_pid), SIGKILL);
  sink->AwaitEnd();
  ASSERT_TRUE(sink->status().ok()) << sink->status().ToString();
  ASSERT_EQ(sink->Results().size(), 100u);
  for (const InstanceResult& result : sink->Results()) {
    EXPECT_EQ(result.steps.at(0).values.at(0), Value::I32(LongResult(result.instance, 100)));
  }
}

// Of which an earlier scheduler has stored a whole group, and parts of two.
JobSpec HalfDoneJob() {
  auto before = std::make_shared<JobBefore>();
  before->finished.Add(0, 40);
  before->finished.Add(64, 3);
  JobSpec spec = LongJob(70);
  spec.before = before;
  return spec;
}

void ExpectTheRest(const std::vector<InstanceResult>& results) {
  const JobSpec spec = HalfDoneJob();
  ASSERT_EQ(results.size(), 27u);
  for (const InstanceResult& result : results) {
    EXPECT_FALSE(spec.before->finished.Contains(result.instance));
  }
}

// Results that were stored do not come twice, though their instances run with their group.
TEST_F(CollectivesTest, AnEarlierSchedulersHalfGroupRunsAgainAndBringsTheRest) {
  auto scheduler = CreateScheduler(Settings()).value();
  const auto results = Run(*scheduler, HalfDoneJob(), 1);
  ExpectTheRest(results);
  for (const InstanceResult& result : results) {
    EXPECT_EQ(result.steps.at(0).values.at(0), Value::I32(LongResult(result.instance, 70)));
  }
}

TEST_F(CollectivesTest, WhatIsLeftOfAHalfGroupEndsByALimitOnce) {
  auto scheduler = CreateScheduler(Settings()).value();
  JobSpec spec = HalfDoneJob();
  spec.limits.max_total_fuel = 1000;
  ExpectTheRest(Run(*scheduler, std::move(spec), 1));
}

TEST_F(CollectivesTest, WhatAGroupCannotHaveIsRefused) {
  JobSpec asking = LongJob(10);
  asking.host_imports.emplace_back();
  EXPECT_EQ(PlanJob(asking, {}).status().reason(), Reason::kInvalidArgument);
  EXPECT_EQ(PlanJob(LongJob(10), {}).value().group, 32u);
  JobSpec logging = NumberJob(ModuleOf(R"((module (import "gpu_std" "log" (func (param i32 i32)))
    (import "gpu_std" "barrier" (func)) (memory 1)
    (func (export "run") (param i32) (result i32) (i32.const 0))))"),
                              10);
  logging.limits.max_output_bytes = 64
                                    << 20;  // of 32 instances together more than records may have
  const Status too_much = PlanJob(logging, {}).status();
  EXPECT_EQ(too_much.reason(), Reason::kLimitTooHigh) << too_much.message();
  EXPECT_EQ(PlanJob(NumberJob(NumberModule(), 10), {}).value().group, 1u);
}

}  // namespace
}  // namespace wb::test
