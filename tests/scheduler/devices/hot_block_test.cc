// How many lanes a block has whose lanes each have hot bytes.

#include "scheduler/devices/cuda/hot_block.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

constexpr uint32_t kHopper = 90, kAmpere = 80, kAda = 89, kTuring = 75;

TEST(HotBlockTest, AsManyLanesRunAsAProcessorHasRoomFor) {
  // 228 KiB, of which each block loses one: of 4 KiB each, as many lanes run as in 4 blocks of 14.
  EXPECT_EQ(HotBlockOf(4096, kHopper), (HotBlock{28, 2}));
  EXPECT_EQ(HotBlockOf(2048, kHopper), (HotBlock{28, 4}));
  EXPECT_EQ(HotBlockOf(4096, kAmpere).lanes_of_processor(), 40u);
  EXPECT_EQ(HotBlockOf(4096, kAda).lanes_of_processor(), 24u);
}

TEST(HotBlockTest, WholeGroupsStayWhereOthersHoldHardlyMore) {
  EXPECT_EQ(HotBlockOf(64, kHopper), (HotBlock{32, 16})) << "registers are what is short of";
  EXPECT_EQ(HotBlockOf(512, kHopper), (HotBlock{32, 13}));
  EXPECT_EQ(HotBlockOf(7168, kHopper), (HotBlock{32, 1}));
}

TEST(HotBlockTest, BlocksFitThePart) {
  for (const uint32_t capability : {kTuring, kAmpere, 86u, 87u, kAda, kHopper, 100u, 120u, 999u}) {
    for (uint32_t bytes = 4; bytes <= 7168; bytes += 4) {
      const HotBlock block = HotBlockOf(bytes, capability);
      ASSERT_GT(block.lanes, 0u);
      ASSERT_LE(block.lanes, 32u);
      ASSERT_GT(block.of_processor, 0u);
      ASSERT_LE(block.of_processor, 16u);
      if (capability < kAmpere) continue;
      ASSERT_LE(block.lanes * bytes, 227u * 1024) << bytes;
      ASSERT_LE(block.of_processor * (block.lanes * bytes + 1024), 228u * 1024) << bytes;
    }
  }
}

TEST(HotBlockTest, OlderGpusHaveWholeGroups) {
  for (const uint32_t bytes : {4u, 1024u, 4096u, 7168u}) {
    EXPECT_EQ(HotBlockOf(bytes, kTuring).lanes, 32u);
  }
}

TEST(HotBlockTest, TheCompilerIsTold) {
  std::vector<std::string> flags = {"-std=c++17"};
  AppendFlags({14, 4}, flags);
  EXPECT_EQ(flags, (std::vector<std::string>{"-std=c++17", "-DWB_BLOCK_LANES=14",
                                             "-DWB_PROCESSOR_BLOCKS=4"}));
}

}  // namespace
}  // namespace wb
