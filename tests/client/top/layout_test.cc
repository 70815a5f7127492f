#include "client/cli/top/layout.h"

#include <gtest/gtest.h>

namespace wb::cli {
namespace {

ViewTable ThreeRows() {
  ViewTable table;
  table.columns = {{"NAME", 0}, {"COUNT", 2, true}, {"NOTE", 1}};
  table.rows = {{"b", {{"b"}, NumberCell("9", 9), {"first"}}},
                {"a", {{"a"}, NumberCell("10", 10), {"Second"}}},
                {"c", {{"c"}, NumberCell("9", 9), {"third"}}}};
  return table;
}

std::string NamesOf(const ViewTable& table) {
  std::string names;
  for (const ViewRow& row : table.rows) names += row.name;
  return names;
}

TEST(Layout, CharactersAreCountedNotBytes) {
  EXPECT_EQ(TextWidth("▁▂x"), 3u);
  EXPECT_EQ(Cut("▁▂▃▄", 3), "▁▂~");
  EXPECT_EQ(Cut("abc", 0), "");
  EXPECT_EQ(Fitted("▁", 3, true), "  ▁");
  EXPECT_EQ(Fitted("abcdef", 3, false), "ab~");
}

TEST(Layout, TextIsBrokenAtBlanks) {
  EXPECT_EQ(Wrapped("one two three", 8), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(Wrapped("abcdefgh", 3), (std::vector<std::string>{"abc", "def", "gh"}));
  EXPECT_EQ(Wrapped("", 3), (std::vector<std::string>{""}));
}

TEST(Layout, NumbersAreSortedAsNumbersAndEqualRowsStay) {
  ViewTable table = ThreeRows();
  SortRows(&table, 1, false);
  EXPECT_EQ(NamesOf(table), "bca");
  SortRows(&table, 1, true);
  EXPECT_EQ(NamesOf(table), "abc");
  SortRows(&table, 7, true);
  EXPECT_EQ(NamesOf(table), "abc");
}

TEST(Layout, AFilterLooksIntoAllCellsWhateverTheLetters) {
  ViewTable table = ThreeRows();
  FilterRows(&table, "SECOND");
  EXPECT_EQ(NamesOf(table), "a");
}

TEST(Layout, ColumnsOfHighRankGoFirstAndTheLastTakesTheRest) {
  const ViewTable table = ThreeRows();
  const auto all = FitColumns(table, 40);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[2].width, 40u - 5 - 2 - 6 - 2);
  const auto some = FitColumns(table, 14);
  ASSERT_EQ(some.size(), 2u);
  EXPECT_EQ(some[1].index, 2u);
  const auto least = FitColumns(table, 3);
  ASSERT_EQ(least.size(), 1u);
  EXPECT_EQ(RowText(table.rows[0], table, least), "b  ");
  EXPECT_EQ(HeaderText(table, all, 1, true).substr(0, 13), "NAME   COUNTv");
}

}  // namespace
}  // namespace wb::cli
