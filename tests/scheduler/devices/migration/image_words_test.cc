// Words of lanes in rows: as LaneWords::at says, whatever lies between them.

#include "scheduler/devices/migration/image_words.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace wb {
namespace {

struct Shape {
  uint64_t stride;
  uint32_t tile;
};
constexpr Shape kShapes[] = {{1, 1}, {1, 4}, {32, 1}, {32, 4}, {3, 2}};
constexpr uint64_t kCounts[] = {0, 1, 3, 4, 5, 64};  // some end within a row

// Room for 64 words of each shape.
std::vector<uint32_t> Numbers(uint32_t first) {
  std::vector<uint32_t> words(64 * 32 + 4);
  std::iota(words.begin(), words.end(), first);
  return words;
}
LaneWords WordsOf(std::vector<uint32_t>& words, const Shape& shape) {
  return {words.data(), shape.stride, shape.tile};
}

TEST(ImageWords, RowsAreTheWordsInTheirOrder) {
  for (const Shape& shape : kShapes) {
    std::vector<uint32_t> words = Numbers(1);
    const LaneWords lane = WordsOf(words, shape);
    for (const uint64_t count : kCounts) {
      std::vector<const uint32_t*> seen;
      EXPECT_TRUE(VisitRows(lane, count, [&](const uint32_t* row, uint64_t first, uint64_t its) {
        EXPECT_EQ(first, seen.size());
        for (uint64_t i = 0; i < its; ++i) seen.push_back(row + i);
        return true;
      }));
      ASSERT_EQ(seen.size(), count) << shape.stride << " " << shape.tile;
      for (uint64_t w = 0; w < count; ++w) EXPECT_EQ(seen[w], &lane.at(w));
    }
  }
}

TEST(ImageWords, AVisitEndsWithTheRowThatSaysSo) {
  for (const Shape& shape : kShapes) {
    std::vector<uint32_t> words = Numbers(1);
    int rows = 0;
    EXPECT_FALSE(VisitRows(WordsOf(words, shape), 64, [&](const uint32_t*, uint64_t, uint64_t) {
      ++rows;
      return false;
    }));
    EXPECT_EQ(rows, 1);
  }
}

TEST(ImageWords, CopiesAndClearsThoseWordsAlone) {
  for (const Shape& from : kShapes) {
    for (const Shape& to : kShapes) {
      for (const uint64_t count : kCounts) {
        std::vector<uint32_t> source = Numbers(1);
        std::vector<uint32_t> target = Numbers(100'000);
        std::vector<uint32_t> expected = target;
        const LaneWords expected_words = WordsOf(expected, to);
        for (uint64_t w = 0; w < count; ++w) {
          expected_words.at(w) = WordsOf(source, from).at(w);
        }
        CopyWords(WordsOf(source, from), WordsOf(target, to), count);
        EXPECT_EQ(target, expected);
        for (uint64_t w = 0; w < count; ++w) expected_words.at(w) = 0;
        ClearWords(WordsOf(target, to), count);
        EXPECT_EQ(target, expected);
      }
    }
  }
}

}  // namespace
}  // namespace wb
