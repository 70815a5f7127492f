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
  targets_.ExitAlways(0x40000001u);
  EXPECT_FALSE(targets_.reachable());
  targets_.GoOn(targets_.Close());
  Printed();
  targets_.GoOn(targets_.Close());
  EXPECT_EQ(Printed(), "if (w == 2u) { w = 0u; }\nif (w != 0u) { break; }\n");
}

TEST_F(JumpTargetsTest, OutOfAStateItselfAnExitIsAStateOfItsOwn) {
  WaysOut ways(4);
  targets_.Open(0, false);
  targets_.ExitBy(ways, targets_.Open(JumpTarget::kNoConstruct, false));
  EXPECT_EQ(targets_.Exit("0x40000001u"), "s1 = 6u; break;");
  EXPECT_EQ(targets_.Exit("0x40000002u"), "s1 = 7u; break;");
  EXPECT_EQ(targets_.Exit("0x40000001u"), "s1 = 6u; break;");
  EXPECT_EQ(targets_.ExitNow("c0.w"), "w = c0.w; break;");
  targets_.Open(1, true);
  EXPECT_EQ(targets_.Exit("0x40000001u"), "w = 0x40000001u; break;");
  targets_.GoOn(targets_.Close());
  EXPECT_EQ(targets_.Close().escape, 0u);
  EXPECT_TRUE(targets_.exits());
}

TEST(WaysOutTest, BehindTheLoopTheStateSaysWhy) {
  WaysOut ways(4);
  Text text;
  EXPECT_EQ(ways.StateOf("0x40000001u"), 6u);
  ways.Write(text);
  EXPECT_EQ(text.Take(),
            "switch (s1) {\n  case 6u: { w = 0x40000001u; break; }\n  default: { break; }\n}\n");
  EXPECT_EQ(ways.TakeText(), "if (w != 0u) { why = w; s1 = 5u; w = 0u; }");
  ways.Write(text);
  EXPECT_NE(text.Take().find("case 5u: { w = why; break; }"), std::string::npos);
}

TEST(WaysOutTest, BeyondTheirNumberTheReasonIsKept) {
  WaysOut ways(2);
  for (uint32_t i = 1; i < WaysOut::kMost; ++i) {
    EXPECT_EQ(ways.StateOf("0x" + std::to_string(i) + "u"), 3 + i);
  }
  EXPECT_EQ(ways.StateOf("0x1000u"), 0u);
  EXPECT_EQ(ways.StateOf("0x1u"), 4u);
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
