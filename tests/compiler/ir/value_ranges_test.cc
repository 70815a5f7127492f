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

}  // namespace
}  // namespace wb::test
