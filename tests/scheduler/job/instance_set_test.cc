#include "scheduler/job/instance_set.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace wb {
namespace {

using Ranges = std::vector<InstanceRange>;
constexpr uint64_t kMost = uint64_t{1} << 40;

// Neighbours of a plain set as ranges.
Ranges RangesOf(const std::set<uint64_t>& instances) {
  Ranges ranges;
  for (const uint64_t instance : instances) {
    const bool is_next = !ranges.empty() && ranges.back().first + ranges.back().count == instance;
    if (!is_next) ranges.push_back({instance, 0});
    ++ranges.back().count;
  }
  return ranges;
}

Ranges MissingOf(const std::set<uint64_t>& instances, uint64_t end) {
  std::set<uint64_t> missing;
  for (uint64_t i = 0; i < end; ++i) {
    if (instances.count(i) == 0) missing.insert(i);
  }
  return RangesOf(missing);
}

TEST(InstanceSetTest, AnEmptySetHasNoEndAndMissesAll) {
  InstanceSet set;
  set.Add(7, 0);
  EXPECT_EQ(set.count(), 0u);
  EXPECT_EQ(set.end(), 0u);
  EXPECT_FALSE(set.Contains(7));
  EXPECT_EQ(set.ranges(), Ranges());
  EXPECT_EQ(set.Missing(0), Ranges());
  EXPECT_EQ(set.Missing(5), (Ranges{{0, 5}}));
}

TEST(InstanceSetTest, RangesThatTouchOrOverlapAreOne) {
  InstanceSet set;
  set.Add(10, 5);
  set.Add(20, 5);
  set.Add(30, 5);
  EXPECT_EQ(set.ranges(), (Ranges{{10, 5}, {20, 5}, {30, 5}}));
  set.Add(15, 1);  // touches the first alone
  set.Add(19, 1);  // touches the second alone
  EXPECT_EQ(set.ranges(), (Ranges{{10, 6}, {19, 6}, {30, 5}}));
  set.Add(12, 2);   // is within the first
  set.Add(14, 19);  // joins all three
  EXPECT_EQ(set.ranges(), (Ranges{{10, 25}}));
  EXPECT_EQ(set.count(), 25u);
  set.Add(0, 100);  // has it within
  EXPECT_EQ(set.ranges(), (Ranges{{0, 100}}));
}

TEST(InstanceSetTest, OfItsRangesThoseBelowTheEndLeaveGaps) {
  InstanceSet set;
  set.Add(10, 5);
  set.Add(20, 5);
  EXPECT_EQ(set.Missing(10), (Ranges{{0, 10}}));
  EXPECT_EQ(set.Missing(12), (Ranges{{0, 10}}));
  EXPECT_EQ(set.Missing(18), (Ranges{{0, 10}, {15, 3}}));
  EXPECT_EQ(set.Missing(30), (Ranges{{0, 10}, {15, 5}, {25, 5}}));
}

TEST(InstanceSetTest, ItHoldsAsManyInstancesAsTheLargestJobHas) {
  InstanceSet set;
  set.Add(1, kMost - 2);
  EXPECT_EQ(set.count(), kMost - 2);
  EXPECT_EQ(set.Missing(kMost), (Ranges{{0, 1}, {kMost - 1, 1}}));
  set.Add(kMost - 1, 1);
  EXPECT_TRUE(set.Contains(kMost - 1));
  EXPECT_FALSE(set.Contains(kMost));
  EXPECT_EQ(set.end(), kMost);
  set.Add(0, kMost);
  EXPECT_EQ(set.ranges(), (Ranges{{0, kMost}}));
  set.Add(kMost, ~uint64_t{0});  // more than there are numbers
  EXPECT_EQ(set.end(), ~uint64_t{0});
}

TEST(InstanceSetTest, ItIsTheSetThatAPlainOneWouldBe) {
  std::mt19937_64 random(7);
  for (const uint64_t base : {uint64_t{0}, kMost - 600}) {
    InstanceSet set;
    std::set<uint64_t> plain;
    for (int i = 0; i < 120; ++i) {
      const uint64_t first = random() % 580;
      const uint64_t count = random() % 3 == 0 ? random() % 20 : 1;
      set.Add(base + first, count);
      for (uint64_t j = 0; j < count; ++j) plain.insert(first + j);
      Ranges ranges = RangesOf(plain);
      for (InstanceRange& range : ranges) range.first += base;
      ASSERT_EQ(set.ranges(), ranges);
      ASSERT_EQ(set.count(), plain.size());
      ASSERT_EQ(set.end(), plain.empty() ? 0 : base + *plain.rbegin() + 1);
    }
    for (uint64_t i = 0; i < 600; ++i) {
      ASSERT_EQ(set.Contains(base + i), plain.count(i) > 0) << i;
      if (base > 0) continue;  // the plain set would be long
      ASSERT_EQ(set.Missing(i), MissingOf(plain, i)) << i;
    }
  }
}

}  // namespace
}  // namespace wb
