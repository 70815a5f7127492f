#include "client/cli/top/sparkline.h"

#include <gtest/gtest.h>

namespace wb::cli {
namespace {

TEST(Sparkline, BarsAreSharesOfTheLargestThatIsShown) {
  EXPECT_EQ(Sparkline({0, 1, 4, 8}, 4, Glyphs::kUnicode), " ▁▄█");
  EXPECT_EQ(Sparkline({100, 1, 2}, 2, Glyphs::kUnicode), "▄█");
  EXPECT_EQ(Sparkline({4, 8}, 4, Glyphs::kAscii), "  =#");
}

TEST(Sparkline, WhatIsThereAtAllIsSeenAndNothingIsBlank) {
  EXPECT_EQ(Sparkline({1e-9, 1}, 2, Glyphs::kUnicode), "▁█");
  EXPECT_EQ(Sparkline({0, 0}, 2, Glyphs::kUnicode), "  ");
  EXPECT_EQ(Sparkline({-1, 2}, 2, Glyphs::kUnicode), " █");
  EXPECT_EQ(Sparkline({}, 3, Glyphs::kUnicode), "   ");
  EXPECT_EQ(Sparkline({1}, 0, Glyphs::kUnicode), "");
}

TEST(Timeline, BurstsAreBarsAndRestsAreDots) {
  // Ten parts of 10 ns: all of the first, half of the third, the last two.
  const std::vector<TimeSpan> spans = {{0, 10}, {20, 25}, {80, 200}, {-50, -20}, {300, 400}};
  EXPECT_EQ(Timeline(spans, 0, 100, 10, Glyphs::kUnicode), "█▁▄·····██");
  EXPECT_EQ(Timeline({}, 0, 100, 4, Glyphs::kAscii), "____");
}

TEST(Timeline, AnInstantIsSeen) {
  EXPECT_EQ(Timeline({{50, 50}}, 0, 100, 4, Glyphs::kUnicode), "··▁·");
  EXPECT_EQ(Timeline({{0, 1}}, 100, 100, 3, Glyphs::kUnicode), "   ");
}

TEST(ProgressBar, IsAsWideAsItIsTold) {
  EXPECT_EQ(ProgressBar(5, 10, 12), "[#####-----]");
  EXPECT_EQ(ProgressBar(0, 0, 5), "[---]");
  EXPECT_EQ(ProgressBar(20, 10, 5), "[###]");
  EXPECT_EQ(ProgressBar(1, 2, 2), "");
}

}  // namespace
}  // namespace wb::cli
