#include "client/cli/profile/folded_stacks.h"

#include <gtest/gtest.h>

#include "tests/client/profile/sample_profile.h"

namespace wb::test {
namespace {

TEST(FoldedStacksTest, AStackHasALine) {
  EXPECT_EQ(cli::FoldedStacks(cli::TreeOf(SampleProfile()).value()),
            "main 10\n"
            "main;a::work(int) 20\n"
            "main;a::work(int);a::work(int) loop 0x40 70\n"
            "main;main 5\n"
            "main;main;a::work(int) 15\n");
}

TEST(FoldedStacksTest, SeparatorsAreInNoName) {
  wasmburst::v1::Profile profile;
  AddFrame(&profile, 1, "a;b\n1 2");
  AddNode(&profile, 0, 0, 0, 3);
  AddNode(&profile, 0, 0, 1, 4);
  EXPECT_EQ(cli::FoldedStacks(cli::TreeOf(profile).value()),
            "(the job's steps) 3\na:b\\x0a1 2 4\n");
}

}  // namespace
}  // namespace wb::test
