// The blocks of an image's memories, in their order.

#include "scheduler/devices/migration/block_reader.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

namespace wb::test {
namespace {

// Of a memory of one page: its bits, and for each of these blocks words of its number and one.
void AppendPage(std::vector<uint32_t>& words, std::initializer_list<uint32_t> blocks) {
  words.push_back(0);
  for (const uint32_t block : blocks) words.back() |= 1u << block;
  for (const uint32_t block : blocks) words.insert(words.end(), kBlockWords, block + 1);
}

TEST(BlockReaderTest, BlocksThatAreNotThereAreNull) {
  std::vector<uint32_t> words(3, ~0u);
  AppendPage(words, {0, 15});
  BlockReader reader(words, 3);
  reader.BeginMemory(1);
  const uint32_t* first = reader.Next();
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first[0], 1u);
  EXPECT_EQ(first[kBlockWords - 1], 1u);
  for (int block = 1; block < 15; ++block) EXPECT_EQ(reader.Next(), nullptr) << block;
  const uint32_t* last = reader.Next();
  ASSERT_NE(last, nullptr);
  EXPECT_EQ(last[0], 16u);
  EXPECT_EQ(reader.Next(), nullptr);  // the memory has ended
}

TEST(BlockReaderTest, WhatIsLeftOfAMemoryIsPassed) {
  std::vector<uint32_t> words;
  AppendPage(words, {0, 2, 3});
  AppendPage(words, {0});
  BlockReader reader(words, 0);
  reader.BeginMemory(1);
  EXPECT_EQ(reader.Next()[0], 1u);
  reader.BeginMemory(1);
  EXPECT_EQ(reader.Next(), words.data() + 1 + 3 * kBlockWords + 1);
}

TEST(BlockReaderTest, AMemoryWithoutPagesHasNoWords) {
  std::vector<uint32_t> words;
  AppendPage(words, {1});
  BlockReader reader(words, 0);
  reader.BeginMemory(0);
  EXPECT_EQ(reader.Next(), nullptr);
  reader.BeginMemory(1);
  EXPECT_EQ(reader.Next(), nullptr);
  EXPECT_EQ(reader.Next()[0], 2u);
}

}  // namespace
}  // namespace wb::test
