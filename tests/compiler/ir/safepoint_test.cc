// Which functions are bounded, how safepoints are numbered, what a frame holds.

#include <gtest/gtest.h>

#include <string>

#include "compiler/passes/passes.h"
#include "tests/compiler/ir/lowered_text.h"

namespace wb::test {
namespace {

// A function that costs `fuel`, one to spare for each of `count` calls of function `callee`.
std::string Costing(uint32_t fuel, uint32_t count = 0, uint32_t callee = 0) {
  std::string text = "(func ";
  for (uint32_t i = 0; i < fuel; ++i) text += "(drop (i32.const 0))";
  for (uint32_t i = 0; i < count; ++i) text += "(call " + std::to_string(callee) + ")";
  return text + ")";
}

std::string ModuleOf(const std::string& functions) {
  return "(module (memory 1)" + functions + ")";
}

TEST(SafepointTest, NumbersFollowTheRowsCallsIncluded) {
  constexpr const char* kText = R"((module (func $leaf (loop))
 (func (export "f") (param i32)
  (loop $a (if (local.get 0) (then (call $leaf)) (else (loop $b (br_if $b (local.get 0)))))
    (br_if $a (local.get 0)))
  (call $leaf))))";
  EXPECT_EQ(DumpOf(kText, 0), R"(
function 0 slots 2 safepoints 2 frame 1:
  safepoint 1
  loop 1
    safepoint 2
  end 1
  ->
)");
  EXPECT_EQ(DumpOf(kText, 1), R"(
function 1 slots 4 safepoints 5 frame 2: l0
  safepoint 1
  loop 1
    pay 2
    safepoint 2
    if l0 2
      pay 1
      call f0 -> @3
    else 2
      loop 3
        pay 2
        safepoint 4
        br_if l0 3
      end 3
    end 2
    pay 2
    br_if l0 1
  end 1
  pay 1
  call f0 -> @5
  ->
)");
}

TEST(FrameTest, WhatWaitsOnTheStackAcrossACallIsInTheFrame) {
  constexpr const char* kText =
      R"((module (func $loops (param i32) (result i32) (loop (br_if 0 (local.get 0))) (local.get 0))
 (func (export "f") (param i32 i64) (result i32)
  (i32.add (i32.mul (local.get 0) (i32.const 7)) (call $loops (i32.const 3))))))";
  EXPECT_EQ(DumpOf(kText, 0), R"(
function 0 slots 4 safepoints 2 frame 2: l0
  safepoint 1
  loop 1
    pay 2
    safepoint 2
    br_if l0 1
  end 1
  pay 1
  t1 = copy l0
  -> t1
)");
  EXPECT_EQ(DumpOf(kText, 1), R"(
function 1 slots 6 safepoints 2 frame 3: l0 t4
  pay 6
  safepoint 1
  t3 = const 7
  t4 = i32.mul l0 t3
  t5 = const 3
  call f0 t5 -> t6 @2
  t7 = i32.add t4 t6
  t2 = copy t7
  -> t2
)");
}

// l2 is written before it is read in every round, so nothing of it lives across the header.
TEST(FrameTest, AScratchLocalIsNotInTheFrame) {
  const auto lowered = MustLower(R"((module (func (param i32) (result i32) (local i32 i32)
    (loop $top
      (local.set 2 (i32.mul (local.get 1) (i32.const 3)))
      (local.set 1 (i32.add (local.get 2) (local.get 1)))
      (br_if $top (i32.lt_u (local.get 1) (local.get 0))))
    (local.get 1))))");
  const ir::Function& function = lowered->program.functions[0];
  EXPECT_EQ(function.frame_vars, (std::vector<ir::Var>{0, 1}));
  EXPECT_EQ(function.frame_words, 3u);
  EXPECT_EQ(function.stack_slots, 2u + 3u + 2u);
}

TEST(FrameTest, WideValuesTakeTwoWords) {
  const auto lowered = MustLower(R"((module (func (param i64 f64 f32)
    (loop (br_if 0 (i64.eqz (local.get 0))) (br_if 0 (f64.ne (local.get 1) (local.get 1)))
      (br_if 0 (f32.ne (local.get 2) (local.get 2)))))))");
  EXPECT_EQ(lowered->program.functions[0].frame_words, 1u + 2 + 2 + 1);
}

// A memory.grow comes again where the engine has not reserved enough: what it reads lives across
// it, also where nothing behind reads it, and its result does not.
TEST(FrameTest, AGrowThatComesAgainKeepsItsOperand) {
  const auto lowered = MustLower(R"((module (memory 1) (func (param i32 i32) (result i32)
    (i32.add (memory.grow (i32.mul (local.get 0) (local.get 0))) (local.get 1)))))");
  const ir::Function& function = lowered->program.functions[0];
  EXPECT_EQ(function.safepoints, 2u);
  ir::Inst grow;
  for (const ir::Inst& inst : function.insts) {
    if (inst.op == ir::Op::kMemoryGrow) grow = inst;
  }
  EXPECT_EQ(grow.imm, 2u);
  EXPECT_EQ(function.frame_vars, (std::vector<ir::Var>{0, 1, grow.a}));
  ir::Function unpaid = function;
  std::erase_if(unpaid.insts, [](const ir::Inst& inst) {
    return inst.op == ir::Op::kPayVar || inst.op == ir::Op::kSelect;
  });
  PlanFrame(unpaid);
  EXPECT_EQ(unpaid.frame_vars, (std::vector<ir::Var>{0, 1, grow.a}));
}

TEST(BoundedTest, UpTo4096) {
  for (auto [fuel, bounded] : {std::pair{4096u, true}, std::pair{4097u, false}}) {
    const auto lowered = MustLower(ModuleOf(Costing(fuel)));
    const ir::Function& function = lowered->program.functions[0];
    EXPECT_EQ(function.bounded, bounded) << fuel;
    EXPECT_EQ(function.safepoints, bounded ? 0u : 1u) << fuel;
    EXPECT_EQ(function.stack_slots, bounded ? 0u : 3u) << fuel;
  }
}

TEST(BoundedTest, CalleesCount) {
  const auto lowered = MustLower(
      ModuleOf(Costing(1000) + Costing(1092, 3, 0) + Costing(1093, 3, 0) + Costing(0, 1, 2)));
  EXPECT_EQ(lowered->program.functions[1].worst_cost, 1092u + 3 + 3000);
  EXPECT_TRUE(lowered->program.functions[1].bounded);
  EXPECT_EQ(lowered->program.functions[2].worst_cost, 4096u);
  EXPECT_TRUE(lowered->program.functions[2].bounded);
  EXPECT_FALSE(lowered->program.functions[3].bounded);  // 4,097
}

TEST(BoundedTest, TheDearestPathCountsNotTheSum) {
  const std::string arm = "(then " + Costing(3000).substr(6);
  const auto lowered = MustLower(ModuleOf("(func (param i32) (if (local.get 0) " + arm + "(else " +
                                          Costing(2000).substr(6) + "))"));
  EXPECT_TRUE(lowered->program.functions[0].bounded);
  EXPECT_EQ(lowered->program.functions[0].worst_cost, 3002u);
}

TEST(BoundedTest, LoopsGrowingAndLongBulkAreNot) {
  for (const char* body : {"(loop)", "(drop (memory.grow (i32.const 0)))",
                           "(memory.fill (i32.const 0) (i32.const 0) (memory.size))",
                           "(memory.copy (i32.const 0) (i32.const 0) (memory.size))"}) {
    const auto lowered = MustLower(ModuleOf("(func " + std::string(body) + ")"));
    EXPECT_FALSE(lowered->program.functions[0].bounded) << body;
    EXPECT_EQ(lowered->program.functions[0].safepoints >= 1, true) << body;
  }
}

// Function i calls function i - 1 twice: 40 of them are 2^40 calls.
TEST(BoundedTest, DoublingCallsAreNot) {
  std::string functions = Costing(1);
  for (uint32_t i = 1; i < 41; ++i) functions += Costing(0, 2, i - 1);
  const auto lowered = MustLower(ModuleOf(functions));
  // 1, 4, 10, 22, ...: 3 * 2^i - 2
  EXPECT_TRUE(lowered->program.functions[10].bounded);
  EXPECT_EQ(lowered->program.functions[10].worst_cost, 3070u);
  for (uint32_t i = 11; i < 41; ++i) EXPECT_FALSE(lowered->program.functions[i].bounded) << i;
}

TEST(RecursionTest, CyclesAreFoundAndTheirCallersAreNot) {
  const auto lowered = MustLower(
      ModuleOf("(func $self (call $self)) (func $odd (call $even)) (func $even (call $third))"
               "(func $third (call $odd)) (func $caller (call $self) (call $odd)) (func $leaf)"));
  const auto& functions = lowered->program.functions;
  for (uint32_t i = 0; i < 4; ++i) EXPECT_TRUE(functions[i].recursive) << i;
  for (uint32_t i = 0; i < 5; ++i) EXPECT_FALSE(functions[i].bounded) << i;
  EXPECT_FALSE(functions[4].recursive);
  EXPECT_FALSE(functions[5].recursive);
  EXPECT_TRUE(functions[5].bounded);
}

}  // namespace
}  // namespace wb::test
