#include "scheduler/trace/job_profile.h"

#include <gtest/gtest.h>

#include "scheduler/trace/profile_sample.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {
namespace {

using Numbers = std::vector<uint64_t>;

TEST(ProfileSampleTest, ASampleIsSpreadOverTheJob) {
  EXPECT_EQ(SampleOf(100, 4), (Numbers{12, 37, 62, 87}));
  EXPECT_EQ(SampleOf(3, 16), (Numbers{0, 1, 2}));
  EXPECT_EQ(SampleOf(1, 1), (Numbers{0}));
  EXPECT_EQ(SampleOf(0, 5), Numbers());
  const Numbers many = SampleOf(uint64_t{1} << 40, 1024);
  ASSERT_EQ(many.size(), 1024u);
  EXPECT_EQ(many.front(), uint64_t{1} << 29);
  EXPECT_LT(many.back(), uint64_t{1} << 40);
}

TEST(ProfileBuilderTest, InstancesAreAddedUp) {
  const auto module = ModuleOf("(module (func) (func))");
  ProfileBuilder builder(*module, true);
  const FuelProfile one = {{0, FuelNode::kNoFunction, 0, 0, 1}, {0, 0, 0, 1, 5}, {1, 0, 9, 2, 7}};
  const FuelProfile two = {{0, FuelNode::kNoFunction, 0, 0, 2}, {0, 1, 0, 1, 3}, {0, 0, 0, 4, 6}};
  builder.Add(one);
  builder.Add(two);
  const JobProfile profile = builder.Take();
  EXPECT_EQ(profile.fuel, 24u);
  ASSERT_EQ(profile.nodes.size(), 4u);
  EXPECT_EQ(profile.nodes[0].fuel, 3u);
  EXPECT_EQ(profile.nodes[1].fuel, 11u);
  EXPECT_EQ(profile.nodes[1].calls, 5u);
  EXPECT_EQ(profile.frames[profile.nodes[2].frame].loop, 9u);
  EXPECT_EQ(profile.nodes[3].fuel, 3u);
  EXPECT_EQ(builder.Take().fuel, 0u);
}

TEST(ProfileBuilderTest, WhatOnlyTheEngineHasCountsAsItsCallers) {
  const auto module = ModuleOf("(module (func))");
  ProfileBuilder builder(*module, false);
  // Function 0, a loop in it, a synthetic function called there, and function 0 below that.
  builder.Add({{0, FuelNode::kNoFunction, 0, 0, 0},
               {0, 0, 0, 1, 5},
               {1, 0, 9, 1, 10},
               {2, 1, 0, 1, 100},
               {3, 0, 0, 1, 1000}});
  const JobProfile profile = builder.Take();
  ASSERT_EQ(profile.nodes.size(), 3u);
  EXPECT_EQ(profile.nodes[1].fuel, 115u);
  EXPECT_EQ(profile.nodes[2].fuel, 1000u);
  EXPECT_EQ(profile.nodes[2].parent, 1u);
}

TEST(ProfileBuilderTest, WhatUsedNothingIsNoNode) {
  const auto module = ModuleOf("(module (func))");
  ProfileBuilder builder(*module, false);
  builder.Add({{0, FuelNode::kNoFunction, 0, 0, 4}, {0, FuelNode::kManyCallers, 0, 0, 0}});
  EXPECT_EQ(builder.Take().nodes.size(), 1u);
  builder.Add({});
  EXPECT_EQ(builder.Take().fuel, 0u);
}

}  // namespace
}  // namespace wb::test
