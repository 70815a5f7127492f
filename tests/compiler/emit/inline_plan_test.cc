// What a compiler may copy into its callers.

#include "compiler/emit/plan/inline_plan.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/compiler/ir/lowered_text.h"

namespace wb::test {
namespace {

// Function 0 has `rows` of code; each further one calls the one before it twice; the last is
// exported.
std::string Doubling(uint32_t functions, uint32_t rows) {
  std::string text = "(module (global $g (mut i32) (i32.const 0)) (func";
  for (uint32_t i = 0; i < rows; ++i) text += " (global.set $g (i32.const 1))";
  text += ")";
  for (uint32_t i = 1; i < functions; ++i) {
    const std::string call = " (call " + std::to_string(i - 1) + ")";
    text += "(func" + call + call + ")";
  }
  return text + "(export \"run\" (func " + std::to_string(functions - 1) + ")))";
}

struct Planned {
  explicit Planned(const std::string& text, uint32_t entry, uint64_t most_rows = 1000)
      : module(MustLower(text)),
        native(module->program, {entry}, {}),
        plan(module->program, native, most_rows) {}
  std::shared_ptr<const LoweredModule> module;
  NativeCalls native;
  InlinePlan plan;
};

TEST(InlinePlanTest, WhatStaysSmallMayBeCopiedEverywhere) {
  const Planned planned(Doubling(4, 3), 3);
  EXPECT_EQ(planned.plan.limit(), 1000u);
  for (uint32_t i = 0; i < 4; ++i) EXPECT_TRUE(planned.plan.MayInline(i, 0)) << i;
  EXPECT_GT(planned.plan.rows(), 8u * 3);
  EXPECT_LT(planned.plan.rows(), 300u);
}

TEST(InlinePlanTest, OptionsLowerTheLimit) {
  const Planned planned(Doubling(4, 3), 3, 0);
  EXPECT_EQ(planned.plan.limit(), 0u);
  for (uint32_t i = 0; i < 4; ++i) EXPECT_FALSE(planned.plan.MayInline(i, 0)) << i;
}

// 2^29 copies of the innermost one otherwise.
TEST(InlinePlanTest, CopiesOfCopiesEndAtTheLimit) {
  const Planned planned(Doubling(30, 20), 29);
  EXPECT_EQ(planned.plan.limit(), 1000u);
  EXPECT_LE(planned.plan.rows(), InlinePlan::kMostRows);
  uint32_t alone = 0;
  for (uint32_t i = 0; i < 30; ++i) alone += planned.plan.MayInline(i, 0) ? 0 : 1;
  EXPECT_GE(alone, 3u);
  EXPECT_LE(alone, 8u);
  EXPECT_TRUE(planned.plan.MayInline(0, 0));
}

TEST(InlinePlanTest, AWholeTextThatWouldBeLargeGetsALowerLimit) {
  std::string text = "(module (global $g (mut i32) (i32.const 0)) (func $leaf";
  for (int i = 0; i < 130; ++i) text += " (global.set $g (i32.const 1))";
  text += ")";
  std::string run = "(func (export \"run\")";
  for (int i = 0; i < 60; ++i) {
    const std::string name = "$f" + std::to_string(i);
    text += "(func " + name + " (call $leaf) (call $leaf) (call $leaf))";
    run += "(call " + name + ")(call " + name + ")";
  }
  const Planned planned(text + run + "))", 61);
  EXPECT_LT(planned.plan.limit(), 300u);
  EXPECT_LE(planned.plan.rows(), InlinePlan::kMostRows);
  EXPECT_FALSE(planned.plan.MayInline(0, 0));
}

TEST(InlinePlanTest, CopiesOfRecursiveFunctionsAreCountedLikeOthers) {
  const Planned planned(R"((module (func (export "fib") (param i32) (result i32)
      (if (result i32) (i32.lt_u (local.get 0) (i32.const 2)) (then (local.get 0))
        (else (i32.add (call 0 (i32.sub (local.get 0) (i32.const 1)))
                       (call 0 (i32.sub (local.get 0) (i32.const 2)))))))))",
                        0);
  const std::vector<uint32_t>& copies = planned.native.CopiesOf(0);
  ASSERT_GT(copies.size(), 8u);
  EXPECT_TRUE(planned.plan.MayInline(0, copies.back()));
  EXPECT_FALSE(planned.plan.MayInline(0, 1));
  EXPECT_LE(planned.plan.rows(), InlinePlan::kMostRows);
}

}  // namespace
}  // namespace wb::test
