// What is printed for jumps outwards: the jump itself, and the test behind each target on the way.

#include "compiler/emit/function/jump_targets.h"

#include <gtest/gtest.h>

namespace wb::test {
namespace {

// Constructs by number: 0 is the function.
class JumpTargetsTest : public testing::Test {
 protected:
  std::string Printed() { return text_.Take(); }

  Text text_;
  JumpTargets targets_{4, text_};
};

TEST_F(JumpTargetsTest, BehindATargetThatNothingLeavesNothingIsPrinted) {
  targets_.Open(0, false);
  targets_.Open(1, false);
  targets_.GoOn(targets_.Close());
  EXPECT_EQ(Printed(), "");
}

TEST_F(JumpTargetsTest, AJumpPastOneTargetStopsBehindItsOwn) {
  targets_.Open(0, false);
  targets_.Open(1, false);
  targets_.Open(2, false);
  EXPECT_EQ(targets_.JumpTo(targets_.DepthOf(1)), "w = 2u; break;");
  targets_.GoOn(targets_.Close());
  EXPECT_EQ(Printed(), "if (w != 0u) { break; }\n");
  targets_.GoOn(targets_.Close());
  EXPECT_EQ(Printed(), "w = 0u;\n");
}

TEST_F(JumpTargetsTest, AJumpToALoopFromInsideABlockContinuesIt) {
  targets_.Open(0, false);
  targets_.Open(1, true);
  targets_.Open(2, false);
  EXPECT_EQ(targets_.JumpTo(targets_.DepthOf(1)), "w = 2u; break;");
  targets_.GoOn(targets_.Close());
  EXPECT_EQ(Printed(), "if (w != 0u) { w = 0u; continue; }\n");
  targets_.GoOn(targets_.Close());
  EXPECT_EQ(Printed(), "");  // the loop's own jumps have ended inside it
}

TEST_F(JumpTargetsTest, ALoopIsNotContinuedBehindABlockFromWhichNothingJumpsToIt) {
  targets_.Open(0, false);
  targets_.Open(1, true);
  targets_.Open(2, false);
  targets_.JumpTo(targets_.DepthOf(1));
  targets_.GoOn(targets_.Close());
  Printed();
  targets_.Open(3, false);
  targets_.JumpTo(targets_.DepthOf(0));
  targets_.GoOn(targets_.Close());
  EXPECT_EQ(Printed(), "if (w != 0u) { break; }\n");
}

TEST_F(JumpTargetsTest, AnExitBreaksOutOfEverythingAndKeepsItsReason) {
  targets_.Open(0, false);
  targets_.Open(1, true);
  targets_.Open(2, false);
  EXPECT_FALSE(targets_.exits());
  targets_.JumpTo(targets_.DepthOf(1));
  targets_.ExitIf("c", 0x40000001u);
  EXPECT_EQ(Printed(), "if (c) { w = 0x40000001u; break; }\n");
  EXPECT_TRUE(targets_.exits());
  EXPECT_TRUE(targets_.reachable());
  targets_.GoOn(targets_.Close());
  EXPECT_EQ(Printed(), "if (w != 0u) { if (w == 2u) { w = 0u; continue; } break; }\n");
  targets_.GoOn(targets_.Close());
  EXPECT_EQ(Printed(), "if (w != 0u) { break; }\n");
}

TEST_F(JumpTargetsTest, ATargetThatJumpsAndExitsArriveAtTellsThemApart) {
  targets_.Open(0, false);
  targets_.Open(1, false);
  targets_.Open(2, false);
  targets_.JumpTo(targets_.DepthOf(1));
  targets_.Exit(0x40000001u);
  EXPECT_FALSE(targets_.reachable());
  targets_.GoOn(targets_.Close());
  Printed();
  targets_.GoOn(targets_.Close());
  EXPECT_EQ(Printed(), "if (w == 2u) { w = 0u; }\nif (w != 0u) { break; }\n");
}

TEST_F(JumpTargetsTest, AnEndThatFollowsAtOnceGoesOnForBoth) {
  targets_.Open(0, false);
  targets_.Open(1, false);
  targets_.Open(JumpTarget::kNoConstruct, true);
  targets_.JumpTo(targets_.DepthOf(0));
  targets_.Inherit(targets_.Close());
  EXPECT_EQ(Printed(), "");
  targets_.GoOn(targets_.Close());
  EXPECT_EQ(Printed(), "if (w != 0u) { break; }\n");
}

}  // namespace
}  // namespace wb::test
