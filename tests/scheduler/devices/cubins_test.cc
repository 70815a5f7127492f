// Rows of cubins and of kernels in one row of bytes.

#include "scheduler/devices/cuda/cubins.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace wb::test {
namespace {

TEST(Cubins, CubinsAreJoinedAndSplit) {
  EXPECT_EQ(JoinCubins({{1, 2, 3}}), (Bytes{1, 2, 3}));
  EXPECT_EQ(SplitCubins(Bytes{1, 2, 3})->size(), 1u);
  const Bytes joined = JoinCubins({{1, 2, 3}, {}, {4}});
  const auto cubins = SplitCubins(joined);
  ASSERT_TRUE(cubins.ok());
  ASSERT_EQ(cubins->size(), 3u);
  EXPECT_EQ(Bytes((*cubins)[0].begin(), (*cubins)[0].end()), (Bytes{1, 2, 3}));
  EXPECT_TRUE((*cubins)[1].empty());
  EXPECT_EQ((*cubins)[2][0], 4);
  for (size_t size = 8; size < joined.size(); ++size) {
    EXPECT_FALSE(SplitCubins(ByteView(joined).first(size)).ok()) << size;
  }
  Bytes wrong = joined;
  std::fill(wrong.begin() + 8, wrong.begin() + 16, uint8_t{0xff});  // so many
  EXPECT_FALSE(SplitCubins(wrong).ok());
  wrong = joined;
  std::fill(wrong.begin() + 16, wrong.begin() + 24, uint8_t{0xff});  // so long
  EXPECT_FALSE(SplitCubins(wrong).ok());
}

TEST(Cubins, KernelsAreJoinedAndSplit) {
  EXPECT_EQ(SplitKernels(Bytes{1, 2, 3})->size(), 1u);
  const Bytes chunks = JoinCubins({{1, 2, 3}, {4}});
  EXPECT_EQ(SplitKernels(chunks)->size(), 1u);
  const Bytes joined = JoinKernels({chunks, {5, 6}});
  const auto kernels = SplitKernels(joined);
  ASSERT_TRUE(kernels.ok());
  ASSERT_EQ(kernels->size(), 2u);
  EXPECT_EQ(SplitCubins((*kernels)[0])->size(), 2u);
  EXPECT_EQ((*kernels)[1][0], 5);
  for (size_t size = 8; size < joined.size(); ++size) {
    EXPECT_FALSE(SplitKernels(ByteView(joined).first(size)).ok()) << size;
  }
  const Bytes gap = JoinKernels({{1}, {}, {2}});
  ASSERT_EQ(SplitKernels(gap)->size(), 3u);
  EXPECT_TRUE(SplitKernels(gap)->at(1).empty());
  EXPECT_EQ(JoinKernels({{1, 2}}), (Bytes{1, 2}));
  EXPECT_FALSE(SplitKernels(JoinKernels({{}, {1}})).ok());
  std::vector<Bytes> most(kMostKernels, Bytes{1});
  EXPECT_TRUE(SplitKernels(JoinKernels(most)).ok());
  most.push_back({1});
  EXPECT_FALSE(SplitKernels(JoinKernels(most)).ok());
  Bytes none = joined;
  std::fill(none.begin() + 8, none.begin() + 16, uint8_t{0});  // so many
  EXPECT_FALSE(SplitKernels(none).ok());
}

}  // namespace
}  // namespace wb::test
