#include <gtest/gtest.h>

#include <random>

#include "compiler/debug/line_table.h"
#include "tests/compiler/debug/debug_bytes.h"

namespace wb::test {
namespace {

constexpr uint32_t kRounds = 4000;

// Reads a section of exactly these bytes, so that a sanitizer sees every byte beyond them.
uint64_t LinesOf(const Bytes& line) {
  const std::vector<uint8_t> exact(line.begin(), line.end());
  DebugSections sections;
  sections.line = exact;
  sections.line_str = exact;
  sections.str = exact;
  sections.code_bytes = 100;
  LineTable table(sections);
  uint64_t lines = 0;
  for (uint32_t address = 0; address < 110; address += 7) lines += table.At(address).line;
  return lines;
}

Bytes Whole(uint16_t version) {
  Bytes line = LineSection(version, "src", "calc.c", {{10, 3}, {14, 4}, {20, 2}, {60, 2}});
  const Bytes more = LineSection(version, "lib", "more.c", {{60, 9}, {80, 1}, {90, 1}});
  line.insert(line.end(), more.begin(), more.end());
  return line;
}

TEST(DamagedLines, EveryFrontOfASectionIsRead) {
  for (uint16_t version : {4, 5}) {
    const Bytes whole = Whole(version);
    EXPECT_GT(LinesOf(whole), 0u);
    for (size_t length = 0; length < whole.size(); ++length) {
      LinesOf(Bytes(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(length)));
    }
  }
}

TEST(DamagedLines, WrongBytesAreReadToAnEnd) {
  std::mt19937 random(22);
  for (uint16_t version : {4, 5}) {
    const Bytes whole = Whole(version);
    uint32_t different = 0;
    for (uint32_t round = 0; round < kRounds; ++round) {
      Bytes damaged = whole;
      for (uint32_t i = 0; i < 1 + random() % 4; ++i) {
        damaged[random() % damaged.size()] = static_cast<uint8_t>(random());
      }
      different += LinesOf(damaged) != LinesOf(whole) ? 1 : 0;
    }
    EXPECT_GT(different, kRounds / 10);
  }
}

TEST(DamagedLines, EntriesWithoutBytesAreNotCounted) {
  // Of version 5: a table of 2^63 directories that consist of nothing.
  Bytes whole = Whole(5);
  const size_t tables = 4 + 2 + 2 + 4 + 18;
  whole[tables] = 0;
  for (size_t i = 1; i < 9; ++i) whole[tables + i] = 0xff;
  whole[tables + 9] = 0x7f;
  LinesOf(whole);
}

}  // namespace
}  // namespace wb::test
