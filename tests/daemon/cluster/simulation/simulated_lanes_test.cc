#include "tests/daemon/cluster/simulation/simulated_lanes.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace wb::test {
namespace {

std::vector<uint64_t> Instances(const std::vector<FinishedInstance>& finished) {
  std::vector<uint64_t> instances;
  for (const FinishedInstance& one : finished) instances.push_back(one.instance);
  std::sort(instances.begin(), instances.end());
  return instances;
}

TEST(SimulatedLanesTest, ALaneTakesTheNextWhenOneHasEnded) {
  SimulatedLanes lanes;
  lanes.Give({1, 0, 10, 5});
  std::vector<FinishedInstance> finished;
  EXPECT_NEAR(lanes.Launch(2, 1, 0.25, {0.1, 0}, &finished), 0.25, 1e-9);
  EXPECT_EQ(Instances(finished), (std::vector<uint64_t>{10, 11, 12, 13}));
  EXPECT_TRUE(lanes.CanGo());
}

TEST(SimulatedLanesTest, WhatHasNotEndedGoesOnInTheNextLaunch) {
  SimulatedLanes lanes;
  lanes.Give({1, 0, 0, 1});
  std::vector<FinishedInstance> finished;
  for (int launch = 0; launch < 3; ++launch) {
    EXPECT_NEAR(lanes.Launch(4, 2, 0.5, {3.5, 0}, &finished), 0.5, 1e-9);
    EXPECT_TRUE(finished.empty());
  }
  EXPECT_NEAR(lanes.Launch(4, 2, 0.5, {3.5, 0}, &finished), 0.25, 1e-9);  // 3.5 s at speed 2
  EXPECT_EQ(finished.size(), 1u);
  EXPECT_FALSE(lanes.CanGo());
}

TEST(SimulatedLanesTest, AnInstanceIsAsLongWhereverItRuns) {
  const InstanceLengths lengths = {2, 1};
  double sum = 0;
  for (uint64_t instance = 0; instance < 10'000; ++instance) {
    sum += lengths.Of(3, instance);
    ASSERT_EQ(lengths.Of(3, instance), lengths.Of(3, instance));
  }
  EXPECT_NEAR(sum / 10'000, 2, 0.1);
  EXPECT_NE(lengths.Of(3, 1), lengths.Of(3, 2));
  EXPECT_NE(lengths.Of(3, 1), lengths.Of(4, 1));
}

}  // namespace
}  // namespace wb::test
