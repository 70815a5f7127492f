// Which blocks are printed as `if`: the decision alone, and the text.

#include "compiler/emit/plan/skip_plan.h"

#include <gtest/gtest.h>

#include "tests/compiler/ir/lowered_text.h"

namespace wb::test {
namespace {

// Of the constructs of a function with the local $i, but the function itself.
std::vector<bool> Skips(const std::string& rows, bool resumable = true) {
  const auto module =
      MustLower("(module (memory 1) (func (export \"f\") (param $i i32) " + rows + "))");
  std::vector<bool> skips = PlanSkips(module->program.functions[0], resumable);
  skips.erase(skips.begin());
  return skips;
}

constexpr const char* kStore = "(i32.store (local.get $i) (i32.const 1))";
constexpr const char* kLoop =
    "(loop (br_if 0 (local.tee $i (i32.sub (local.get $i) (i32.const 1)))))";

std::string Block(const std::string& rows) { return "(block " + rows + ")"; }
std::string LeaveIf(int depth) { return "(br_if " + std::to_string(depth) + " (local.get $i))"; }

TEST(SkipPlanTest, ABlockThatOneOfItsRowsLeaves) {
  EXPECT_EQ(Skips(Block(std::string(kStore) + LeaveIf(0) + kStore)), std::vector<bool>{true});
}

TEST(SkipPlanTest, NotOneThatTwoBranchesLeave) {
  EXPECT_EQ(Skips(Block(LeaveIf(0) + kStore + LeaveIf(0) + kStore)), std::vector<bool>{false});
  EXPECT_EQ(Skips(Block(LeaveIf(0) + kStore + "(br 0)")), std::vector<bool>{false});
  EXPECT_EQ(Skips(Block(LeaveIf(0) + "(br_table 0 0 (local.get $i))")), std::vector<bool>{false});
}

TEST(SkipPlanTest, NotOneThatIsLeftFromAnInnerOne) {
  EXPECT_EQ(Skips(Block(Block(LeaveIf(0) + LeaveIf(1) + kStore) + kStore)),
            (std::vector<bool>{false, true}));
}

TEST(SkipPlanTest, NoLoop) { EXPECT_EQ(Skips(kLoop), std::vector<bool>{false}); }

TEST(SkipPlanTest, WhereAFunctionResumesNoSafepointIsSkipped) {
  const std::string before = Block(std::string(kLoop) + LeaveIf(0) + kStore);
  const std::string behind = Block(LeaveIf(0) + kLoop);
  EXPECT_EQ(Skips(before), (std::vector<bool>{true, false}));
  EXPECT_EQ(Skips(behind), (std::vector<bool>{false, false}));
  EXPECT_EQ(Skips(behind, false), (std::vector<bool>{true, false}));
}

}  // namespace
}  // namespace wb::test
