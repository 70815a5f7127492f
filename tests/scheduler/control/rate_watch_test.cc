// RateWatch: when a rate has fallen, and when a search may begin.

#include "scheduler/control/rate_watch.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/scheduler/control/shown_launches.h"

namespace wb::test {
namespace {

constexpr double kUsual = 1e12;

void RecordRows(RateWatch& watch, double rate, uint32_t rows) {
  for (uint32_t row = 0; row < rows; ++row) watch.Record(TallyAt(rate));
}

TEST(RateWatchTest, ARateHasFallenAfterManyLowRowsOneAfterTheOther) {
  RateWatch watch;
  RecordRows(watch, kUsual, 20);
  RecordRows(watch, kUsual * 0.5, RateWatch::kFallenFor - 1);
  EXPECT_FALSE(watch.HasFallen());
  RecordRows(watch, kUsual, 1);
  RecordRows(watch, kUsual * 0.5, RateWatch::kFallenFor - 1);
  EXPECT_FALSE(watch.HasFallen());
  RecordRows(watch, kUsual * 0.5, 1);
  EXPECT_TRUE(watch.HasFallen());
}

TEST(RateWatchTest, WhatFallsSlowlyIsUsual) {
  RateWatch watch;
  for (double rate = kUsual; rate > kUsual / 10; rate *= 0.98) RecordRows(watch, rate, 1);
  EXPECT_FALSE(watch.HasFallen());
}

TEST(RateWatchTest, RowsThatDoNotLastAlikeSayNothingOfTheRate) {
  RateWatch watch;
  RecordRows(watch, kUsual, 20);
  OccupancyLaunch unlike = LaunchAt(kUsual * 0.1, std::chrono::milliseconds(100));
  unlike.abreast = 2;  // its time in flight is not twice as long
  LaunchTally row;
  row.Add(unlike);
  for (uint32_t i = 0; i < 2 * RateWatch::kFallenFor; ++i) watch.Record(row);
  EXPECT_FALSE(watch.HasFallen());
}

TEST(RateWatchTest, OtherLaunchesHaveAnotherUsualRate) {
  RateWatch watch;
  RecordRows(watch, kUsual, 20);
  watch.Forget();
  EXPECT_FALSE(watch.MaySearch());
  RecordRows(watch, kUsual * 0.1, 20);
  EXPECT_FALSE(watch.HasFallen());
}

TEST(RateWatchTest, SearchesBeginAtGrowingDistances) {
  RateWatch watch;
  uint32_t before = 0;
  for (int search = 0; search < 8; ++search) {
    uint32_t launches = 0;
    for (; !watch.MaySearch(); ++launches) RecordRows(watch, kUsual, 1);
    EXPECT_EQ(launches, search == 0 ? RateWatch::kFirstPatience
                                    : std::min(before * RateWatch::kPatienceGrowth,
                                               RateWatch::kLongestPatience));
    before = launches;
    watch.RecordSearch();
    watch.Forget();
  }
  EXPECT_EQ(before, RateWatch::kLongestPatience);
}

}  // namespace
}  // namespace wb::test
