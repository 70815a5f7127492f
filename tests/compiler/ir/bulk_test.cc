// Bulk operators of unknown length: a loop in place, or where there are many a function of our own.

#include <gtest/gtest.h>

#include <string>

#include "compiler/passes/rows/bulk_functions.h"
#include "tests/compiler/ir/lowered_text.h"

namespace wb::test {
namespace {

using ir::Op;

std::string Repeat(const std::string& unit, uint32_t count) {
  std::string text;
  for (uint32_t i = 0; i < count; ++i) text += unit;
  return text;
}

std::string Copies(uint32_t count) {
  return "(module (memory 1) (func (export \"f\") (param i32 i32 i32)" +
         Repeat("(memory.copy (local.get 0) (local.get 1) (local.get 2))", count) + "))";
}

TEST(BulkTest, AFewHaveTheirLoopInPlace) {
  const auto lowered = MustLower(Copies(BulkFunctions::kMostInline));
  ASSERT_EQ(lowered->program.functions.size(), 1u);
  EXPECT_EQ(CountOf(lowered->program.functions[0], Op::kLoop), BulkFunctions::kMostInline);
}

TEST(BulkTest, MoreOfAKindCallOneFunction) {
  const auto lowered = MustLower(Copies(BulkFunctions::kMostInline + 5));
  ASSERT_EQ(lowered->program.functions.size(), 2u);
  const ir::Function& caller = lowered->program.functions[0];
  const ir::Function& loop = lowered->program.functions[1];
  EXPECT_EQ(CountOf(caller, Op::kLoop), BulkFunctions::kMostInline);
  EXPECT_EQ(CountOf(caller, Op::kCall), 5u);
  EXPECT_EQ(CountOf(caller, Op::kMemoryCopyCheck), BulkFunctions::kMostInline + 5);
  EXPECT_EQ(CountOf(loop, Op::kMemoryCopyCheck), 0u);
  EXPECT_TRUE(loop.synthetic);
  EXPECT_FALSE(loop.bounded);
  EXPECT_EQ(loop.stack_slots, 0u);
  EXPECT_EQ(loop.safepoints, 1u);    // none at its entry
  EXPECT_EQ(loop.worst_cost, 512u);  // two chunks of 256
  EXPECT_EQ(loop.frame_words, 4u);   // where it left, what is left
  for (const ir::Call& call : caller.calls) {
    EXPECT_EQ(call.callee, loop.index);
    EXPECT_NE(call.safepoint, 0u);
  }
}

TEST(BulkTest, AShortConstantLengthIsNeitherLoopNorCall) {
  const auto lowered =
      MustLower("(module (memory 1) (func (export \"f\") (param i32 i32)" +
                Repeat("(memory.copy (local.get 0) (local.get 1) (i32.const 4096))", 10) + "))");
  ASSERT_EQ(lowered->program.functions.size(), 1u);
  EXPECT_TRUE(lowered->program.functions[0].bounded);
}

// By operator, segment and table.
TEST(BulkTest, EachKindHasItsOwnFunction) {
  const uint32_t many = BulkFunctions::kMostInline + 1;
  const std::string operands = "(local.get 0) (local.get 1) (local.get 2))";
  const std::string fill = "(local.get 0) (ref.null func) (local.get 2))";
  const auto lowered = MustLower(
      "(module (memory 1) (table $t 9 funcref) (table $u 9 funcref) (data $a \"aa\") (data $b "
      "\"b\")"
      "(elem $e funcref (ref.null func)) (func (export \"f\") (param i32 i32 i32)" +
      Repeat("(memory.copy " + operands + "(memory.fill " + operands + "(memory.init $a " +
                 operands + "(memory.init $b " + operands + "(table.fill $t " + fill +
                 "(table.fill $u " + fill + "(table.copy $t $u " + operands + "(table.copy $u $t " +
                 operands + "(table.init $t $e " + operands,
             many) +
      "))");
  ASSERT_EQ(lowered->program.functions.size(), 1u + 9u);
  for (uint32_t i = 1; i < 10; ++i) {
    const ir::Function& loop = lowered->program.functions[i];
    EXPECT_EQ(loop.index, i);
    EXPECT_EQ(CountOf(loop, Op::kLoop), 1u);
  }
  EXPECT_EQ(lowered->program.functions[0].calls.size(), 9u);
}

// Numbered in the order in which code first needs them, among trampolines.
TEST(BulkTest, FunctionsOfOurOwnShareTheIndices) {
  const auto lowered = MustLower(
      "(module (memory 1) (table 8 funcref) (elem (i32.const 0) $a $b $c $d $e $f)"
      "(func $a) (func $b) (func $c) (func $d) (func $e)"
      "(func $f (export \"f\") (param i32 i32 i32)" +
      Repeat("(memory.fill (local.get 0) (local.get 1) (local.get 2))", 9) +
      "(call_indirect (local.get 0)))"
      "(func (export \"g\") (param i32 i32 i32)" +
      Repeat("(memory.copy (local.get 0) (local.get 1) (local.get 2))", 9) + "))");
  ASSERT_EQ(lowered->program.functions.size(), 7u + 3u);
  EXPECT_EQ(CountOf(lowered->program.functions[7], Op::kMemoryFillChunk), 1u);
  EXPECT_EQ(lowered->program.lookups[0].trampoline, 8u);
  EXPECT_EQ(lowered->program.functions[8].calls.size(), 5u);
  EXPECT_EQ(CountOf(lowered->program.functions[9], Op::kMemoryCopyChunk), 1u);
}

}  // namespace
}  // namespace wb::test
