// OccupancySearch: what it tries next after each trial, and what it ends with.

#include "scheduler/control/occupancy_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "tests/scheduler/control/shown_launches.h"

namespace wb::test {
namespace {

class OccupancySearchTest : public ::testing::Test {
 protected:
  static constexpr uint32_t kCores = 132;  // processors
  static constexpr uint32_t kHeld = kCores * 2048;
  static constexpr double kRate = 1e12;

  OccupancySearchTest() { space_.SetLaunches(kHeld, 1); }

  OccupancySearch SearchOf(FurtherKernels kernels = {}) const { return {space_, kernels}; }
  // The trial that is under way shows that rate; what is tried is noted.
  std::optional<OccupancyChoice> Show(OccupancySearch& search, double rate) {
    tried_.push_back(search.trial().occupancy);
    return search.Conclude(TallyAt(rate));
  }
  // Until it ends. With this number of lanes a processor it is twice as fast as with all lanes.
  OccupancyChoice ShowPeak(OccupancySearch& search, uint32_t each) {
    for (int trial = 0; trial < 100; ++trial) {
      const bool is_peak = search.trial().occupancy.lanes == each * kCores;
      if (const auto choice = Show(search, is_peak ? 2 * kRate : kRate)) return *choice;
    }
    ADD_FAILURE() << "it does not end";
    return {};
  }

  OccupancySpace space_{kCores, kHeld};
  std::vector<Occupancy> tried_;
};

TEST_F(OccupancySearchTest, ItBeginsWithAllLanesAndHalvesThem) {
  OccupancySearch search = SearchOf();
  EXPECT_EQ(search.stage(), SearchStage::kNone);
  search.Begin(space_);
  EXPECT_EQ(search.stage(), SearchStage::kKernels);
  EXPECT_EQ(search.trial().occupancy, Occupancy());
  EXPECT_FALSE(Show(search, kRate));
  EXPECT_EQ(search.stage(), SearchStage::kHalves);
  EXPECT_EQ(search.trial().occupancy.lanes, 1024 * kCores);
  EXPECT_EQ(search.trial().best_rate, kRate);
  EXPECT_FALSE(Show(search, kRate * 1.5));
  EXPECT_EQ(search.trial().occupancy.lanes, 512 * kCores);
  EXPECT_EQ(search.trial().best_rate, kRate * 1.5);
}

TEST_F(OccupancySearchTest, HalvesEndWithMuchLostOrThreeWithoutAGain) {
  OccupancySearch search = SearchOf();
  search.Begin(space_);
  Show(search, kRate);
  Show(search, kRate * 0.69);
  EXPECT_EQ(search.stage(), SearchStage::kBetween);
  OccupancySearch other = SearchOf();
  other.Begin(space_);
  for (int trial = 0; trial < 3; ++trial) Show(other, kRate);
  EXPECT_EQ(other.stage(), SearchStage::kHalves);
  Show(other, kRate);
  EXPECT_EQ(other.stage(), SearchStage::kBetween);
}

TEST_F(OccupancySearchTest, WhatIsBestIsComparedWithAllLanesInLongerLaunches) {
  OccupancySearch search = SearchOf();
  search.Begin(space_);
  while (search.stage() != SearchStage::kBest) {
    ASSERT_FALSE(Show(search, search.trial().occupancy.lanes == 512 * kCores ? 2e12 : 1e12));
  }
  EXPECT_EQ(search.trial().occupancy.lanes, 512 * kCores);
  EXPECT_EQ(search.trial().time, OccupancySearch::kFinalTime);
  EXPECT_FALSE(Show(search, 2e12));
  EXPECT_EQ(search.stage(), SearchStage::kAll);
  EXPECT_EQ(search.trial().occupancy, Occupancy());
  EXPECT_EQ(search.trial().best_rate, 0) << "all lanes are tried to the end";
  const std::optional<OccupancyChoice> choice = Show(search, 1e12);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->occupancy.lanes, 512 * kCores);
  EXPECT_DOUBLE_EQ(choice->gain, 2);
  EXPECT_EQ(search.stage(), SearchStage::kNone);
}

TEST_F(OccupancySearchTest, AGainThatIsNotSeenAgainIsNotChosen) {
  OccupancySearch search = SearchOf();
  search.Begin(space_);
  while (search.stage() != SearchStage::kBest) {
    Show(search, search.trial().occupancy.lanes == 512 * kCores ? 2e12 : 1e12);
  }
  Show(search, 1.02e12);
  const std::optional<OccupancyChoice> choice = Show(search, 1e12);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->occupancy, Occupancy());
  EXPECT_EQ(choice->gain, 1);
}

TEST_F(OccupancySearchTest, WithoutAGainItEndsWithoutComparing) {
  OccupancySearch search = SearchOf();
  search.Begin(space_);
  EXPECT_EQ(ShowPeak(search, 1).occupancy, Occupancy());
  for (const Occupancy& tried : tried_) EXPECT_FALSE(tried.tiled || tried.few_registers);
  EXPECT_NE(tried_.back(), Occupancy());
}

TEST_F(OccupancySearchTest, CountsBetweenAndBlocksAreTriedForTheBest) {
  OccupancySearch search = SearchOf();
  search.Begin(space_);
  ShowPeak(search, 512);
  const std::vector<Occupancy> expected = {
      {512 * kCores, 64}, {512 * kCores, 256}, {384 * kCores, 0}, {768 * kCores, 0}};
  for (const Occupancy& each : expected) {
    EXPECT_NE(std::find(tried_.begin(), tried_.end(), each), tried_.end()) << each.lanes;
  }
}

TEST_F(OccupancySearchTest, KernelsAreTriedWithAllLanesAndTheOthersWithTheBestCount) {
  OccupancySearch search = SearchOf({.few_registers = true, .tiled = true, .hot = true});
  search.Begin(space_);
  ShowPeak(search, 512);
  const std::vector<Occupancy> first = {
      {}, {.few_registers = true}, {.tiled = true}, {.hot = true}, {1024 * kCores, 0}};
  EXPECT_TRUE(std::equal(first.begin(), first.end(), tried_.begin()));
  for (const Occupancy& other : {Occupancy{.lanes = 512 * kCores, .few_registers = true},
                                 Occupancy{.lanes = 512 * kCores, .tiled = true}}) {
    EXPECT_NE(std::find(tried_.begin(), tried_.end(), other), tried_.end());
  }
}

TEST_F(OccupancySearchTest, ATrialThatShowsNothingEndsItWithoutAChoice) {
  OccupancySearch search = SearchOf();
  search.Begin(space_);
  Show(search, kRate);
  search.Abandon(false);
  EXPECT_EQ(search.stage(), SearchStage::kNone);
  EXPECT_FALSE(search.instances_are_long());
}

TEST_F(OccupancySearchTest, WhereLanesStayAKernelForAllIsComparedAndKept) {
  OccupancySearch search = SearchOf({.tiled = true});
  search.Begin(space_);
  Show(search, kRate);
  Show(search, kRate * 1.5);  // tiled
  search.Abandon(true);
  EXPECT_TRUE(search.instances_are_long());
  EXPECT_TRUE(search.lanes_stay());
  EXPECT_EQ(search.stage(), SearchStage::kBest);
  EXPECT_EQ(search.trial().occupancy, (Occupancy{.tiled = true}));
  Show(search, kRate * 1.5);
  const std::optional<OccupancyChoice> choice = Show(search, kRate);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->occupancy, (Occupancy{.tiled = true}));
  search.BeginRising(space_);
  EXPECT_EQ(search.trial().occupancy,
            (Occupancy{.lanes = 32 * kCores, .block_threads = 32, .tiled = true}));
}

TEST_F(OccupancySearchTest, WhereLanesStayAndNoKernelIsBetterItEnds) {
  OccupancySearch search = SearchOf({.tiled = true});
  search.Begin(space_);
  Show(search, kRate);
  Show(search, kRate);
  search.Abandon(true);
  EXPECT_EQ(search.stage(), SearchStage::kNone);
  EXPECT_TRUE(search.instances_are_long());
  EXPECT_FALSE(search.lanes_stay());
}

TEST_F(OccupancySearchTest, RisingLanesBecomeTwiceAsManyUntilALoss) {
  OccupancySearch search = SearchOf();
  search.BeginRising(space_);
  EXPECT_LT(search.trial().most_unfit, OccupancyTrial::kMostUnfit);
  EXPECT_FALSE(Show(search, kRate));
  EXPECT_FALSE(Show(search, kRate * 1.8));
  EXPECT_FALSE(Show(search, kRate * 1.7));
  const std::optional<OccupancyChoice> choice = Show(search, kRate);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->occupancy, (Occupancy{64 * kCores, 64}));
  EXPECT_DOUBLE_EQ(choice->gain, 1.8);
  EXPECT_EQ(tried_.back().lanes, 256 * kCores);
}

TEST_F(OccupancySearchTest, RisingLanesEndWithAllOfThem) {
  OccupancySearch search = SearchOf();
  search.BeginRising(space_);
  double rate = kRate;
  std::optional<OccupancyChoice> choice;
  for (; !choice; rate *= 1.5) choice = Show(search, rate);
  EXPECT_EQ(choice->occupancy, Occupancy());
  EXPECT_EQ(tried_.back(), Occupancy());
}

}  // namespace
}  // namespace wb::test
