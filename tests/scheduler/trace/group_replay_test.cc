// Instances that trap in the midst of their groups, and assertions: what a replay tells of them,
// and what is seen of them when they are looked at, is what the job said.

#include <gtest/gtest.h>

#include <future>
#include <map>

#include "scheduler/devices/interpreter/interpreter_device.h"
#include "scheduler/run/seats/record.h"
#include "scheduler/run/seats/seating.h"
#include "scheduler/trace/inspector.h"
#include "scheduler/trace/replay.h"
#include "tests/scheduler/scheduler_rig.h"
#include "tests/scheduler/trace/trapped_run.h"

namespace wb::test {
namespace {

// `at` computes with its group, in two calls, and comes to something of its own in the third.
constexpr std::string_view kImports = R"(
  (import "gpu_std" "lane_id" (func $lane (result i32)))
  (import "gpu_std" "sum_i32" (func $sum (param i32) (result i32)))
  (import "gpu_std" "exclusive_scan_i64" (func $scan (param i64) (result i64)))
  (import "gpu_std" "assert" (func $assert (param i32 i32)))
  (import "gpu_std" "ballot" (func $ballot (param i32) (result i32)))
  (import "gpu_std" "group_load_i32" (func $load (param i32) (result i32)))
  (import "gpu_std" "group_store_i32" (func $store (param i32 i32)))
  (import "gpu_std" "barrier" (func $barrier))
  (memory 1 4))";
constexpr uint32_t kAt = 8;  // the first function behind the imports

std::string Group(const std::string& third) {
  return "(module " + std::string(kImports) + R"(
  (func $at (param $n i32) (local $a i32)
    (local.set $a (call $sum (i32.add (call $lane) (local.get $n))))
    (call $store (i32.mul (call $lane) (i32.const 4)) (local.get $a))
    (call $barrier)
    (local.set $a (i32.add (local.get $a)
      (call $load (i32.and (i32.add (i32.mul (call $lane) (i32.const 4)) (i32.const 4)) (i32.const 127)))))
    (local.set $a (i32.add (local.get $a)
      (i32.wrap_i64 (call $scan (i64.extend_i32_u (local.get $a))))))
    (i32.store (i32.const 16) (local.get $a))
    )" + third +
         R"()
  (func (export "run") (param $n i32) (result i32)
    (call $at (local.get $n)) (call $sum (i32.const 1)))))";
}

struct AGroupTrap {
  std::string name;
  std::string third;
  Trap trap = Trap::kUnreachable;
  uint32_t code = 0;
  Opcode innermost = Opcode::kCall;  // of `at`: what is under way
  size_t nth = 0;                    // of such operators of it
};

// Those of lanes 5 and 9 of each group.
std::vector<AGroupTrap> GroupTraps() {
  const std::string is_one =
      "(i32.or (i32.eq (call $lane) (i32.const 5))"
      " (i32.eq (call $lane) (i32.const 9)))";
  return {
      {"assertion", "(call $assert (i32.eqz " + is_one + ") (i32.const -7))",
       Trap::kAssertionFailed, static_cast<uint32_t>(-7), Opcode::kCall, 10},
      {"trap", "(if " + is_one + " (then (unreachable)))", Trap::kUnreachable, 0,
       Opcode::kUnreachable, 0},
      {"memory",
       "(drop (i32.load (i32.add (local.get $a) (select (i32.const 0x7fffffff)"
       " (i32.sub (i32.const 0) (local.get $a)) " +
           is_one + "))))",
       Trap::kOutOfBoundsMemory, 0, Opcode::kI32Load, 0},
      {"group memory", "(drop (call $load (select (i32.const 8192) (i32.const 0) " + is_one + ")))",
       Trap::kOutOfBoundsMemory, 0, Opcode::kCall, 10}};
}

InspectionStarter InspectsHere() {
  return [](const std::function<void()>&) -> Result<StartedInspection> {
    const std::shared_ptr<Device> device = CreateInspectingInterpreter({});
    return StartedInspection{device, std::dynamic_pointer_cast<InspectingDevice>(device), {}};
  };
}

// All of the job's instances, as a device runs them.
std::vector<InstanceResult> RunAll(const JobPlan& plan, uint64_t slice_fuel) {
  const std::unique_ptr<Device> device = CreateInterpreterDevice({});
  const LoweredModuleRef module = RealLower()(plan.spec.module, {}).value();
  Seating seating;
  const auto all = static_cast<uint32_t>(plan.spec.instances);
  seating.lanes = seating.seats = (all + plan.group - 1) / plan.group * plan.group;
  seating.pages = plan.max_pages;
  seating.stack = plan.spec.limits.max_stack;
  const auto dispatch =
      device->Allocate(device->Load(module, {}).value(), ShapeOf(plan, seating)).value();
  FillShared(plan, *dispatch);
  for (uint32_t i = 0; i < all; ++i) FillSeat(plan, i, i, *dispatch);
  LaunchLimits limits;
  limits.slice_fuel = slice_fuel;
  while (device->Launch(*dispatch, limits).value().seats_left != 0) {
  }
  std::vector<InstanceResult> results;
  for (uint32_t i = 0; i < all; ++i) {
    results.push_back(DecodeRecord(plan, RecordAt(*dispatch, i)).value());
    results.back().instance = i;
  }
  return results;
}

class GroupReplayTest : public testing::Test {
 protected:
  Result<std::vector<TraceFrame>> Trace(const JobPlan& plan, const InstanceResult& result,
                                        const ReplayLimits& limits = {}) {
    return Replay(modules_, TracingInterpreter(), limits).Trace(plan, result);
  }
  Result<InspectedInstance> Look(const JobPlan& plan, uint64_t instance,
                                 const InspectionLimits& limits = {}) {
    Inspector inspector(std::make_shared<LoweredModules>(), InspectsHere(), limits);
    InspectionRequest request;
    request.state = true;
    request.max_state_bytes = 1 << 20;
    request.detail = TraceDetail::kCalls;
    request.max_lines = 1000;
    std::promise<Result<InspectedInstance>> answered;
    const auto asked = inspector.Ask(
        {[&] { return PlanJob(plan.spec, {}); }, instance, [&](const JobPlan&) { return request; },
         [&](Result<InspectedInstance> answer) { answered.set_value(std::move(answer)); }});
    EXPECT_TRUE(asked.ok());
    return answered.get_future().get();
  }
  // A look at it comes to what the job said, and sees the calls that a replay tells.
  void ExpectSeen(const JobPlan& plan, const InstanceResult& result,
                  const std::vector<TraceFrame>& frames) {
    const Result<InspectedInstance> seen = Look(plan, result.instance);
    ASSERT_TRUE(seen.ok()) << seen.status().message();
    EXPECT_EQ(seen->result.end, result.end);
    EXPECT_EQ(seen->result.trap, result.trap);
    EXPECT_EQ(seen->result.trap_function, result.trap_function);
    EXPECT_EQ(seen->result.trap_offset, result.trap_offset);
    EXPECT_EQ(seen->result.exit_code, result.exit_code);
    EXPECT_EQ(seen->result.fuel, result.fuel);
    ASSERT_EQ(seen->seen.frames.size(), frames.size());
    for (size_t i = 0; i < frames.size(); ++i) {
      EXPECT_EQ(seen->seen.frames[i].function, frames[i].function) << i;
      EXPECT_EQ(seen->seen.frames[i].offset, frames[i].offset) << i;
    }
  }

  LoweredModules modules_;
};

TEST_F(GroupReplayTest, AFailedAssertionHasTheCallsThatLedToIt) {
  const auto module = ModuleOf(R"((module
    (import "gpu_std" "assert" (func $assert (param i32 i32)))
    (func $check (param $n i32) (call $assert (local.get $n) (i32.const 12)))
    (func (export "run") (param $n i32) (result i32)
      (call $check (i32.const 1)) (call $check (local.get $n)) (i32.const 0))))");
  const JobPlan plan = PlanJob(NumberJob(module, 2), {}).value();
  ASSERT_EQ(plan.group, 1u);
  const std::vector<TraceFrame> want = {{1, OffsetOf(*module, 1, Opcode::kCall), ""},
                                        {2, OffsetOf(*module, 2, Opcode::kCall, 1), ""}};
  for (const uint64_t slice : {uint64_t{1} << 40, uint64_t{2}}) {
    const InstanceResult result = RunAll(plan, slice)[0];
    ASSERT_EQ(result.trap, Trap::kAssertionFailed);
    EXPECT_EQ(result.exit_code, 12u);
    ASSERT_TRUE(MayReplay(plan, result, {}));
    const Result<std::vector<TraceFrame>> frames = Trace(plan, result);
    ASSERT_TRUE(frames.ok()) << frames.status().message();
    EXPECT_EQ(*frames, want);
    ExpectSeen(plan, result, want);
  }
}

TEST_F(GroupReplayTest, ATrapInTheMidstOfAGroupHasItsCalls) {
  for (const AGroupTrap& one : GroupTraps()) {
    const auto module = ModuleOf(Group(one.third));
    const JobPlan plan = PlanJob(NumberJob(module, 32 + 10), {}).value();
    ASSERT_EQ(plan.group, 32u);
    const std::vector<TraceFrame> want = {{kAt, OffsetOf(*module, kAt, one.innermost, one.nth), ""},
                                          {kAt + 1, OffsetOf(*module, kAt + 1, Opcode::kCall), ""}};
    const std::vector<InstanceResult> whole = RunAll(plan, uint64_t{1} << 40);
    ASSERT_EQ(RunAll(plan, 11)[37].fuel, whole[37].fuel);
    for (const uint64_t instance : {5u, 9u, 37u, 41u}) {
      SCOPED_TRACE(one.name + ", instance " + std::to_string(instance));
      const InstanceResult& result = whole[instance];
      ASSERT_EQ(result.trap, one.trap);
      EXPECT_EQ(result.exit_code, one.code);
      ASSERT_TRUE(MayReplay(plan, result, {}));
      const Result<std::vector<TraceFrame>> frames = Trace(plan, result);
      ASSERT_TRUE(frames.ok()) << frames.status().message();
      EXPECT_EQ(*frames, want);
      ExpectSeen(plan, result, want);
    }
    EXPECT_EQ(whole[4].end, End::kReturned);
  }
}

// One asks for a vote and the others for a sum: each of them traps, where it asked.
TEST_F(GroupReplayTest, InstancesAtDifferentCollectivesHaveTheirCalls) {
  const auto module = ModuleOf(
      Group("(if (i32.eq (call $lane) (i32.const 3)) (then (drop (call $ballot (i32.const 1)))))"));
  const JobPlan plan = PlanJob(NumberJob(module, 32), {}).value();
  const std::vector<InstanceResult> results = RunAll(plan, uint64_t{1} << 40);
  const TraceFrame asked = {kAt, OffsetOf(*module, kAt, Opcode::kCall, 9), ""};
  const TraceFrame called = {kAt + 1, OffsetOf(*module, kAt + 1, Opcode::kCall), ""};
  const TraceFrame at_sum = {kAt + 1, OffsetOf(*module, kAt + 1, Opcode::kCall, 1), ""};
  for (const uint64_t instance : {0u, 3u, 31u}) {
    const InstanceResult& result = results[instance];
    ASSERT_EQ(result.trap, Trap::kCollectiveMismatch) << instance;
    const std::vector<TraceFrame> want =
        instance == 3 ? std::vector{asked, called} : std::vector{at_sum};
    const Result<std::vector<TraceFrame>> frames = Trace(plan, result);
    ASSERT_TRUE(frames.ok()) << frames.status().message();
    EXPECT_EQ(*frames, want);
    ExpectSeen(plan, result, want);
  }
}

// What the others of the group do afterwards is not waited for.
TEST_F(GroupReplayTest, ItEndsWithTheInstanceThatIsLookedAt) {
  const auto module =
      ModuleOf(Group("(call $assert (i32.ne (call $lane) (i32.const 2)) (i32.const 1))"
                     "(loop $l (br_if $l (i32.eq (call $lane) (i32.const 4))))"));
  JobSpec spec = NumberJob(module, 32);
  spec.limits.max_fuel = 1'000'000;
  const InstanceResult result = RunAll(PlanJob(spec, {}).value(), uint64_t{1} << 40)[2];
  ASSERT_EQ(result.trap, Trap::kAssertionFailed);
  spec.limits.max_fuel = uint64_t{1} << 60;  // it would take years
  const JobPlan plan = PlanJob(std::move(spec), {}).value();
  EXPECT_EQ(Trace(plan, result).value().size(), 2u);
  EXPECT_EQ(Look(plan, 2).value().result.trap, Trap::kAssertionFailed);
}

TEST_F(GroupReplayTest, AGroupThatNeedsMoreThanItMayHaveSaysSo) {
  const auto module = ModuleOf(
      Group("(drop (memory.grow (i32.mul (i32.eq (call $lane) (i32.const 1)) (i32.const 3))))"
            "(call $barrier) (call $assert (i32.ne (call $lane) (i32.const 2)) (i32.const 1))"));
  const JobPlan plan = PlanJob(NumberJob(module, 32), {}).value();
  const InstanceResult result = RunAll(plan, uint64_t{1} << 40)[2];
  ASSERT_EQ(result.trap, Trap::kAssertionFailed);
  EXPECT_EQ(Trace(plan, result).value().size(), 2u);
  ReplayLimits limits;
  limits.memory_bytes = 4 * 32 * (abi::PAGE_BYTES * 3);  // one page each, and what else a lane has
  ASSERT_TRUE(MayReplay(plan, result, limits));
  const Status status = Trace(plan, result, limits).status();
  EXPECT_EQ(status.reason(), Reason::kLimitTooHigh);
  EXPECT_NE(status.message().find("backtraces.max_memory_bytes"), std::string::npos);
  InspectionLimits inspection;
  inspection.memory_bytes = limits.memory_bytes;
  const Status looked = Look(plan, 2, inspection).status();
  EXPECT_EQ(looked.reason(), Reason::kLimitTooHigh) << looked.message();
  limits.memory_bytes = 4 * 31 * abi::PAGE_BYTES;
  EXPECT_FALSE(MayReplay(plan, result, limits));
}

}  // namespace
}  // namespace wb::test
