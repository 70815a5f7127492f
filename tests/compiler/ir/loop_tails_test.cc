// What stands in a loop and runs once, behind it (MoveLoopTails).

#include <gtest/gtest.h>

#include <string>

#include "compiler/passes/passes.h"
#include "tests/compiler/ir/lowered_text.h"

namespace wb::test {
namespace {

constexpr const char* kHead =
    "(module (func (param $n i32) (result i32) (local $i i32) (local $k i32)\n";
constexpr const char* kCountUp = "(local.set $i (i32.add (local.get $i) (i32.const 1)))\n";
constexpr const char* kInner =
    "(loop $inner (local.set $k (i32.add (local.get $k) (i32.const 3)))\n"
    "  (br_if $inner (i32.lt_u (local.get $k) (i32.const 90))))\n";
constexpr const char* kStays = "(br_if $b (i32.lt_u (local.get $i) (local.get $n)))\n";

// The loops of the one function, each with the loops that it holds: "(()())" are two in one.
std::string LoopsOf(const std::string& body) {
  const auto lowered = MustLower(kHead + body + "))");
  std::string loops;
  std::vector<bool> open;
  for (const ir::Inst& inst : lowered->program.functions[0].insts) {
    if (inst.op == ir::Op::kBlock || inst.op == ir::Op::kIf || inst.op == ir::Op::kLoop) {
      open.push_back(inst.op == ir::Op::kLoop);
      if (open.back()) loops += "(";
    } else if (inst.op == ir::Op::kEnd) {
      if (open.back()) loops += ")";
      open.pop_back();
    }
  }
  return loops;
}

std::string Tail(const std::string& end) {
  return std::string("(block $b ") + kStays + kInner + end + ")\n";
}

TEST(LoopTails, ATailWithALoopMovesBehind) {
  EXPECT_EQ(LoopsOf(std::string("(loop $l ") + kCountUp + Tail("(return (local.get $k))") +
                    kCountUp + "(br $l)) unreachable"),
            "()()");
}

TEST(LoopTails, WhatFallsOutOfTheLoopGoesPastTheTail) {
  const std::string loop = std::string("(loop $l ") + kCountUp + Tail("(return (local.get $k))") +
                           "(br_if $l (i32.lt_u (local.get $i) (i32.const 9)))";
  EXPECT_EQ(LoopsOf(loop + ") (local.get $i)"), "()()");
  EXPECT_EQ(LoopsOf(loop + kInner + ") (local.get $i)"), "()()()");  // it ends before that
}

TEST(LoopTails, SeveralOfThem) {
  EXPECT_EQ(LoopsOf(std::string("(loop $l ") + kCountUp + Tail("(return (i32.const 1))") +
                    kCountUp + Tail("(unreachable)") + "(br $l)) unreachable"),
            "()()()");
}

TEST(LoopTails, OfNestedLoopsEachMovesAsFarAsItMay) {
  // The tail of the inner loop goes on with the outer one, and then has the rest of the program.
  const std::string inner = std::string("(loop $l ") + kCountUp + "(block $b " + kStays +
                            "(br_if $outer (i32.lt_u (local.get $i) (i32.const 9)))\n" + kInner +
                            "(return (local.get $k))) (br $l))";
  EXPECT_EQ(LoopsOf("(loop $outer " + inner + ") unreachable"), "(())()");
}

TEST(LoopTails, ALoopEndsBehindWhatGoesBack) {
  EXPECT_EQ(LoopsOf(std::string("(loop $l ") + kCountUp +
                    "(block $b (br_if $l (i32.lt_u (local.get $i) (local.get $n)))) " + kInner +
                    ") (local.get $i)"),
            "()()");
}

TEST(LoopTails, WhatGoesBackOrOnStays) {
  EXPECT_EQ(LoopsOf(std::string("(loop $l ") + kCountUp + Tail("(br $l)") + "(br $l)) unreachable"),
            "(())");
  EXPECT_EQ(LoopsOf(std::string("(loop $l ") + kCountUp + Tail("") + "(br $l)) unreachable"),
            "(())");
  EXPECT_EQ(LoopsOf(std::string("(loop $l ") + kCountUp + Tail("(br $b)") + "(br $l)) unreachable"),
            "(())");
  EXPECT_EQ(LoopsOf(std::string("(loop $l ") + kCountUp + "(block $b " + kInner + kStays +
                    "(return (local.get $k))) (br $l)) unreachable"),
            "(())");
}

// Each loop of a nest holds one more behind its way back.
TEST(LoopTails, OfADeepNestLoopsMoveOut) {
  std::string body;
  for (int i = 0; i < 12; ++i) body += "(loop " + std::string(kCountUp);
  for (int i = 0; i < 12; ++i) {
    body += "(br_if 0 (i32.lt_u (local.get $i) (local.get $n)))" + std::string(kInner) + ")";
  }
  std::string loops;  // what goes back to a loop stands behind those that the loops in it leave
  for (int i = 0; i < 12; ++i) loops = "(" + loops + ")()";
  EXPECT_EQ(LoopsOf(body + "(local.get $i)"), loops);
}

// From the innermost of three thousand loops a branch goes to each. The walks from all of them have
// a common bound, behind which loops stay as they are.
TEST(LoopTails, WalksOfADeepNestAreBounded) {
  constexpr int kLoops = 3000;
  std::string body;
  for (int i = 0; i < kLoops; ++i) body += "(loop " + std::string(kCountUp);
  for (int i = 0; i < kLoops; ++i) {
    body += "(br_if " + std::to_string(i) + " (i32.lt_u (local.get $i) (local.get $n)))";
  }
  for (int i = 0; i < kLoops; ++i) body += std::string(kInner) + ")";
  const auto lowered = MustLower(kHead + body + "(local.get $i)))");
  size_t loops = 0;
  for (const ir::Function& function : lowered->program.functions) {
    loops += CountOf(function, ir::Op::kLoop);
  }
  EXPECT_EQ(loops, 2u * kLoops);
}

TEST(LoopTails, RowsWithoutALoopStay) {
  const auto lowered = MustLower(kHead + std::string("(loop $l ") + kCountUp +
                                 "(br_if $l (i32.lt_u (local.get $i) (local.get $n)))" + kCountUp +
                                 ") (local.get $i)))");
  const auto& rows = lowered->program.functions[0].insts;
  size_t back = 0, end = 0;
  for (size_t row = 0; row < rows.size(); ++row) {
    if (rows[row].op == ir::Op::kBrIf) back = row;
    if (rows[row].op == ir::Op::kEnd) end = row;
  }
  EXPECT_GT(end, back + 3);
}

}  // namespace
}  // namespace wb::test
