// Which rows are straight runs, and where their accesses lie.

#include <gtest/gtest.h>

#include <string>

#include "tests/compiler/ir/lowered_text.h"

namespace wb::test {
namespace {

// Sums of so many words from a pointer on.
std::string SumOf(const std::string& pointer, uint32_t count) {
  std::string text;
  for (uint32_t i = 0; i < count; ++i) {
    text += "(local.set $s (i32.add (local.get $s) (i32.load offset=" + std::to_string(4 * i) +
            " (local.get " + pointer + "))))\n";
  }
  return text;
}

// A function that another one calls, unless it is exported itself.
std::string ModuleWith(const std::string& rows, bool is_called = true) {
  const std::string head = is_called ? "(func $run " : "(func $run (export \"run\") ";
  std::string text = "(module (memory 1) (global $g (mut i32) (i32.const 4096))\n" + head +
                     "(param $p i32) (param $q i32) (result i32)\n"
                     "  (local $s i32) (local $fp i32) (local $a i32)\n" +
                     rows + "(local.get $s))\n";
  if (is_called) {
    text +=
        "(func (export \"go\") (param i32 i32) (result i32)\n"
        "  (call $run (local.get 0) (local.get 1)))\n";
  }
  return text + ")";
}
std::vector<ir::StraightRun> RunsOf(const std::string& wat) {
  return MustLower(wat)->program.functions[0].straight_runs;
}

TEST(FindStraightRuns, ManyAccessesAreOne) {
  const auto runs = RunsOf(ModuleWith(SumOf("$p", 8)));
  ASSERT_EQ(runs.size(), 1u);
  const ir::CountedLoop& round = runs[0].round;
  EXPECT_TRUE(round.once);
  ASSERT_EQ(round.streams.size(), 1u);
  EXPECT_EQ(round.streams[0].least.terms, (std::vector<ir::LoopTerm>{{0, 1}}));
  EXPECT_EQ(round.streams[0].bytes, 32u);
  EXPECT_EQ(round.accesses.size(), 8u);
  EXPECT_TRUE(round.slots.empty()) << "nothing is stored";
  EXPECT_TRUE(RunsOf(ModuleWith(SumOf("$p", 7))).empty());
}

// What nobody calls runs once, unless it stands in a loop. A counted loop has its own test.
TEST(FindStraightRuns, OfRowsThatRunOften) {
  EXPECT_TRUE(RunsOf(ModuleWith(SumOf("$p", 8), false)).empty());
  const auto loop = [](const std::string& goes_on) {
    return "(loop $l " + SumOf("$p", 8) + "(br_if $l " + goes_on + "))";
  };
  EXPECT_EQ(RunsOf(ModuleWith(loop("(local.get $s)"), false)).size(), 1u);
  const char* counted =
      "(i32.ne (local.tee $a (i32.add (local.get $a) (i32.const 1))) (i32.const 9))";
  EXPECT_TRUE(RunsOf(ModuleWith(loop(counted))).empty());
}

TEST(FindStraightRuns, EachTestOfAStreamSavesTwo) {
  std::string few, pointers;
  for (uint32_t i = 0; i < 5; ++i) {
    const std::string load = "(i32.load (i32.mul (local.get $p) (local.get $a)))";
    pointers += "(local.set $a (i32.load8_u (local.get $q)))";
    few += "(local.set $s (i32.add (local.get $s) " + load + "))";
  }
  EXPECT_TRUE(RunsOf(ModuleWith(pointers + few)).empty());
}

// A pointer from memory: a run ends where it is first used, and the next one begins there.
TEST(FindStraightRuns, EndWhereAPointerIsNew) {
  const std::string rows =
      SumOf("$p", 9) + "(local.set $a (i32.load (local.get $q)))" + SumOf("$a", 10);
  const auto runs = RunsOf(ModuleWith(rows));
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].round.accesses.size(), 10u);
  EXPECT_EQ(runs[1].round.accesses.size(), 10u);
  EXPECT_LE(runs[0].end, runs[1].begin);
  EXPECT_NE(runs[0].round.construct, runs[1].round.construct);
}

TEST(FindStraightRuns, NoCallStandsInOne) {
  EXPECT_TRUE(
      RunsOf(ModuleWith(SumOf("$p", 5) + "(drop (memory.grow (i32.const 1)))" + SumOf("$p", 5)))
          .empty());
}

// Ifs and blocks stand in one as a whole, and ways out of it, too.
TEST(FindStraightRuns, HaveConstructs) {
  const auto runs = RunsOf(ModuleWith(
      "(block $out " + SumOf("$p", 4) + "(if (local.get $s) (then " + SumOf("$q", 2) + ") (else " +
      SumOf("$q", 2) + "))" + "(br_if $out (local.get $s)) " + SumOf("$p", 2) + ")"));
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].round.accesses.size(), 10u);
  EXPECT_EQ(runs[0].round.streams.size(), 2u);
}

// A pointer that steps, and a frame's: sums of what the rows read before they change it.
TEST(FindStraightRuns, AddressesAreSumsOfWhatTheRowsRead) {
  const std::string step = "(local.set $p (i32.add (local.get $p) (i32.const 8)))";
  std::string rows =
      "(global.set $g (i32.mul (local.get $q) (i32.const 16)))"
      "(local.set $fp (i32.sub (global.get $g) (i32.const 64)))"
      "(local.set $a (i32.add (local.get $fp) (i32.const 16)))";
  for (uint32_t i = 0; i < 5; ++i) {
    rows += SumOf("$p", 1) + step + "(i32.store offset=4 (local.get $a) (local.get $s))";
  }
  const auto runs = RunsOf(ModuleWith(rows));
  ASSERT_EQ(runs.size(), 1u);
  const ir::CountedLoop& round = runs[0].round;
  ASSERT_EQ(round.streams.size(), 2u);
  EXPECT_EQ(round.streams[0].bytes, 36u);
  EXPECT_EQ(round.streams[1].bytes, 8u);
  EXPECT_EQ(round.streams[1].least.terms.size(), 1u);
  EXPECT_EQ(round.streams[1].least.constant, 0u) << "of the pointer, not of the frame";
  EXPECT_EQ(round.slots.size(), 6u);
  EXPECT_EQ(round.apart.size(), 2u);
}

}  // namespace
}  // namespace wb::test
