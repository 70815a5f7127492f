// Which guards stand around straight code and constructs, so that a resumed function comes to its
// safepoint.

#include "compiler/emit/function/resume_guards.h"

#include <gtest/gtest.h>

namespace wb::test {
namespace {

TEST(ResumeGuardsTest, StraightCodeIsGuardedWhileASafepointIsStillToCome) {
  Text text;
  ResumeGuards guards(true, text);
  guards.EnterUnguarded(1);
  guards.EnsureGuard();
  guards.EnsureGuard();
  EXPECT_EQ(text.Take(), "if (r == 0u) {\n");
  guards.CloseGuard();
  EXPECT_EQ(text.Take(), "}\n");
  guards.Pass(1);
  guards.EnsureGuard();
  guards.CloseGuard();
  EXPECT_EQ(text.Take(), "");
}

TEST(ResumeGuardsTest, RowsWithSafepointsAreGuardedWhereOthersFollow) {
  Text text;
  ResumeGuards guards(true, text);
  guards.EnterUnguarded(3);
  guards.EnsureGuard();
  guards.Enter(1, 2);
  EXPECT_EQ(text.Take(), "if (r == 0u) {\n}\nif (r <= 2u) {\n");
  guards.Pass(2);
  guards.Leave();
  EXPECT_EQ(text.Take(), "}\n");
  guards.Enter(3, 3);  // the last ones
  guards.Leave();
  EXPECT_EQ(text.Take(), "");
}

TEST(ResumeGuardsTest, RowsWithoutSafepointsAreStraightCode) {
  Text text;
  ResumeGuards guards(true, text);
  guards.EnterUnguarded(1);
  guards.Enter(1, 0);
  guards.EnsureGuard();  // nothing inside is still to come
  guards.Leave();
  EXPECT_EQ(text.Take(), "if (r == 0u) {\n");
}

TEST(ResumeGuardsTest, AnArmIsGuardedByItsOwnSafepoints) {
  Text text;
  ResumeGuards guards(true, text);
  guards.EnterUnguarded(2);
  guards.Enter(1, 2);
  guards.SetLast(0);  // the then arm has none
  guards.EnsureGuard();
  EXPECT_EQ(text.Take(), "");
  guards.SetLast(2);  // the else arm
  guards.EnsureGuard();
  EXPECT_EQ(text.Take(), "if (r == 0u) {\n");
}

TEST(ResumeGuardsTest, ARowThatIsDoneAgainIsPassedOverByLaterSafepointsAlone) {
  Text text;
  ResumeGuards guards(true, text);
  guards.EnterUnguarded(2);
  EXPECT_TRUE(guards.OpenAgain(1));
  EXPECT_EQ(text.Take(), "if (r <= 1u) {\n");
  text.Close();
  text.Take();
  EXPECT_FALSE(guards.OpenAgain(2));
  EXPECT_EQ(text.Take(), "");
}

TEST(ResumeGuardsTest, AFunctionThatIsNotResumedHasNoGuards) {
  Text text;
  ResumeGuards guards(false, text);
  EXPECT_FALSE(guards.ResumesInside(1, 2));
  guards.EnterUnguarded(3);
  guards.EnsureGuard();
  guards.Enter(1, 2);
  guards.EnsureGuard();
  guards.Leave();
  EXPECT_FALSE(guards.OpenAgain(3));
  EXPECT_EQ(text.Take(), "");
}

}  // namespace
}  // namespace wb::test
