#include "scheduler/trace/replay.h"

#include <gtest/gtest.h>

#include "compiler/link/bindings.h"
#include "compiler/link/link.h"
#include "tests/scheduler/scheduler_rig.h"
#include "tests/scheduler/trace/trapped_run.h"

namespace wb::test {
namespace {

// 0 divides by zero, called by 1 in its second call, called by 2.
constexpr std::string_view kDivide = R"((module
  (func (param i32) (result i32) (i32.div_u (i32.const 7) (local.get 0)))
  (func (result i32) (i32.add (call 0 (i32.const 1)) (call 0 (i32.const 0))))
  (func (export "run") (result i32) (local $i i32)
    (loop $l (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                                 (i32.const 100))))
    (call 1))))";

class ReplayTest : public testing::Test {
 protected:
  std::vector<TraceFrame> Trace(const JobPlan& plan, const InstanceResult& result,
                                const ReplayLimits& limits = {}) {
    return Try(plan, result, limits).value();
  }
  Result<std::vector<TraceFrame>> Try(const JobPlan& plan, const InstanceResult& result,
                                      const ReplayLimits& limits = {}) {
    return Replay(modules_, TracingInterpreter(), limits).Trace(plan, result);
  }

  LoweredModules modules_;
};

TEST_F(ReplayTest, ATrapHasTheCallsThatLedToIt) {
  const JobPlan plan = PlanOf(ModuleOf(kDivide));
  const Module& module = *plan.spec.module;
  const std::vector<TraceFrame> want = {{0, OffsetOf(module, 0, Opcode::kI32DivU), ""},
                                        {1, OffsetOf(module, 1, Opcode::kCall, 1), ""},
                                        {2, OffsetOf(module, 2, Opcode::kCall), ""}};
  // Whether it ran in one piece or in many.
  for (uint64_t slice : {uint64_t{1} << 40, uint64_t{9}}) {
    const InstanceResult result = ResultOf(plan, slice);
    ASSERT_EQ(result.trap, Trap::kDivideByZero);
    EXPECT_EQ(Trace(plan, result), want);
  }
}

// A function so large that it is cut, with its trap in a part and a call in another.
TEST_F(ReplayTest, PartsOfAFunctionAreOneCall) {
  std::string rows;
  for (int i = 0; i < 1000; ++i) rows += "(global.set $g (i32.add (global.get $g) (i32.const 1)))";
  const std::string text =
      "(module (global $g (mut i32) (i32.const 0)) (func $large (param i32) (result i32) (loop "
      "$l " +
      rows + "(if (local.get 0) (then (return (call $large (i32.const 0)))))" + rows +
      "(global.set $g (i32.div_u (i32.const 7) (local.get 0)))" + rows +
      "(br_if $l (i32.const 1))) (unreachable))"
      "(func (export \"run\") (result i32) (call 0 (i32.const 1))))";
  const JobPlan plan = PlanOf(ModuleOf(text));
  const Module& module = *plan.spec.module;
  EXPECT_GT(RealLower()(plan.spec.module, {}).value()->program.functions.size(), 3u);
  const std::vector<TraceFrame> want = {{0, OffsetOf(module, 0, Opcode::kI32DivU), ""},
                                        {0, OffsetOf(module, 0, Opcode::kCall), ""},
                                        {1, OffsetOf(module, 1, Opcode::kCall), ""}};
  for (uint64_t slice : {uint64_t{1} << 40, uint64_t{999}}) {
    const InstanceResult result = ResultOf(plan, slice);
    ASSERT_EQ(result.trap, Trap::kDivideByZero);
    EXPECT_EQ(result.trap_function, 0u);
    EXPECT_EQ(Trace(plan, result), want);
  }
}

TEST_F(ReplayTest, CallsThroughATableShowNoTrampoline) {
  std::string text = "(module (type $t (func (result i32))) (table funcref (elem";
  for (int i = 0; i < 40; ++i) text += " " + std::to_string(i);
  text += "))";
  for (int i = 0; i < 40; ++i) {
    text += "(func (result i32) (i32.div_u (i32.const 7) (i32.const " + std::to_string(i) + ")))";
  }
  text += "(func (export \"run\") (result i32) (call_indirect (type $t) (i32.const 0))))";
  const JobPlan plan = PlanOf(ModuleOf(text));
  const std::vector<TraceFrame> frames = Trace(plan, ResultOf(plan));
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0].function, 0u);
  EXPECT_EQ(frames[1].function, 40u);
  EXPECT_EQ(frames[1].offset, OffsetOf(*plan.spec.module, 40, Opcode::kCallIndirect));
}

TEST_F(ReplayTest, OfADeepRecursionTheInnermostCallsAreShown) {
  const JobPlan plan = PlanOf(ModuleOf(R"((module
    (func $down (param i32)
      (if (i32.eqz (local.get 0)) (then (unreachable)))
      (call $down (i32.sub (local.get 0) (i32.const 1))))
    (func (export "run") (call $down (i32.const 500)))))"));
  const std::vector<TraceFrame> frames = Trace(plan, ResultOf(plan, 50));
  ASSERT_EQ(frames.size(), ReplayLimits::kMostFrames);
  EXPECT_EQ(frames.front().offset, OffsetOf(*plan.spec.module, 0, Opcode::kUnreachable));
  EXPECT_EQ(frames.back().offset, OffsetOf(*plan.spec.module, 0, Opcode::kCall));
}

TEST_F(ReplayTest, AFullStackIsATrapOfTheCall) {
  const JobPlan plan =
      PlanOf(ModuleOf(R"((module (func $down (call $down)) (func (export "run") (call $down))))"));
  const InstanceResult result = ResultOf(plan);
  ASSERT_EQ(result.trap, Trap::kStackExhausted);
  EXPECT_EQ(Trace(plan, result).size(), ReplayLimits::kMostFrames);
}

TEST_F(ReplayTest, FramesNameTheirModules) {
  const auto library = ModuleOf(R"((module (func) (func (export "g") (unreachable))))");
  const auto main = ModuleOf(R"((module (import "lib" "g" (func $g))
    (func (export "run") (call $g))))");
  const JobPlan plan = PlanOf(
      Link(PartsByName({{"lib", library}, {"", main}}), {}, Instantiation::kAtStart).value());
  const std::vector<TraceFrame> want = {{1, OffsetOf(*library, 1, Opcode::kUnreachable), "lib"},
                                        {1, OffsetOf(*main, 1, Opcode::kCall), ""}};
  EXPECT_EQ(Trace(plan, ResultOf(plan)), want);
}

TEST_F(ReplayTest, AModuleMadeOfBindingsIsNoFrame) {
  const auto main = ModuleOf(R"((module (import "env" "abort" (func $abort))
    (func (export "run") (call $abort))))");
  const BoundModules bound = BindModules({{"", main}}, {{"*", Binding::Way::kTrap, {}}}).value();
  const JobPlan plan = PlanOf(Link(PartsOf(bound), {}, Instantiation::kAtStart).value());
  const InstanceResult result = ResultOf(plan);
  ASSERT_EQ(result.trap, Trap::kImportCalled);
  const std::vector<TraceFrame> want = {{1, OffsetOf(*main, 1, Opcode::kCall), ""}};
  EXPECT_EQ(Trace(plan, result), want);
}

TEST_F(ReplayTest, AnInputThatDevicesKeepIsReadAgain) {
  const auto module = ModuleOf(kInputSaysHowDeep);
  std::vector<TraceFrame> want = {{1, OffsetOf(*module, 1, Opcode::kUnreachable), ""}};
  want.insert(want.end(), 5, {1, OffsetOf(*module, 1, Opcode::kCall), ""});
  want.push_back({4, OffsetOf(*module, 4, Opcode::kCall, 1), ""});
  for (const size_t bytes : {kLeastKeptBytes - 1, kLeastKeptBytes}) {
    const JobPlan plan = PlanOf(module, InputOf(bytes, 5));
    ASSERT_EQ(plan.kept.has_value(), bytes == kLeastKeptBytes);
    EXPECT_EQ(Trace(plan, ResultOf(plan, 9)), want) << bytes;
  }
}

TEST_F(ReplayTest, AResultThatIsNotComeToAgainHasNoFrames) {
  const JobPlan plan = PlanOf(ModuleOf(kDivide));
  InstanceResult result = ResultOf(plan);
  ++result.fuel;
  EXPECT_EQ(Try(plan, result).status().reason(), Reason::kInternal);
  --result.fuel;
  ++result.trap_offset;
  EXPECT_EQ(Try(plan, result).status().reason(), Reason::kInternal);
}

TEST_F(ReplayTest, ARunThatTakesTooLongSaysSo) {
  const JobPlan plan = PlanOf(ModuleOf(R"((module (func (export "run") (local $i i32)
    (loop $l (br_if $l (local.tee $i (i32.add (local.get $i) (i32.const 1)))))
    unreachable)))"));
  InstanceResult result;
  result.end = End::kTrapped;
  ReplayLimits limits;
  limits.time = std::chrono::milliseconds(1);
  const Status status = Try(plan, result, limits).status();
  EXPECT_EQ(status.reason(), Reason::kDeadlineExceeded);
  EXPECT_NE(status.message().find("[1] ms (backtraces.max_time)"), std::string::npos);
}

TEST_F(ReplayTest, ALostDeviceIsReplacedForTheNextReplay) {
  const JobPlan plan = PlanOf(ModuleOf(kDivide));
  const InstanceResult result = ResultOf(plan);
  int starts = 0;
  Replay replay(modules_,
                [&](const std::function<void()>& on_lost) -> Result<StartedDevice> {
                  if (++starts == 1) return Status(Reason::kDeviceLost, "It died in a test.");
                  return TracingInterpreter()(on_lost);
                },
                {});
  EXPECT_EQ(replay.Trace(plan, result).status().message(),
            "It died in a test. It is bounded by backtraces.max_memory_bytes and "
            "backtraces.max_time.");
  EXPECT_EQ(replay.Trace(plan, result).value().size(), 3u);
  EXPECT_EQ(replay.Trace(plan, result).value().size(), 3u);
  EXPECT_EQ(starts, 2);
}

TEST_F(ReplayTest, AfterAStopNothingIsReplayed) {
  const JobPlan plan = PlanOf(ModuleOf(kDivide));
  Replay replay(modules_, TracingInterpreter(), {});
  replay.Stop();
  EXPECT_EQ(replay.Trace(plan, ResultOf(plan)).status().reason(), Reason::kCancelled);
}

TEST_F(ReplayTest, WhatWouldTakeLongIsNotReplayed) {
  const JobPlan plan = PlanOf(ModuleOf(kDivide));
  const InstanceResult result = ResultOf(plan);
  ReplayLimits limits;
  EXPECT_TRUE(MayReplay(plan, result, limits));
  limits.fuel = result.fuel - 1;
  EXPECT_FALSE(MayReplay(plan, result, limits));
  limits = {};
  limits.module_bytes = 10;
  EXPECT_FALSE(MayReplay(plan, result, limits));
  InstanceResult other = result;
  other.end = End::kReturned;
  EXPECT_FALSE(MayReplay(plan, other, {}));
  other = result;
  other.trap_function = abi::NONE;
  EXPECT_FALSE(MayReplay(plan, other, {}));
  other = result;
  limits = {};
  limits.memory_bytes = 40 * abi::PAGE_BYTES;
  other.memory_pages = 10;
  EXPECT_TRUE(MayReplay(plan, other, limits));
  other.memory_pages = 11;
  EXPECT_FALSE(MayReplay(plan, other, limits));
}

}  // namespace
}  // namespace wb::test
