// Which constructs are flattened: the decision alone.

#include "compiler/emit/plan/flat_plan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "compiler/emit/plan/flat_labels.h"
#include "tests/compiler/emit/large_module.h"
#include "tests/compiler/emit/random_module.h"
#include "tests/compiler/ir/lowered_text.h"

namespace wb::test {
namespace {

constexpr uint32_t kNone = FlatPlan::kNone;

std::vector<uint32_t> Plan(const std::string& wat, size_t function = 0) {
  return PlanFlattening(MustLower(wat)->program.functions[function], Flattening::kWhereNeeded)
      .region;
}

std::string Repeat(const std::string& unit, uint32_t count) {
  std::string text;
  for (uint32_t i = 0; i < count; ++i) text += unit;
  return text;
}

// A loop, a block that the table does not name, `targets` blocks, the table.
std::string TableIn(const std::string& before, uint32_t targets, const std::string& after) {
  std::string text = "(module (func (export \"f\") (param i32) " + before;
  text += " " + Repeat("block ", targets) + "local.get 0 br_table";
  for (uint32_t i = 0; i < targets; ++i) text += " " + std::to_string(i);
  return text + Repeat(" end nop", targets) + " " + after + "))";
}

size_t Count(const std::vector<uint32_t>& region, uint32_t root) {
  return static_cast<size_t>(std::count(region.begin(), region.end(), root));
}

TEST(FlatPlanTest, OrdinaryFunctionsAreStructured) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const auto module = MustLower(MakeRandomModule(seed, 20).wat);
    for (const ir::Function& function : module->program.functions) {
      const auto region = PlanFlattening(function, Flattening::kWhereNeeded).region;
      EXPECT_EQ(Count(region, kNone), region.size());
    }
  }
}

TEST(FlatPlanTest, AWideTableIsARegionFromItsOutermostTargetInwards) {
  const auto region = Plan(TableIn("loop block ", kWideTable, "br 1 end end"));
  // Construct 1 is the loop, 2 the block that the table does not name.
  ASSERT_EQ(region.size(), 3 + kWideTable);
  EXPECT_EQ(Count(region, kNone), 3u);
  EXPECT_EQ(Count(region, 3), kWideTable);
  EXPECT_EQ(Count(Plan(TableIn("loop block ", kWideTable - 1, "br 1 end end")), kNone),
            2 + kWideTable);
}

TEST(FlatPlanTest, TargetsBeyondTheNextLoopDoNotCount) {
  // Half of the blocks lie around a loop, so that they and it would have to be states.
  std::string text = "(module (func (export \"f\") (param i32) ";
  text += Repeat("block ", kWideTable / 2) + "loop " + Repeat("block ", kWideTable / 2);
  text += "local.get 0 br_table";
  for (uint32_t i = 0; i <= kWideTable; ++i) text += " " + std::to_string(i);
  text += Repeat(" end", kWideTable + 1) + "))";
  const auto region = Plan(text);
  EXPECT_EQ(Count(region, kNone), region.size());
}

TEST(FlatPlanTest, DeepNestsAreFlatOutsideAndStructuredInside) {
  const auto region = Plan("(module (func (export \"f\") (param i32) " + Repeat("loop ", 300) +
                           Repeat("(br_if 0 (local.get 0)) end ", 300) + "))");
  ASSERT_EQ(region.size(), 301u);
  EXPECT_EQ(region[0], 0u);
  // A loop and the guard around it are two braces.
  const size_t structured = Count(region, kNone);
  EXPECT_GE(structured, kIslandBraces / 2 - 4);
  EXPECT_LE(structured, kIslandBraces);
  EXPECT_EQ(Count(region, 0), region.size() - structured);
  for (size_t i = 0; i < region.size(); ++i) {
    EXPECT_EQ(region[i] == 0, i < region.size() - structured) << i;
  }
}

TEST(FlatPlanTest, ATableInADeepNestStaysARegionOfItsOwn) {
  const auto region =
      Plan(TableIn(Repeat("loop ", 150), kWideTable, Repeat("(br_if 0 (local.get 0)) end ", 150)));
  EXPECT_EQ(region[0], 0u);
  EXPECT_EQ(Count(region, 151), kWideTable);
  EXPECT_GT(Count(region, 0), 50u);
}

TEST(FlatPlanTest, ATableTooDeepInsideJoinsTheFunction) {
  // What follows a case nests as deep as an island may.
  std::string text = TableIn("", kWideTable, "");
  const size_t at = text.find("nop");
  text.replace(at, 3, Repeat("loop ", 120) + Repeat("(br_if 0 (local.get 0)) end ", 120));
  const auto region = Plan(text);
  EXPECT_EQ(region[0], 0u);
  EXPECT_GE(Count(region, 0), kWideTable);
  EXPECT_EQ(Count(region, kNone) + Count(region, 0), region.size());
}

// What every plan must be: what stands between two constructs of a region is of it.
void ExpectConnected(const ir::Function& function, const FlatPlan& plan) {
  std::vector<uint32_t> open = {0};
  for (const ir::Inst& inst : function.insts) {
    if (inst.op == ir::Op::kBlock || inst.op == ir::Op::kLoop || inst.op == ir::Op::kIf) {
      const uint32_t root = plan.region[inst.imm];
      if (root != kNone && root != inst.imm) {
        EXPECT_EQ(root, plan.region[open.back()]);
      }
      open.push_back(static_cast<uint32_t>(inst.imm));
    } else if (inst.op == ir::Op::kEnd) {
      open.pop_back();
    }
  }
}

// States cover a region's safepoints without a gap, in rising order.
void ExpectWhole(const ir::Function& function, const FlatPlan& plan) {
  const FlatLabels labels(function, plan);
  for (uint32_t root = 0; root < plan.region.size(); ++root) {
    if (!plan.IsRoot(root)) continue;
    const FlatRegion& region = labels.RegionOf(root);
    uint32_t next = function.constructs[root].first_safepoint;
    EXPECT_EQ(region.entry.first_safepoint, next);
    next = region.entry.last_safepoint + 1;
    for (const FlatState& state : region.states) {
      EXPECT_EQ(state.first_safepoint, next);
      next = state.last_safepoint + 1;
    }
    EXPECT_EQ(next, function.constructs[root].last_safepoint + 1);
  }
}

TEST(FlatPlanTest, RegionsAreConnectedAndStatesHoldAllSafepoints) {
  for (const std::string& wat :
       {MakeRandomModule(3, 30).wat, NestModule(200), LadderModule(300, 400)}) {
    const auto module = MustLower(wat);
    for (const ir::Function& function : module->program.functions) {
      for (Flattening flattening :
           {Flattening::kWhereNeeded, Flattening::kAlways, Flattening::kMixed}) {
        const FlatPlan plan = PlanFlattening(function, flattening);
        ASSERT_EQ(plan.region.size(), function.constructs.size());
        ExpectConnected(function, plan);
        ExpectWhole(function, plan);
      }
    }
  }
}

}  // namespace
}  // namespace wb::test
