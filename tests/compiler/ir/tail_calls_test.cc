// Tail calls in the IR: which replace their caller, and what that makes of both.

#include <gtest/gtest.h>

#include "tests/compiler/ir/lowered_text.h"

namespace wb::test {
namespace {

TEST(TailCallTest, OfABoundedFunctionIsACallAndAReturn) {
  const auto lowered = MustLower(R"((module
    (func $leaf (param i32) (result i32) (i32.add (local.get 0) (i32.const 1)))
    (func (export "run") (result i32) (return_call $leaf (i32.const 5)))))");
  const ir::Program& program = lowered->program;
  const ir::Function& run = program.functions[1];
  EXPECT_TRUE(run.bounded);
  EXPECT_EQ(run.worst_cost, 2u + 3u);
  EXPECT_FALSE(run.recursive);
  EXPECT_TRUE(run.calls[0].tail);
  EXPECT_FALSE(program.ReplacesCaller(run.calls[0]));
  EXPECT_FALSE(lowered->layout.recursive());
}

constexpr const char* kPair = R"((module
    (func $a (param i32) (return_call $b (local.get 0)))
    (func $b (param i32) (local i64) (if (local.get 0) (then (return_call $a (local.get 0)))))
    (func (export "run") (call $a (i32.const 1)))
    (func $last (export "last") (return_call $loop))
    (func $loop (loop (br_if 0 (i32.const 0)))) (func (export "calls") (call $loop))))";

TEST(TailCallTest, ACycleOfThemIsUnboundedAndRecursive) {
  const auto lowered = MustLower(kPair);
  const ir::Program& program = lowered->program;
  for (uint32_t function : {0u, 1u}) {
    EXPECT_FALSE(program.functions[function].bounded);
    EXPECT_TRUE(program.functions[function].recursive);
    EXPECT_TRUE(program.ReplacesCaller(program.functions[function].calls[0]));
    EXPECT_EQ(program.functions[function].calls[0].safepoint, 0u);
    EXPECT_EQ(program.functions[function].safepoints, 1u);  // the entry
  }
  EXPECT_EQ(program.functions[0].component, program.functions[1].component);
  EXPECT_FALSE(program.functions[2].recursive);
  EXPECT_NE(program.functions[2].calls[0].safepoint, 0u);
}

TEST(TailCallTest, BothEndsAreRoots) {
  const auto lowered = MustLower(kPair);
  const ir::Program& program = lowered->program;
  EXPECT_TRUE(program.functions[3].recursive);
  EXPECT_TRUE(program.functions[4].recursive);
  EXPECT_NE(program.functions[3].component, program.functions[4].component);
  EXPECT_FALSE(program.functions[5].recursive);
}

// The entry's safepoint is the loop's header.
TEST(TailCallTest, OfAFunctionItselfIsALoop) {
  const auto lowered = MustLower(R"((module
    (func $down (export "run") (param i32 i32) (result i32) (local $fresh v128)
      (if (i32.eqz (local.get 0)) (then (return (local.get 1))))
      (return_call $down (i32.sub (local.get 0) (i32.const 1)) (local.get 0)))))");
  const ir::Function& down = lowered->program.functions[0];
  EXPECT_TRUE(down.calls.empty());
  EXPECT_FALSE(down.recursive);
  EXPECT_FALSE(lowered->layout.recursive());
  EXPECT_EQ(down.insts[0].op, ir::Op::kLoop);
  EXPECT_EQ(down.insts[2].op, ir::Op::kSafepoint);
  EXPECT_EQ(down.safepoints, 1u);
  EXPECT_EQ(down.constructs[1].header_safepoint, 1u);
  EXPECT_EQ(down.stack_slots, 2u + 2 + 2 + 2);
}

TEST(TailCallTest, OfAFunctionItselfWhereNothingComesIsNone) {
  const auto lowered = MustLower(R"((module
    (func $f (export "run") (param i32) (result i32) (return (local.get 0))
      (return_call $f (local.get 0)))))");
  const ir::Function& f = lowered->program.functions[0];
  EXPECT_TRUE(f.bounded);
  EXPECT_EQ(CountOf(f, ir::Op::kLoop), 0u);
  EXPECT_EQ(CountOf(f, ir::Op::kSafepoint), 0u);
  EXPECT_EQ(f.worst_cost, 1u);
}

// 2, its locals and the deepest operand stack, on which results of a tail call never lie.
TEST(TailCallTest, ResultsTakeNoStack) {
  const auto lowered = MustLower(R"((module
    (func $many (result i64 i64 i64) (loop (br_if 0 (i32.const 0)))
      (i64.const 1) (i64.const 2) (i64.const 3))
    (func (export "run") (param i32) (result i64 i64 i64) (drop (local.get 0))
      (return_call $many))))");
  EXPECT_EQ(lowered->program.functions[1].stack_slots, 2u + 1 + 1);
  EXPECT_EQ(lowered->program.functions[0].stack_slots, 2u + 3);
}

TEST(TailCallTest, ManyCalleesHaveATrampolineOfTheirOwn) {
  const auto lowered = MustLower(R"((module (table 5 funcref) (type $t (func))
    (elem (i32.const 0) func $a $b $c $d $run) (func $a) (func $b) (func $c) (func $d)
    (func $run (export "run") (param) (return_call_indirect (type $t) (i32.const 3)))
    (func (export "plain") (call_indirect (type $t) (i32.const 3)))))");
  const ir::Program& program = lowered->program;
  ASSERT_EQ(program.functions.size(), 8u);
  const ir::Lookup& lookup = program.lookups[0];
  const ir::Function& trampoline = program.function(lookup.tail_trampoline);
  EXPECT_TRUE(trampoline.synthetic);
  EXPECT_EQ(trampoline.calls.size(), 5u);
  EXPECT_EQ(trampoline.stack_slots, 0u);
  EXPECT_EQ(trampoline.safepoints, 0u);
  EXPECT_TRUE(program.function(4).recursive);
  EXPECT_EQ(program.function(4).calls[0].callee, lookup.tail_trampoline);
  EXPECT_EQ(program.function(5).calls[0].callee, lookup.trampoline);
}

}  // namespace
}  // namespace wb::test
