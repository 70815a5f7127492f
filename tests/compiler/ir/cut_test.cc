// Functions that become several: which rows are parts, and what crosses their borders.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "compiler/passes/cut/part_border.h"
#include "compiler/passes/cut/plan_cuts.h"
#include "tests/compiler/ir/lowered_text.h"

namespace wb::test {
namespace {

constexpr CutSizes kSmallParts = {.whole = 0, .most = 10, .least = 3, .call = 2};

std::string Repeated(const std::string& text, size_t times) {
  std::string all;
  for (size_t i = 0; i < times; ++i) all += text;
  return all;
}

// Four rows.
constexpr const char* kStep = "(global.set $g (i32.add (global.get $g) (i32.const 3)))";

bool Holds(const ir::Function& function, const RowRange& cut, ir::Op op) {
  return std::any_of(function.insts.begin() + cut.begin, function.insts.begin() + cut.end,
                     [op](const ir::Inst& inst) { return inst.op == op; });
}

std::string InLoop(const std::string& body) {
  return "(module (global $g (mut i32) (i32.const 0)) (func $end) (func (export \"run\") (param "
         "i32)"
         " (result i32) (loop $again " +
         body + " (br_if $again (global.get $g))) (local.get 0)))";
}

TEST(PlanCutsTest, SmallFunctionsStayWhole) {
  const std::string wat = InLoop(Repeated(kStep, 100));
  const auto lowered = MustLower(wat);
  EXPECT_TRUE(PlanCuts(lowered->program.functions[1], {}).empty());
  EXPECT_FALSE(PlanCuts(lowered->program.functions[1], kSmallParts).empty());
  const auto rows = static_cast<uint32_t>(lowered->program.functions[1].insts.size());
  EXPECT_TRUE(PlanCuts(lowered->program.functions[1], {.whole = rows}).empty());
  EXPECT_FALSE(
      PlanCuts(lowered->program.functions[1], {.whole = rows - 1, .most = rows / 2}).empty());
}

// Few rows, but paths meet behind each call.
TEST(PlanCutsTest, ManyCallsAreALargeFunction) {
  const auto of_calls = [](size_t calls) {
    const auto lowered =
        MustLower("(module (func $loops (loop (br_if 0 (i32.const 0)))) (func (export \"run\")" +
                      Repeated("(call $loops)", calls) + "))",
                  {.whole = 0xffffffffu});
    const ir::Function& function = lowered->program.functions[1];
    EXPECT_LT(function.insts.size(), CutSizes().whole);
    return PlanCuts(function, {}).size();
  };
  EXPECT_EQ(of_calls(400), 0u);
  EXPECT_GE(of_calls(1000), 4u);
}

// Every cut is a run of rows of one arm: constructs that open inside close inside.
TEST(PlanCutsTest, PartsAreBalancedAndSmall) {
  const std::string arm = Repeated(kStep, 5);
  const auto lowered = MustLower(InLoop(Repeated(
      "(if (global.get $g) (then " + arm + ") (else " + arm + "))(block " + kStep + ")", 4)));
  const ir::Function& function = lowered->program.functions[1];
  const std::vector<RowRange> cuts = PlanCuts(function, kSmallParts);
  ASSERT_GE(cuts.size(), 8u);
  for (const RowRange& cut : cuts) {
    int depth = 0;
    for (uint32_t row = cut.begin; row < cut.end; ++row) {
      const ir::Op op = function.insts[row].op;
      EXPECT_TRUE(op != ir::Op::kElse || depth > 0);
      if (op == ir::Op::kEnd) --depth;
      if (op == ir::Op::kBlock || op == ir::Op::kIf || op == ir::Op::kLoop) ++depth;
      ASSERT_GE(depth, 0);
    }
    EXPECT_EQ(depth, 0);
  }
  EXPECT_TRUE(std::is_sorted(cuts.begin(), cuts.end(), [](const RowRange& a, const RowRange& b) {
    return a.begin < b.begin;
  }));
}

TEST(PlanCutsTest, HeadsOfFunctionsAndLoopsStay) {
  const auto lowered = MustLower(InLoop(Repeated(kStep, 20)));
  const ir::Function& function = lowered->program.functions[1];
  const std::vector<RowRange> cuts = PlanCuts(function, kSmallParts);
  ASSERT_FALSE(cuts.empty());
  for (const RowRange& cut : cuts) {
    EXPECT_GE(cut.begin, 2u);
    for (uint32_t row = cut.begin; row < cut.end; ++row) {
      if (function.insts[row].op != ir::Op::kSafepoint) continue;
      ASSERT_GE(row, cut.begin + 2);
      EXPECT_EQ(function.insts[row - 2].op, ir::Op::kLoop);  // the loop is whole
    }
  }
}

TEST(PlanCutsTest, AnInnerLoopThatFitsIsNotCut) {
  const auto lowered = MustLower(InLoop(Repeated(kStep, 4) + "(loop $inner " + kStep +
                                        "(br_if $inner (global.get $g)))" + Repeated(kStep, 4)));
  const ir::Function& function = lowered->program.functions[1];
  const ir::Construct& inner = function.constructs[2];
  ASSERT_EQ(inner.kind, ir::ConstructKind::kLoop);
  const std::vector<RowRange> cuts = PlanCuts(function, kSmallParts);
  EXPECT_GE(cuts.size(), 2u);
  for (const RowRange& cut : cuts) {
    EXPECT_TRUE(cut.end <= inner.begin || cut.begin > inner.end || cut.end > inner.end);
  }
}

TEST(PlanCutsTest, WhatEndsTheFunctionStays) {
  const std::string tail = "(if (global.get $g) (then (return_call $next (local.get 0))))";
  const auto lowered = MustLower(
      "(module (global $g (mut i32) (i32.const 0)) (func $next (param i32) (result i32)"
      " (loop (br_if 0 (local.get 0))) (local.get 0)) (func (export \"run\") (param i32)"
      " (result i32) " +
      Repeated(kStep, 6) + tail + Repeated(kStep, 6) + "(local.get 0)))");
  const ir::Function& function = lowered->program.functions[1];
  const std::vector<RowRange> cuts = PlanCuts(function, kSmallParts);
  EXPECT_GE(cuts.size(), 2u);
  for (const RowRange& cut : cuts) EXPECT_FALSE(Holds(function, cut, ir::Op::kCall));
}

// Constructs around a cut that it branches to.
size_t ExitsOf(const ir::Function& function, const RowRange& cut) {
  std::set<uint32_t> exits;
  const auto leave = [&](uint64_t target) {
    const ir::Construct& construct = function.constructs[target];
    const bool inside = construct.begin >= cut.begin && construct.end < cut.end && target != 0;
    if (!inside) exits.insert(static_cast<uint32_t>(target));
  };
  for (uint32_t row = cut.begin; row < cut.end; ++row) {
    const ir::Inst& inst = function.insts[row];
    if (inst.op == ir::Op::kBr || inst.op == ir::Op::kBrIf) leave(inst.imm);
    if (inst.op != ir::Op::kBrTable) continue;
    for (uint32_t target : function.br_tables[inst.imm]) leave(target);
  }
  return exits.size();
}

// A nest around a table that leads to more places than a part may be left to.
TEST(PlanCutsTest, NoPartHasManyExits) {
  constexpr size_t kBlocks = 3 * kMostExits;
  std::string labels;
  for (size_t i = 0; i < kBlocks; ++i) labels += " " + std::to_string(i);
  const auto lowered =
      MustLower(InLoop(Repeated("(block ", kBlocks) + Repeated(kStep, 4) + "(br_table" + labels +
                       " (global.get $g))" + Repeated(")" + Repeated(kStep, 3), kBlocks)));
  const ir::Function& function = lowered->program.functions[1];
  const std::vector<RowRange> cuts = PlanCuts(function, kSmallParts);
  EXPECT_GE(cuts.size(), kBlocks / 2);  // what stands behind the blocks
  for (const RowRange& cut : cuts) EXPECT_LE(ExitsOf(function, cut), kMostExits);
}

// A switch with many small cases, as compilers make it.
std::string Switch(size_t cases, const std::string& body) {
  std::string labels;
  for (size_t i = 0; i <= cases; ++i) labels += " " + std::to_string(i);
  return InLoop("(block " + Repeated("(block ", cases) + "(br_table" + labels + " (local.get 0))" +
                Repeated(")" + body, cases) + ")");
}

TEST(PlanCutsTest, SmallCasesBecomeLadders) {
  const auto lowered = MustLower(Switch(200, kStep));
  const ir::Function& function = lowered->program.functions[1];
  const std::vector<RowRange> cuts =
      PlanCuts(function, {.whole = 300, .most = 200, .least = 20, .call = 4});
  size_t labels = 0;
  for (const RowRange& cut : cuts) {
    for (size_t i = 0; i < cut.labels.size(); ++i) {
      const ir::Construct& block = function.constructs[cut.labels[i]];
      EXPECT_EQ(block.kind, ir::ConstructKind::kBlock);
      EXPECT_EQ(block.end < cut.begin, i == 0);
      EXPECT_LT(block.end, cut.end);
    }
    labels += cut.labels.size();
    EXPECT_LE(ExitsOf(function, cut), kMostExits + cut.labels.size());
  }
  EXPECT_GE(labels, 100u);
}

// ---- the functions

const ir::Function& PartOf(const LoweredModule& module, size_t nth) {
  for (const ir::Function& function : module.program.functions) {
    if (function.part_of != ir::kNoFunction && nth-- == 0) return function;
  }
  ADD_FAILURE() << "there is no such part";
  return module.program.functions.front();
}

TEST(CutFunctionsTest, VariablesCrossTheBorder) {
  const auto lowered = MustLower(R"((module (global $g (mut i32) (i32.const 0))
    (func (export "run") (param $n i32) (result i32) (local $sum i32)
      (loop $again
        (if (i32.and (local.get $n) (i32.const 1)) (then
          (global.set $g (local.get $sum))
          (local.set $sum (i32.add (local.get $sum) (local.get $n)))
          (global.set $g (local.get $sum))))
        (local.set $n (i32.sub (local.get $n) (i32.const 1)))
        (br_if $again (local.get $n)))
      (local.get $sum))))",
                                 {.whole = 0, .most = 11, .least = 9, .call = 2});
  ASSERT_EQ(lowered->program.functions.size(), 3u);
  const ir::Function& loop = PartOf(*lowered, 0);
  const ir::Function& part = PartOf(*lowered, 1);
  for (const ir::Function* function : {&loop, &part}) {
    EXPECT_EQ(function->part_of, 0u);
    EXPECT_TRUE(function->synthetic);
    EXPECT_EQ(function->stack_slots, 0u);
  }
  ASSERT_EQ(loop.calls.size(), 1u);
  EXPECT_EQ(loop.calls[0].callee, part.index);
  EXPECT_EQ(loop.calls[0].args, (std::vector<ir::Var>{0, 1}));  // $n and $sum
  EXPECT_EQ(part.results.size(), 1u);                           // $sum
  EXPECT_EQ(part.num_params, 2u);
}

// Left to two labels and to its end: the part returns which.
TEST(CutFunctionsTest, APartReturnsWhereItWasLeftTo) {
  const auto lowered = MustLower(R"((module (global $g (mut i32) (i32.const 0))
    (func (export "run") (param $n i32) (result i32)
      (block $out
        (loop $again
          (block
            (br_if $again (global.get $g))
            (global.set $g (i32.add (global.get $g) (i32.const 1)))
            (br_if $out (global.get $g))
            (global.set $g (i32.add (global.get $g) (i32.const 1))))
          (br_if $again (local.get $n))
          (global.set $g (i32.const 7))
          (br_if $again (global.get $g))))
      (local.get $n))))",
                                 {.whole = 0, .most = 20, .least = 9, .call = 2});
  const ir::Function& part = PartOf(*lowered, 0);
  EXPECT_EQ(ir::ResultTypes(part), std::vector<ValueType>{ValueType::kI32});
  const ir::Function& rest = lowered->program.functions[0];
  EXPECT_EQ(CountOf(rest, ir::Op::kBrTable), 1u);
  ASSERT_EQ(rest.br_tables.size(), 1u);
  EXPECT_EQ(rest.br_tables[0].size(), 3u);
}

// Too many variables would cross: the rows stay where they are.
TEST(CutFunctionsTest, WideBordersAreNotCut) {
  const auto functions = [](size_t locals) {
    std::string declared = "(local", changed;
    for (size_t i = 0; i < locals; ++i) {
      const std::string local = std::to_string(i);
      declared += " i32";
      changed += "(local.set " + local + " (i32.add (local.get " + local + ") (global.get $g)))";
    }
    const std::string wat = "(module (global $g (mut i32) (i32.const 0)) (func (export \"run\") " +
                            declared + ") (loop $l (block " + changed + ")(block " + changed +
                            ") (br_if $l (local.get 0)))))";
    const uint32_t most = static_cast<uint32_t>(5 * locals);
    return MustLower(wat, {.whole = 0, .most = most})->program.functions.size();
  };
  EXPECT_GT(functions(PartBorder::kMostCrossing / 2 - 8), 1u);
  EXPECT_EQ(functions(PartBorder::kMostCrossing / 2 + 8), 1u);
}

// What a part costs counts at every way out of it; a function that is bounded must stay so.
TEST(CutFunctionsTest, WhatMayBeBoundedStaysWhole) {
  const std::string head = "(module (global $g (mut i32) (i32.const 0)) (func (export \"run\") ";
  const auto few = MustLower(head + Repeated(kStep, 50) + "))", kSmallParts);
  EXPECT_TRUE(few->program.functions[0].bounded);
  EXPECT_EQ(few->program.functions.size(), 1u);
  const auto many = MustLower(head + Repeated(kStep, 1100) + "))", kSmallParts);
  EXPECT_FALSE(many->program.functions[0].bounded);
  EXPECT_GT(many->program.functions.size(), 100u);
}

// What it calls has a loop, two calls down.
TEST(CutFunctionsTest, WhatCallsALoopIsNotBoundedAndIsCut) {
  const std::string calls = Repeated("(call $calls)", 20);
  const auto lowered = MustLower(
      "(module (func $loops (loop (br_if 0 (i32.const 0)))) (func $calls (call $loops))"
      " (func (export \"run\")" +
          calls + "))",
      kSmallParts);
  EXPECT_GT(lowered->program.functions.size(), 3u);
  const auto bounded = MustLower(
      "(module (func $none) (func $calls (call $none)) (func (export \"run\")" + calls + "))",
      kSmallParts);
  EXPECT_EQ(bounded->program.functions.size(), 3u);
}

// A function with few slots must not pay for the frames of parts that others call.
TEST(CutFunctionsTest, FramesOfPartsCountForTheirOwnFunction) {
  const std::string small =
      "(module (func $down (export \"run\") (param i32) (if (local.get 0)"
      " (then (call $down (i32.sub (local.get 0) (i32.const 1))))))";
  std::string locals = "(local", sets, gets = "(i32.const 0)";
  for (int i = 0; i < 40; ++i) {
    const std::string local = std::to_string(i);
    locals += " i32";
    sets += "(local.set " + local + " (i32.load (i32.const " + local + ")))";
    gets = "(i32.add (local.get " + local + ")" + gets + ")";
  }
  const std::string large = "(func $large " + locals + ") (loop $again (block " + sets +
                            "(loop $wait (br_if $wait (i32.load (i32.const 4))))"
                            "(i32.store (i32.const 0) " +
                            gets +
                            "))"
                            "(call $large) (br_if $again (i32.load (i32.const 8)))))";
  const auto without = MustLower(small + " (memory 1))", kSmallParts);
  const auto with = MustLower(small + " (memory 1)" + large + ")", {.whole = 100, .most = 120});
  EXPECT_GE(with->program.functions.size(), 3u);
  const auto words = [](const LoweredModule& module) {
    return module.layout.frame_words_per_1024_slots;
  };
  EXPECT_LE(words(*with), 2 * words(*without));
}

}  // namespace
}  // namespace wb::test
