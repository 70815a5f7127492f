#include "tests/daemon/cluster/simulation/simulated_cluster.h"

#include <gtest/gtest.h>

#include <string>

namespace wb::test {
namespace {

ClusterJob JobOf(const std::string& tenant = "a", double weight = 1, double length = 0.5) {
  ClusterJob job;
  job.tenant = tenant;
  job.weight = weight;
  job.length = length;
  job.spread = 0.5;
  return job;
}

TEST(SimulatedClusterTest, UnequalHostsEndTogether) {
  for (const size_t hosts : {1u, 8u, 64u}) {
    const ClusterOutcome outcome = RunCluster(ShapeOf(hosts, 30, {JobOf()}));
    ASSERT_TRUE(outcome.ended);
    EXPECT_GT(outcome.efficiency(), 0.85) << hosts;
    EXPECT_GT(outcome.busy, 0.97) << hosts;
    EXPECT_LT(outcome.longest_gap, 0.6) << hosts;
    EXPECT_EQ(outcome.lost + outcome.doubled, 0u);
  }
}

TEST(SimulatedClusterTest, ASeedGivesTheSameRun) {
  ClusterShape shape = ShapeOf(10, 10, {JobOf()}, 3);
  shape.faults = FaultsOf(10);
  const ClusterOutcome one = RunCluster(shape);
  const ClusterOutcome other = RunCluster(shape);
  EXPECT_EQ(one.seconds, other.seconds);
  EXPECT_EQ(one.claims, other.claims);
  shape.seed = 4;
  EXPECT_NE(RunCluster(shape).seconds, one.seconds);
}

TEST(SimulatedClusterTest, TenantsShareTheClusterByWeight) {
  const ClusterOutcome outcome = RunCluster(ShapeOf(
      20, 120,
      {JobOf("one", 1), JobOf("two", 2), JobOf("two", 2), JobOf("four", 4), JobOf("one", 1)}));
  ASSERT_TRUE(outcome.ended);
  EXPECT_NEAR(outcome.shares.at("one"), 1.0 / 7, 0.02);
  EXPECT_NEAR(outcome.shares.at("two"), 2.0 / 7, 0.02);
  EXPECT_NEAR(outcome.shares.at("four"), 4.0 / 7, 0.02);
}

TEST(SimulatedClusterTest, NoFaultLosesOrDoublesAResult) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    ClusterShape shape = ShapeOf(20, 20, {JobOf(), JobOf("b")}, seed);
    shape.faults = FaultsOf(20);
    shape.costs.round_trip = 0.1;  // many transactions are on their way when a host is cut off
    const ClusterOutcome outcome = RunCluster(shape);
    EXPECT_TRUE(outcome.ended) << seed;
    EXPECT_GT(outcome.drops, 0u);
    EXPECT_EQ(outcome.lost, 0u) << seed;
    EXPECT_EQ(outcome.doubled, 0u) << seed;
  }
}

// A rule that is broken is found, so that the test above can fail.
struct BrokenRule {
  std::string name;
  bool SharedRules::*rule;
  bool ends;
  bool loses;
  bool doubles;
};

class BrokenRuleTest : public ::testing::TestWithParam<BrokenRule> {};

TEST_P(BrokenRuleTest, IsFound) {
  ClusterShape shape = ShapeOf(20, 20, {JobOf()});
  shape.faults = FaultsOf(20);
  shape.costs.round_trip = 0.1;
  shape.most_time = 120;
  shape.rules.*GetParam().rule = false;
  const ClusterOutcome outcome = RunCluster(shape);
  EXPECT_EQ(outcome.ended, GetParam().ends);
  EXPECT_EQ(outcome.lost > 0, GetParam().loses) << outcome.lost;
  EXPECT_EQ(outcome.doubled > 0, GetParam().doubles) << outcome.doubled;
}

INSTANTIATE_TEST_SUITE_P(
    Table, BrokenRuleTest,
    ::testing::Values(BrokenRule{"fences", &SharedRules::fences, true, false, true},
                      BrokenRule{"numbers", &SharedRules::numbers, true, false, true},
                      BrokenRule{"returns_chunks", &SharedRules::returns_chunks, false, true,
                                 false},
                      BrokenRule{"finds_chunks", &SharedRules::finds_chunks, false, false, false}),
    [](const auto& test) { return test.param.name; });

TEST(SimulatedClusterTest, WhatEveryCommitTellsAllHostsFillsTheDatabase) {
  ClusterShape shape = ShapeOf(100, 5, {JobOf()});
  const ClusterOutcome calm = RunCluster(shape);
  shape.habits = HabitsOfFew();
  const ClusterOutcome loud = RunCluster(shape);
  EXPECT_LT(calm.database_share, 0.25);
  EXPECT_GT(loud.database_share, 0.75);
}

}  // namespace
}  // namespace wb::test
