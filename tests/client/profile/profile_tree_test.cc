#include "client/cli/profile/profile_tree.h"

#include <gtest/gtest.h>

#include "tests/client/profile/sample_profile.h"

namespace wb::test {
namespace {

namespace v1 = wasmburst::v1;
using cli::ProfileTree;
using cli::TreeOf;

TEST(ProfileTreeTest, NodesHaveSumsAndNamesOfTheirLanguage) {
  const ProfileTree tree = TreeOf(SampleProfile()).value();
  ASSERT_EQ(tree.nodes.size(), 6u);
  EXPECT_EQ(tree.nodes[0].total, 120u);
  EXPECT_EQ(tree.nodes[1].total, 120u);
  EXPECT_EQ(tree.nodes[2].total, 90u);
  EXPECT_EQ(tree.nodes[2].self, 20u);
  EXPECT_EQ(tree.nodes[4].total, 20u);
  EXPECT_EQ(tree.nodes[5].depth, 3u);
  EXPECT_TRUE(tree.nodes[3].is_loop);
  EXPECT_EQ(tree.labels[tree.nodes[2].label], "a::work(int)");
  EXPECT_EQ(tree.labels[tree.nodes[3].label], "a::work(int) loop 0x40");
}

TEST(ProfileTreeTest, FunctionsWithoutNamesOrOfOneNameHaveNumbers) {
  v1::Profile profile;
  AddFrame(&profile, 7, "");
  AddFrame(&profile, 8, "same");
  AddFrame(&profile, 9, "same");
  AddFrame(&profile, 0xffffffff, "");
  AddFrame(&profile, 3, "line\nbreak");
  profile.mutable_frames(3)->set_module("lib");
  v1::ProfileFrame* many = profile.add_frames();
  many->set_many_callers(true);
  AddNode(&profile, 0, 0, 0, 1);
  const ProfileTree tree = TreeOf(profile).value();
  const std::vector<std::string> want = {"function 7",          "same #8",        "same #9",
                                         "instantiation [lib]", "line\\x0abreak", "(many callers)",
                                         "(the job's steps)"};
  EXPECT_EQ(tree.labels, want);
}

TEST(ProfileTreeTest, WhatIsNoTreeIsRefused) {
  v1::Profile profile;
  EXPECT_EQ(TreeOf(profile).status().reason(), Reason::kInternal);
  AddFrame(&profile, 1, "a");
  AddNode(&profile, 0, 0, 0, 0);
  AddNode(&profile, 1, 0, 0, 0);  // its own parent
  EXPECT_EQ(TreeOf(profile).status().reason(), Reason::kInternal);
  profile.mutable_nodes(1)->set_parent(0);
  EXPECT_TRUE(TreeOf(profile).ok());
  profile.mutable_nodes(1)->set_frame(1);
  EXPECT_EQ(TreeOf(profile).status().reason(), Reason::kInternal);
  profile.mutable_nodes(1)->set_frame(0);
  for (uint32_t i = 0; i < 5000; ++i) AddNode(&profile, i + 1, 0, 0, 0);
  EXPECT_EQ(TreeOf(profile).status().reason(), Reason::kInternal);
}

}  // namespace
}  // namespace wb::test
