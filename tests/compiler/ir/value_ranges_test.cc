// The bytes that accesses come to, as far as they are known.

#include "compiler/passes/analysis/value_ranges.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "compiler/ir/ir.h"
#include "tests/compiler/ir/lowered_text.h"

namespace wb::test {
namespace {

struct Range {
  uint64_t from = 0;
  uint64_t end = 0;
  bool operator==(const Range&) const = default;
};

// Of the one byte that a function reads at an address made of $a and $b; none: not known.
std::vector<Range> RangesOf(const std::string& address, const std::string& before = "") {
  const auto lowered = MustLower(
      "(module (memory 1) (func (export \"f\") (param $a i32) (param $b i32) (result i32)"
      " (local $c i32) " +
      before + " (i32.load8_u offset=10 " + address + ")))");
  std::vector<Range> ranges;
  for (const auto& range : lowered->program.functions[0].ranges) {
    ranges.push_back({range.from, range.end});
  }
  return ranges;
}

using Ranges = std::vector<Range>;

TEST(ValueRangesTest, OfSumsOfABoundAndAConstant) {
  const std::string masked = "(i32.and (local.get $a) (i32.const 1020))";
  EXPECT_EQ(RangesOf(masked), (Ranges{{10, 1031}}));
  EXPECT_EQ(RangesOf("(i32.add " + masked + " (i32.const 5320))"), (Ranges{{5330, 6351}}));
  EXPECT_EQ(RangesOf("(i32.add (i32.const 5320) " + masked + ")"), (Ranges{{5330, 6351}}));
  EXPECT_EQ(RangesOf("(i32.sub (i32.const 5320) " + masked + ")"), (Ranges{{4310, 5331}}));
  // A constant below 0.
  EXPECT_EQ(RangesOf("(i32.add (i32.or " + masked + " (i32.const 4096)) (i32.const -16))"),
            (Ranges{{4090, 5111}}));
}

TEST(ValueRangesTest, OfOperatorsOnBounds) {
  EXPECT_EQ(RangesOf("(i32.rem_u (local.get $a) (i32.const 100))"), (Ranges{{10, 110}}));
  EXPECT_EQ(RangesOf("(i32.shl (i32.rem_u (local.get $a) (i32.const 100)) (i32.const 2))"),
            (Ranges{{10, 407}}));
  EXPECT_EQ(RangesOf("(i32.mul (i32.rem_u (local.get $a) (i32.const 100)) (i32.const 3))"),
            (Ranges{{10, 308}}));
  EXPECT_EQ(RangesOf("(i32.shr_u (local.get $a) (i32.const 20))"), (Ranges{{10, 4106}}));
  EXPECT_EQ(RangesOf("(select (i32.const 7) (i32.const 100) (local.get $b))"), (Ranges{{17, 111}}));
}

TEST(ValueRangesTest, NothingIsSaidWhereNothingIsKnown) {
  EXPECT_EQ(RangesOf("(local.get $a)"), Ranges{});
  // The sum may wrap round.
  EXPECT_EQ(RangesOf("(i32.add (local.get $a) (i32.const 5320))"), Ranges{});
  // Larger than what is noted: the whole page.
  EXPECT_EQ(RangesOf("(i32.and (local.get $a) (i32.const 65525))"), (Ranges{{10, 65536}}));
  // Not inside for all values.
  EXPECT_EQ(RangesOf("(i32.and (local.get $a) (i32.const 65527))"), Ranges{});
}

// A variable with several definitions has the bits that all of them have.
TEST(ValueRangesTest, AVariableThatChangesIsNoSingleValue) {
  const std::string before =
      "(local.set $c (i32.add (i32.and (local.get $a) (i32.const 1020)) (i32.const 5320)))"
      "(if (local.get $b) (then (local.set $c (i32.const 8))))";
  const Ranges found = RangesOf("(local.get $c)", before);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_LE(found[0].from, 18u);
  EXPECT_GE(found[0].end, 6351u);
}

// The byte that a loop of one variable reads in each round, at an address made of it.
Ranges InLoop(const std::string& start, const std::string& next, const std::string& test,
              const std::string& address = "(local.get $c)", const std::string& first = "") {
  return RangesOf("(i32.const 0)", "(local $s i32)" + start + "(loop $l" + first +
                                       "(local.set $s (i32.add (local.get $s) (i32.load8_u " +
                                       address + ")))" + next + "(br_if $l " + test + "))" +
                                       "(local.set $c (local.get $b))");
}

const std::string kZero = "(local.set $c (i32.const 0))";
const std::string kOneMore = "(local.set $c (i32.add (local.get $c) (i32.const 1)))";

// Of the access in the loop; the other is that behind it.
Ranges Of(uint64_t from, uint64_t end) { return {{from, end}, {10, 11}}; }
const Ranges kNone = {{10, 11}};

TEST(ValueRangesTest, AVariableOfALoopIsBoundedInItsRounds) {
  EXPECT_EQ(InLoop(kZero, kOneMore, "(i32.ne (local.get $c) (i32.const 16))"), Of(0, 16));
  EXPECT_EQ(InLoop(kZero, kOneMore, "(i32.lt_u (local.get $c) (i32.const 16))"), Of(0, 16));
  EXPECT_EQ(InLoop(kZero, kOneMore, "(i32.gt_u (i32.const 16) (local.get $c))"), Of(0, 16));
  // With steps of three it is 15 in the last round; and it never is 16.
  const std::string three = "(local.set $c (i32.add (local.get $c) (i32.const 3)))";
  EXPECT_EQ(InLoop(kZero, three, "(i32.ne (local.get $c) (i32.const 18))"), Of(0, 16));
  EXPECT_EQ(InLoop(kZero, three, "(i32.ne (local.get $c) (i32.const 16))"), kNone);
  // Down to 0, which a branch may ask for without a comparison.
  const std::string less = "(local.set $c (i32.sub (local.get $c) (i32.const 1)))";
  EXPECT_EQ(InLoop("(local.set $c (i32.const 9))", less, "(local.get $c)"), Of(1, 10));
  EXPECT_EQ(InLoop("(local.set $c (i32.const 0))", less, "(local.get $c)"), kNone);
  // What it becomes is anything below the bound.
  const std::string side =
      "(local.set $c (i32.or (i32.shl (local.get $c) (i32.const 1)) (i32.and (local.get $s) "
      "(i32.const 1))))";
  EXPECT_EQ(
      InLoop("(local.set $c (i32.const 1))", side, "(i32.lt_u (local.get $c) (i32.const 128))"),
      Of(0, 128));
  EXPECT_EQ(
      InLoop("(local.set $c (i32.const 300))", side, "(i32.lt_u (local.get $c) (i32.const 128))"),
      Of(0, 301));
  EXPECT_EQ(InLoop(kZero, kOneMore, "(i32.ne (local.get $c) (i32.const 16))",
                   "(i32.add (i32.shl (local.get $c) (i32.const 3)) (i32.const 1024))"),
            Of(1024, 1145));
}

// Each of these would be wrong for some value.
TEST(ValueRangesTest, AVariableOfALoopThatMayPassItsBoundIsNotBounded) {
  const std::string below = "(i32.lt_u (local.get $c) (i32.const 16))";
  // Behind the change, and a start of which nothing is known.
  EXPECT_EQ(InLoop(kZero, "", below, "(local.tee $c (i32.add (local.get $c) (local.get $a)))"),
            kNone);
  EXPECT_EQ(InLoop("(local.set $c (local.get $a))", kOneMore, below), kNone);
  // A second way round, without the test.
  EXPECT_EQ(InLoop(kZero, kOneMore + "(br_if $l (local.get $a))", below), kNone);
  // Changed in a branch alone, and tested before it is changed.
  EXPECT_EQ(InLoop(kZero, "(if (local.get $a) (then (local.set $c (local.get $s))))", below),
            kNone);
  EXPECT_EQ(
      InLoop(kZero, "(local.set $b " + below + ")(local.set $c (local.get $s))", "(local.get $b)"),
      kNone);
  // Signed, and changed a second time.
  EXPECT_EQ(
      InLoop(kZero, "(local.set $c (local.get $s))", "(i32.lt_s (local.get $c) (i32.const 16))"),
      kNone);
  EXPECT_EQ(InLoop(kZero, "(local.set $c (local.get $s))" + kOneMore,
                   "(i32.ne (local.get $c) (i32.const 16))"),
            kNone);
  // The loop begins again with what it ended with.
  EXPECT_EQ(InLoop(kZero + "(loop $again", kOneMore, below + ")) (br_if $again (local.get $a)"),
            kNone);
}

}  // namespace
}  // namespace wb::test
