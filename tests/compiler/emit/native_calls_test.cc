// Which calls of recursive functions stay native, and in which copy.

#include "compiler/emit/plan/native_calls.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/compiler/ir/lowered_text.h"

namespace wb::test {
namespace {

constexpr uint32_t kLeaves = NativeCalls::kLeaves;
using Copies = std::vector<uint32_t>;

CompileOptions Most(uint32_t copies, uint32_t rows = 100'000) {
  CompileOptions options;
  options.most_copies = copies;
  options.most_copied_rows = rows;
  return options;
}

constexpr const char* kFib = R"((module (func (export "fib") (param i32) (result i32)
  (if (result i32) (i32.lt_u (local.get 0) (i32.const 2)) (then (local.get 0))
    (else (i32.add (call 0 (i32.sub (local.get 0) (i32.const 1)))
                   (call 0 (i32.sub (local.get 0) (i32.const 2)))))))))";

// 0: main -> 1: expr -> 2: term -> 3: factor -> expr. No function calls 4.
constexpr const char* kParser = R"((module
  (func (export "main") (call 1))
  (func (call 2) (call 2))
  (func (call 3))
  (func (call 1))
  (func (call 4))))";

TEST(NativeCallsTest, ACycleOfOneGoesUpACopyPerCallAndThenLeaves) {
  const auto module = MustLower(kFib);
  const NativeCalls native(module->program, {0}, Most(3));
  EXPECT_EQ(native.CopiesOf(0), (Copies{0, 1, 2, 3}));
  EXPECT_EQ(native.Target(0, 0, 0), 1u);
  EXPECT_EQ(native.Target(0, 1, 0), 2u);
  EXPECT_EQ(native.Target(0, 2, 0), 3u);
  EXPECT_EQ(native.Target(0, 3, 0), kLeaves);
}

TEST(NativeCallsTest, WithoutCopiesWhatClosesACycleLeaves) {
  const auto module = MustLower(kParser);
  const NativeCalls native(module->program, {0}, Most(0));
  EXPECT_EQ(native.Target(0, 0, 1), 0u);
  EXPECT_EQ(native.Target(1, 0, 2), 0u);
  EXPECT_EQ(native.Target(2, 0, 3), 0u);
  EXPECT_EQ(native.Target(3, 0, 1), kLeaves);
  EXPECT_EQ(native.CopiesOf(1), Copies{0});
  EXPECT_FALSE(native.IsReachable(4));
}

TEST(NativeCallsTest, OnlyTheClosingCallOfACycleChangesTheCopy) {
  const auto module = MustLower(kParser);
  const NativeCalls native(module->program, {0}, Most(2));
  EXPECT_EQ(native.Target(0, 0, 1), 1u) << "from outside: the first copy that is only entered";
  EXPECT_EQ(native.Target(1, 1, 2), 1u);
  EXPECT_EQ(native.Target(2, 1, 3), 1u);
  EXPECT_EQ(native.Target(3, 1, 1), 2u);
  EXPECT_EQ(native.Target(3, 2, 1), kLeaves);
  EXPECT_EQ(native.Target(1, 0, 2), 1u) << "resumed by the outer loop";
}

// What no call reaches is not printed: compilers warn of it.
TEST(NativeCallsTest, CopiesThatNothingCallsAreNotThere) {
  const auto module = MustLower(
      "(module (func (export \"f\") (call 1)) (func (call 1) (call 2))"
      " (func))");
  const NativeCalls native(module->program, {0}, Most(2));
  EXPECT_EQ(native.CopiesOf(0), Copies{0});
  EXPECT_EQ(native.CopiesOf(1), (Copies{0, 1, 2}));
  EXPECT_EQ(native.CopiesOf(2), Copies{0});
}

TEST(NativeCallsTest, RowsBoundTheCopies) {
  const auto module = MustLower(kFib);
  const auto rows = static_cast<uint32_t>(module->program.functions[0].insts.size());
  EXPECT_EQ(NativeCalls(module->program, {0}, Most(8, 3 * rows)).CopiesOf(0).size(), 4u);
  EXPECT_EQ(NativeCalls(module->program, {0}, Most(8, rows - 1)).CopiesOf(0).size(), 1u);
  EXPECT_EQ(NativeCalls(module->program, {0}, {}).CopiesOf(0).size(), 13u);
}

TEST(NativeCallsTest, LongChainsAreCut) {
  constexpr uint32_t kLength = 2 * NativeCalls::kMaxChain + 10;
  std::string text = "(module (func (export \"f\") (call 1))";
  for (uint32_t i = 1; i < kLength; ++i) text += "(func (call " + std::to_string(i + 1) + "))";
  text += "(func (call 1)))";
  const auto module = MustLower(text);
  const NativeCalls native(module->program, {0}, Most(8));
  uint32_t chain = 0;
  for (uint32_t i = 1; i < kLength; ++i) {
    chain = native.Target(i, 0, i + 1) == kLeaves ? 0 : chain + 1;
    EXPECT_LT(chain, NativeCalls::kMaxChain);
  }
  EXPECT_EQ(native.CopiesOf(1), Copies{0}) << "a copy would double the chain";
}

// ---- what is entered anew where nothing recurses

// Function 1 may leave; 0 calls it in a loop.
std::string Looping(const std::string& rows = "") {
  return R"((module (global $g (mut i32) (i32.const 0))
    (func (export "main") (param i32)
      (loop (call 1 (local.get 0))
            (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))))
    (func (param i32)
      (loop )" +
         rows + R"((br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))))))";
}

CompileOptions Interleaved() {
  CompileOptions options;
  options.layout = MemoryLayout::kInterleaved;
  return options;
}

TEST(NativeCallsTest, WhatALoopCallsHasACopyThatIsEnteredAnew) {
  const auto module = MustLower(Looping());
  const NativeCalls native(module->program, {0}, Interleaved());
  EXPECT_EQ(native.CopiesOf(0), Copies{0});
  EXPECT_EQ(native.CopiesOf(1), (Copies{0, 1}));
  EXPECT_EQ(native.Target(0, 0, 1), 1u);
  EXPECT_TRUE(native.HasFreshCopy(1));
  EXPECT_FALSE(native.HasFreshCopy(0));
}

TEST(NativeCallsTest, SomeFunctionsHaveNoneThatIsEnteredAnew) {
  const auto has = [](const std::string& wat, const CompileOptions& options) {
    const auto module = MustLower(wat);
    return NativeCalls(module->program, {0}, options).HasFreshCopy(1);
  };
  EXPECT_FALSE(has(Looping(), Most(12))) << "processors foresee the tests of r";
  std::string rows;
  for (size_t i = 0; i < NativeCalls::kMostFreshRows; ++i) {
    rows += "(global.set $g (local.get 0))";
  }
  EXPECT_FALSE(has(Looping(rows), Interleaved())) << "too large";
  CompileOptions apart = Interleaved();
  apart.most_inlined_rows = 0;
  EXPECT_FALSE(has(Looping(), apart)) << "not copied into the loop";
  EXPECT_FALSE(has(R"((module (func (export "main") (call 1 (i32.const 9)))
    (func (param i32)
      (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))))))",
                   Interleaved()))
      << "not in a loop";
  EXPECT_FALSE(has(R"((module (func (export "main") (param i32)
      (loop (call 1) (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))))
    (func)))",
                   Interleaved()))
      << "never leaves";
  EXPECT_FALSE(has(R"((module (func (export "main") (param i32)
      (loop (call 1 (local.get 0)) (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))))
    (func (param i32)
      (loop (call 2) (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))))
    (func)))",
                   Interleaved()))
      << "calls";
}

TEST(NativeCallsTest, AllThatAreEnteredAnewAreFew) {
  std::string rows;
  for (size_t i = 0; i < NativeCalls::kMostFreshRows / 3; ++i) {
    rows += "(global.set $g (local.get 0))";
  }
  constexpr uint32_t kCallees = 30;
  std::string calls, callees;
  for (uint32_t i = 1; i <= kCallees; ++i) {
    calls += "(call " + std::to_string(i) + " (local.get 0))";
    callees += "(func (param i32) (loop " + rows +
               "(br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))))";
  }
  const auto module = MustLower(
      "(module (global $g (mut i32) (i32.const 0)) (func (export \"main\") (param i32) (loop " +
      calls + "(br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))))" + callees + ")");
  const NativeCalls native(module->program, {0}, Interleaved());
  size_t fresh = 0, all = 0;
  for (uint32_t i = 1; i <= kCallees; ++i) {
    if (!native.HasFreshCopy(i)) continue;
    ++fresh;
    all += module->program.functions[i].insts.size();
  }
  EXPECT_GT(fresh, 2u);
  EXPECT_LT(fresh, kCallees);
  EXPECT_LE(all, NativeCalls::kMostRowsOfFresh);
}

// ---- the text

std::string TextOf(const char* wat, uint32_t copies) {
  return EmitKernel(*MustLower(wat), Most(copies))->text;
}

size_t Count(const std::string& text, const std::string& what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

TEST(NativeCallsTest, TheLastCopyWaitsForTheOuterLoop) {
  EXPECT_EQ(Count(TextOf(kFib, 0), "w = wb_wait(L"), 2u);
  const std::string text = TextOf(kFib, 2);
  EXPECT_EQ(Count(text, "w = wb_wait(L"), 2u);
  EXPECT_EQ(Count(text, "= wf_0_1(L"), 2u);
  EXPECT_EQ(Count(text, "= wf_0_2(L"), 2u);
  EXPECT_EQ(Count(text, "= wf_0(L"), 1u) << "only the outer loop calls what it can resume";
}

TEST(NativeCallsTest, CopiesAreOnlyEnteredAnew) {
  const std::string text = TextOf(kFib, 1);
  EXPECT_NE(text.find("wf_0_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint l0)"),
            std::string::npos);
  const size_t begin =
      text.find("wf_0_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint l0) {");
  ASSERT_NE(begin, std::string::npos);
  const std::string copy = text.substr(begin, text.find("\n}\n", begin) - begin);
  EXPECT_EQ(copy.find("if (r "), std::string::npos) << copy;
  EXPECT_NE(copy.find("wb_keeps_frame"), std::string::npos) << copy;
}

TEST(NativeCallsTest, OnlyACallThatResumesAsksForPlacesInItsCallee) {
  const std::string text = EmitKernel(*MustLower(Looping()), Interleaved())->text;
  EXPECT_EQ(Count(text, " = r == 0u ? wf_1_1(L, "), 1u);
  EXPECT_EQ(Count(text, " : wf_1(L, "), 1u);
  EXPECT_EQ(Count(text, "__attribute__((noinline)) static WbR_ wf_1("), 1u);
  EXPECT_EQ(Count(text, "__attribute__((noinline)) static WbR_ wf_1_1("), 0u);
  const size_t begin = text.rfind("static WbR_ wf_1_1(");
  const std::string copy = text.substr(begin, text.find("\n}\n", begin) - begin);
  EXPECT_EQ(copy.find("if (r "), std::string::npos) << copy;
  EXPECT_NE(copy.find("wb_keeps_frame"), std::string::npos) << copy;
}

TEST(NativeCallsTest, AModuleWithoutRecursionHasOneRoundPerCall) {
  EXPECT_NE(TextOf(kFib, 0).find("WB_RECURSIVE = 1u"), std::string::npos);
  EXPECT_NE(TextOf("(module (func (export \"f\")))", 0).find("WB_RECURSIVE = 0u"),
            std::string::npos);
}

}  // namespace
}  // namespace wb::test
