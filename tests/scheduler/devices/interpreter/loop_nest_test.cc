// Which loop is around a row, by numbers.

#include "scheduler/devices/interpreter/loop_nest.h"

#include <gtest/gtest.h>

namespace wb::test {
namespace {

TEST(LoopNestTest, SaysNothingWhereNoLoopIsCounted) {
  std::vector<ByteLoop> loops;
  LoopNest nest(loops);
  nest.Open();
  nest.Open();
  EXPECT_EQ(nest.Close(), std::nullopt);
  EXPECT_EQ(nest.Close(), std::nullopt);
  EXPECT_TRUE(loops.empty());
}

TEST(LoopNestTest, ALoopKnowsTheOneAroundIt) {
  std::vector<ByteLoop> loops;
  LoopNest nest(loops);
  nest.Open();
  EXPECT_EQ(nest.Count(10), 1u);
  nest.Open();  // a block between them
  nest.Open();
  EXPECT_EQ(nest.Count(20), 2u);
  EXPECT_EQ(nest.Close(), 1u);
  EXPECT_EQ(nest.Close(), 1u);
  EXPECT_EQ(nest.Close(), 0u);
  ASSERT_EQ(loops.size(), 3u);
  EXPECT_EQ(loops[1].offset, 10u);
  EXPECT_EQ(loops[1].outer, 0u);
  EXPECT_EQ(loops[2].offset, 20u);
  EXPECT_EQ(loops[2].outer, 1u);
}

TEST(LoopNestTest, AConstructWithoutALoopChangesNothing) {
  std::vector<ByteLoop> loops;
  LoopNest nest(loops);
  nest.Open();
  EXPECT_EQ(nest.Count(10), 1u);
  nest.Open();
  EXPECT_EQ(nest.Close(), std::nullopt);
  nest.Open();
  EXPECT_EQ(nest.Count(30), 2u);
  EXPECT_EQ(loops[2].outer, 1u);
}

}  // namespace
}  // namespace wb::test
