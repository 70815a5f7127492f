#include "compiler/debug/line_table.h"

#include <gtest/gtest.h>

#include "compiler/debug/debug_info.h"
#include "tests/compiler/debug/debug_bytes.h"
#include "tests/compiler/wasm/assemble.h"

namespace wb::test {
namespace {

DebugSections Sections(const Bytes& line) {
  DebugSections sections;
  sections.line = line;
  sections.code_bytes = 1000;
  return sections;
}

std::string TextOf(const SourceLine& line) { return line.file + ":" + std::to_string(line.line); }

TEST(LineTable, AnAddressHasTheLineOfTheRowBeforeIt) {
  for (uint16_t version : {4, 5}) {
    const Bytes line = LineSection(version, "src", "calc.c", {{10, 3}, {14, 4}, {20, 2}, {30, 2}});
    LineTable table(Sections(line));
    EXPECT_EQ(TextOf(table.At(10)), "src/calc.c:3");
    EXPECT_EQ(TextOf(table.At(13)), "src/calc.c:3");
    EXPECT_EQ(TextOf(table.At(14)), "src/calc.c:4");
    EXPECT_EQ(TextOf(table.At(29)), "src/calc.c:2");
    EXPECT_EQ(TextOf(table.At(9)), ":0");
    EXPECT_EQ(TextOf(table.At(30)), ":0");
  }
}

TEST(LineTable, UnitsAndVersionsFollowOneAnother) {
  Bytes all = LineSection(5, "a", "one.c", {{10, 1}, {20, 1}});
  Bytes unknown = LineSection(4, "x", "x.c", {{40, 1}, {50, 1}});
  unknown[4] = 9;  // a version that is not read
  for (const Bytes& unit : {unknown, LineSection(4, "b", "two.c", {{60, 7}, {70, 7}})}) {
    all.insert(all.end(), unit.begin(), unit.end());
  }
  LineTable table(Sections(all));
  EXPECT_EQ(TextOf(table.At(15)), "a/one.c:1");
  EXPECT_EQ(TextOf(table.At(45)), ":0");
  EXPECT_EQ(TextOf(table.At(65)), "b/two.c:7");
}

TEST(LineTable, FilesAreRelativeToTheFolderOfTheCompilation) {
  for (const auto& [directory, file, want] :
       std::vector<std::array<std::string, 3>>{{"/base/src", "a.c", "src/a.c:1"},
                                               {"/based/src", "a.c", "/based/src/a.c:1"},
                                               {"/base", "/usr/a.c", "/usr/a.c:1"},
                                               {"", "a.c", "a.c:1"}}) {
    const Bytes line = LineSection(5, directory, file, {{10, 1}, {20, 1}});
    EXPECT_EQ(TextOf(LineTable(Sections(line)).At(10)), want);
  }
}

TEST(LineTable, RowsOfFunctionsThatTheLinkerLeftOutAreNotShown) {
  const Bytes line = LineSection(4, "src", "calc.c", {{0, 3}, {14, 3}});
  EXPECT_EQ(TextOf(LineTable(Sections(line)).At(5)), ":0");
  const Bytes outside = LineSection(4, "src", "calc.c", {{10, 3}, {1001, 3}});
  EXPECT_EQ(TextOf(LineTable(Sections(outside)).At(15)), ":0");
}

TEST(LineTable, WhatTheCompilerMadeHasNoLine) {
  const Bytes line = LineSection(4, "src", "calc.c", {{10, 3}, {14, 0}, {20, 0}});
  EXPECT_EQ(TextOf(LineTable(Sections(line)).At(15)), ":0");
}

TEST(LineTable, ALongSequenceIsNotReadForEver) {
  std::vector<TestRow> rows;
  for (uint32_t i = 0; i < 700000; ++i) rows.push_back({10 + i % 900, 5});
  rows.push_back({950, 5});
  const Bytes line = LineSection(4, "src", "calc.c", rows);
  LineTable table(Sections(line));
  const uint64_t lookups = LineTable::kMostBytesRead / line.size();
  EXPECT_EQ(TextOf(table.At(10)), "src/calc.c:5");
  for (uint64_t i = 0; i < lookups; ++i) table.At(10);
  EXPECT_EQ(TextOf(table.At(10)), ":0");
}

TEST(LineTable, OffsetsOfTheModuleCountFromItsCode) {
  Bytes wasm = MustAssemble("(module (func (unreachable)))");
  const uint32_t code_at = FindDebugSections(wasm).code_at;
  EXPECT_EQ(wasm[code_at], 1u);  // one function
  wasm = WithCustom(wasm, ".debug_line", LineSection(4, "src", "calc.c", {{3, 8}, {4, 8}}));
  DebugInfo info(*Module::Decode(wasm));
  EXPECT_EQ(TextOf(info.LineAt(code_at + 3)), "src/calc.c:8");
  EXPECT_EQ(TextOf(info.LineAt(3)), ":0");
}

}  // namespace
}  // namespace wb::test
