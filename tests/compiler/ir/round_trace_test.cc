// A round of a loop with loops inside, as rows one behind the other.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "compiler/passes/loops/round_trace.h"
#include "tests/compiler/ir/lowered_text.h"

namespace wb::test {
namespace {

using ir::Op;
using ir::RoundStep;

// `inner` stands in a loop of 10 rounds with $i; $j, $k and $s are free.
std::string Nest(const std::string& inner) {
  return R"((module (memory 1) (func $other)
      (func (export "run") (param $n i32) (result i32)
        (local $i i32) (local $j i32) (local $k i32) (local $s i32)
        (local.set $i (i32.const 0))
        (loop $l
          )" +
         inner + R"(
          (local.set $i (i32.add (local.get $i) (i32.const 1)))
          (br_if $l (i32.ne (local.get $i) (i32.const 10))))
        (local.get $s))))";
}
// Rounds with $j = 0, 4, ... below `last`.
std::string InnerLoop(const std::string& body, const std::string& last = "(i32.const 16)") {
  return "(local.set $j (i32.const 0)) (block $left (loop $m (block $next " + body +
         ") (local.set $j (i32.add (local.get $j) (i32.const 4))) (br_if $m (i32.lt_u "
         "(local.get $j) " +
         last + "))))";
}
constexpr const char* kSum =
    "(local.set $s (i32.add (local.get $s) (i32.load offset=64 (local.get $j))))"
    "(i32.store offset=64 (local.get $j) (local.get $s))";

struct Traced {
  explicit Traced(const std::string& inner) : lowered(MustLower(Nest(inner))) {
    const std::vector<KnownBits> facts(function().vars.size());
    uint64_t budget = 10'000;
    for (uint32_t i = 1; i < function().constructs.size(); ++i) {
      if (function().constructs[i].kind != ir::ConstructKind::kLoop) continue;
      trace = TraceRound(function(), i, facts, &budget);
      break;
    }
  }
  const ir::Function& function() const {
    return lowered->program.function(lowered->program.functions.size() > 1 ? 1 : 0);
  }
  // Steps of this kind, whose row is an `op` if that is given.
  int64_t Count(RoundStep::Kind kind, std::optional<Op> op = {}) const {
    return std::count_if(trace->steps.begin(), trace->steps.end(), [&](const RoundStep& step) {
      return step.kind == kind && (!op || function().insts[step.row].op == *op);
    });
  }

  std::shared_ptr<const LoweredModule> lowered;
  std::optional<RoundTrace> trace;
};

TEST(RoundTrace, RoundsOfAnInnerLoopStandOneBehindTheOther) {
  const Traced traced(InnerLoop(kSum));
  ASSERT_TRUE(traced.trace);
  EXPECT_EQ(traced.Count(RoundStep::Kind::kOpen), 4);
  EXPECT_EQ(traced.Count(RoundStep::Kind::kClose), 4);
  EXPECT_EQ(traced.Count(RoundStep::Kind::kRow, Op::kLoad), 4);
  EXPECT_EQ(traced.Count(RoundStep::Kind::kDecided, Op::kBrIf), 4);
  EXPECT_EQ(traced.Count(RoundStep::Kind::kRow, Op::kBrIf), 1) << "the loop's own";
  EXPECT_EQ(traced.Count(RoundStep::Kind::kRow, Op::kBlock), 0) << "no branch leaves it";
  std::vector<uint32_t> values;  // of $j
  for (size_t i = 0; i < traced.trace->steps.size(); ++i) {
    const ir::Inst& inst = traced.function().insts[traced.trace->steps[i].row];
    if (inst.op == Op::kNumeric && inst.opcode == Opcode::kI32LtU) {
      EXPECT_TRUE(traced.trace->results[i].is_constant());
      values.push_back(traced.trace->results[i].ones);
    }
  }
  EXPECT_EQ(values, (std::vector<uint32_t>{1, 1, 1, 0}));
}

TEST(RoundTrace, IsACountedLoopWithItsWordsAsSlots) {
  const Traced traced(InnerLoop(kSum));
  const auto& loops = traced.function().counted_loops;
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_EQ(loops[0].rounds, 10u);
  EXPECT_EQ(loops[0].steps.size(), traced.trace->steps.size());
  EXPECT_EQ(loops[0].slots.size(), 4u);
  EXPECT_TRUE(loops[1].steps.empty());
}

TEST(RoundTrace, RoundsThatAreNotKnownAreNone) {
  EXPECT_FALSE(Traced(InnerLoop(kSum, "(local.get $n)")).trace);
  EXPECT_FALSE(Traced(InnerLoop(kSum, "(local.get $i)")).trace);
  EXPECT_FALSE(Traced(InnerLoop(std::string(kSum) + "(call $other)")).trace);
  EXPECT_FALSE(Traced(InnerLoop(kSum, "(i32.const 100000)")).trace) << "too long";
  EXPECT_FALSE(Traced(InnerLoop("(br_if $m (local.get $s))")).trace);
}

TEST(RoundTrace, EachStepIsTakenFromTheBudget) {
  const Traced traced(InnerLoop(kSum));
  const std::vector<KnownBits> facts(traced.function().vars.size());
  uint64_t budget = 1'000;
  ASSERT_TRUE(TraceRound(traced.function(), 1, facts, &budget));
  const uint64_t taken = 1'000 - budget;
  EXPECT_GE(taken, traced.trace->steps.size());
  budget = taken;
  EXPECT_TRUE(TraceRound(traced.function(), 1, facts, &budget));
  EXPECT_EQ(budget, 0u);
  budget = taken - 1;
  EXPECT_FALSE(TraceRound(traced.function(), 1, facts, &budget));
}

TEST(RoundTrace, BranchesThatAreDecidedAreGone) {
  const Traced traced(
      InnerLoop(std::string("(br_if $next (i32.eq (local.get $j) (i32.const 4)))") + kSum +
                "(if (i32.eq (local.get $j) (i32.const 8)) (then (br $left)) (else (i32.store "
                "(i32.const 0) (i32.const 1))))"));
  ASSERT_TRUE(traced.trace);
  EXPECT_EQ(traced.Count(RoundStep::Kind::kOpen), 3);
  EXPECT_EQ(traced.Count(RoundStep::Kind::kClose), 3);
  EXPECT_EQ(traced.Count(RoundStep::Kind::kRow, Op::kLoad), 2);
  EXPECT_EQ(traced.Count(RoundStep::Kind::kRow, Op::kStore), 3);
  EXPECT_EQ(traced.Count(RoundStep::Kind::kRow, Op::kIf), 0);
  EXPECT_EQ(traced.Count(RoundStep::Kind::kRow, Op::kBr), 0);
}

TEST(RoundTrace, BranchesThatAreNotStayWithTheirBlocks) {
  const Traced traced(InnerLoop(
      std::string(kSum) +
      "(br_if $left (i32.eqz (local.get $s)))"
      "(if (i32.and (local.get $s) (i32.const 1)) (then (local.set $k (i32.const 1)) (br $next))"
      " (else (local.set $k (i32.const 2))))"
      "(br_if $next (i32.eq (local.get $k) (i32.const 2)))"));
  ASSERT_TRUE(traced.trace);
  EXPECT_EQ(traced.Count(RoundStep::Kind::kOpen), 4);
  EXPECT_EQ(traced.Count(RoundStep::Kind::kRow, Op::kIf), 4);
  EXPECT_EQ(traced.Count(RoundStep::Kind::kRow, Op::kElse), 4);
  EXPECT_EQ(traced.Count(RoundStep::Kind::kRow, Op::kBlock), 5) << "$left, and $next in each round";
  EXPECT_EQ(traced.Count(RoundStep::Kind::kRow, Op::kEnd), 9);
  EXPECT_EQ(traced.Count(RoundStep::Kind::kRow, Op::kBrIf), 4 + 4 + 1)
      << "$k is not known behind the if";
}

// Values before a loop's round are not those of its end.
TEST(RoundTrace, WhatARoundLeavesIsNotKnownInTheNext) {
  const Traced traced("(if (i32.eqz (local.get $k)) (then " + InnerLoop(kSum) +
                      ")) (local.set $k (i32.const 1))");
  ASSERT_TRUE(traced.trace);
  EXPECT_EQ(traced.Count(RoundStep::Kind::kRow, Op::kIf), 1);
}

}  // namespace
}  // namespace wb::test
