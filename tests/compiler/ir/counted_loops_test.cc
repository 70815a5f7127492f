// Which loops are counted, what their rounds are, and where their accesses lie.

#include <gtest/gtest.h>

#include <string>

#include "compiler/passes/loops/clamps.h"
#include "compiler/passes/loops/linear_form.h"
#include "compiler/passes/loops/loop_counter.h"
#include "tests/compiler/ir/lowered_text.h"

namespace wb::test {
namespace {

// The steps of a counter taken one by one, for a while: rounds, or 0.
uint64_t RoundsByStepping(const ir::LoopCounter& counter, uint32_t from, uint32_t to) {
  const uint32_t step = counter.falls ? 0u - counter.step : counter.step;
  uint32_t value = from;
  for (uint64_t rounds = 1; rounds <= 2000; ++rounds, value += step) {
    const uint32_t a = value ^ counter.flip, b = to ^ counter.flip;
    const bool goes_on = counter.test == ir::LoopTest::kDiffers ? value != to
                         : counter.test == ir::LoopTest::kBelow ? a < b
                                                                : a <= b;
    if (!goes_on) return rounds;
  }
  return 0;
}

TEST(LoopCounter, RoundsAreThoseOfStepping) {
  constexpr uint32_t kCorners[] = {0,          1,          7,          8,
                                   40,         0x7ffffff0, 0x7fffffff, 0x80000000,
                                   0x80000009, 0xffffffd0, 0xfffffffe, 0xffffffff};
  uint32_t counted = 0;
  for (const ir::LoopTest test :
       {ir::LoopTest::kDiffers, ir::LoopTest::kBelow, ir::LoopTest::kUpTo}) {
    for (const bool falls : {false, true}) {
      for (const uint32_t sign : {0u, 0x80000000u}) {
        for (const uint32_t step : {1u, 3u, 8u}) {
          ir::LoopCounter counter;
          counter.test = test;
          counter.falls = falls;
          counter.step = step;
          if (test != ir::LoopTest::kDiffers) counter.flip = sign ^ (falls ? ~0u : 0u);
          for (const uint32_t from : kCorners) {
            for (const uint32_t to : kCorners) {
              const uint32_t rounds = RoundsOf(counter, from, to);
              if (rounds == 0 || rounds > 2000) continue;
              ++counted;
              EXPECT_EQ(rounds, RoundsByStepping(counter, from, to))
                  << from << " to " << to << " by " << step << (falls ? " down" : " up");
            }
          }
        }
      }
    }
  }
  EXPECT_GT(counted, 1000u);
}

TEST(LinearForms, AreSums) {
  const LinearForm p = LinearForm::Entry(7);
  LinearForm i = LinearForm::Entry(3);
  i.per_round = 4;
  const LinearForm sum = Plus(Plus(p, Times(i, 2)), LinearForm::Constant(0xfffffff8));
  ASSERT_TRUE(sum.exact());
  EXPECT_EQ(sum.value.terms, (std::vector<ir::LoopTerm>{{3, 2}, {7, 1}}));
  EXPECT_EQ(sum.value.constant, 0xfffffff8u);
  EXPECT_EQ(sum.per_round, 8);
  const LinearForm way = Minus(sum, p);
  EXPECT_EQ(way.value.terms, (std::vector<ir::LoopTerm>{{3, 2}}));
  EXPECT_TRUE(Minus(p, p).is_constant());
}

TEST(LinearForms, OfWhatIsLeftOpenOnlyRisingMultiples) {
  const LinearForm byte = LinearForm::Of(KnownBits::AtMost(255));
  EXPECT_EQ(Times(byte, 4).rest, 255u * 4);
  EXPECT_EQ(Times(byte, 4).rest_zeros, 2u);
  EXPECT_FALSE(Times(byte, ~0u).known);
  EXPECT_FALSE(Times(byte, 1u << 24).known);
  EXPECT_FALSE(LinearForm::Of(KnownBits::Nothing()).known);
}

// Every pair of values from two intervals, chosen as the comparison does.
TEST(Clamps, HoldWhatIsChosen) {
  const Interval kIntervals[] = {{INT32_MIN, INT32_MAX}, {-9, -2}, {-3, 5}, {0, 7}, {4, 6}};
  for (const Interval& a : kIntervals) {
    for (const Interval& b : kIntervals) {
      for (const bool with_signs : {false, true}) {
        const Interval smaller = SmallerOf(a, b, with_signs), larger = LargerOf(a, b, with_signs);
        for (const int64_t x : {a.least, a.least + 1, a.most - 1, a.most}) {
          for (const int64_t y : {b.least, b.least + 1, b.most - 1, b.most}) {
            const bool first =
                with_signs ? x < y : static_cast<uint32_t>(x) < static_cast<uint32_t>(y);
            const int64_t small = first ? x : y, large = first ? y : x;
            EXPECT_TRUE(smaller.least <= small && small <= smaller.most);
            EXPECT_TRUE(larger.least <= large && large <= larger.most);
          }
        }
      }
    }
  }
  const Interval all;
  EXPECT_EQ(SmallerOf(all, {199, 199}, true).most, 199);
  EXPECT_EQ(LargerOf(SmallerOf(all, {199, 199}, true), {0, 0}, true), (Interval{0, 199}));
  EXPECT_EQ(LargerOf(SmallerOf(all, {219, 219}, false), {20, 20}, false), (Interval{20, 219}));
}

TEST(Clamps, AreFormsAndBack) {
  const LinearForm form = FormOf({20, 219});
  EXPECT_EQ(form.value.constant, 20u);
  EXPECT_EQ(form.rest, 199u);
  EXPECT_EQ(IntervalOf(Times(form, 600)), (Interval{12000, 131400}));
  EXPECT_EQ(IntervalOf(FormOf({-5, 7})), (Interval{-5, 7}));
  EXPECT_FALSE(FormOf({}).known);
  EXPECT_FALSE(FormOf({1, 0}).known);
  EXPECT_EQ(IntervalOf(LinearForm::Entry(1)), Interval{});
}

const ir::Function& FunctionOf(const std::shared_ptr<const LoweredModule>& lowered) {
  return lowered->program.functions[0];
}

// A sum of words from `base` on, `rounds` of them by constants.
std::string SumLoop(const std::string& base, const std::string& test) {
  return R"((module (memory 1) (global $sp (mut i32) (i32.const 4096))
      (func (export "run") (param $n i32) (result i32) (local $i i32) (local $s i32) (local $fp i32)
        (local.set $fp (i32.sub (global.get $sp) (i32.const 64)))
        (loop $l
          (local.set $s (i32.add (local.get $s) (i32.load (i32.add )" +
         base + R"( (local.get $i)))))
          (local.set $i (i32.add (local.get $i) (i32.const 4)))
          (br_if $l )" +
         test + R"())
        (local.get $s))))";
}

TEST(FindCountedLoops, WithConstantsTheRoundsAreKnown) {
  const auto lowered =
      MustLower(SumLoop("(local.get $n)", "(i32.ne (local.get $i) (i32.const 40))"));
  ASSERT_EQ(FunctionOf(lowered).counted_loops.size(), 1u);
  const ir::CountedLoop& loop = FunctionOf(lowered).counted_loops[0];
  ASSERT_EQ(loop.streams.size(), 1u);
  EXPECT_EQ(loop.streams[0].per_round, 4);
  EXPECT_EQ(loop.streams[0].bytes, 4u);
  EXPECT_TRUE(loop.streams[0].by_words);
}

TEST(FindCountedLoops, ABoundThatChangesIsNone) {
  EXPECT_TRUE(
      FunctionOf(MustLower(SumLoop("(local.get $n)", "(i32.lt_u (local.get $i) (local.get $s))")))
          .counted_loops.empty());
  EXPECT_FALSE(
      FunctionOf(MustLower(SumLoop("(local.get $n)", "(i32.lt_u (local.get $i) (local.get $n))")))
          .counted_loops.empty());
}

// A row of a picture, kept inside of it: 200 rows of 600 bytes.
TEST(FindCountedLoops, IndicesKeptInsideAreBounded) {
  const auto lowered = MustLower(R"((module (memory 3)
      (func (export "run") (param $n i32) (result i32) (local $i i32) (local $s i32) (local $c i32)
        (loop $l
          (local.set $s (i32.add (local.get $s) (i32.load8_u offset=1024 (i32.mul (i32.const 600)
            (select (local.tee $c (select (local.tee $c (i32.add (local.get $n) (local.get $i)))
                                          (i32.const 199)
                                          (i32.lt_s (local.get $c) (i32.const 199))))
                    (i32.const 0) (i32.gt_s (local.get $c) (i32.const 0)))))))
          (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                            (i32.const 41))))
        (local.get $s))))");
  ASSERT_EQ(FunctionOf(lowered).counted_loops.size(), 1u);
  const ir::CountedLoop& loop = FunctionOf(lowered).counted_loops[0];
  ASSERT_EQ(loop.streams.size(), 1u);
  EXPECT_EQ(loop.streams[0].per_round, 0);
  EXPECT_EQ(loop.streams[0].bytes, 1024u + 600 * 199 + 1);
}

// The first round compares with 200: the index is a byte, and no less.
TEST(FindCountedLoops, AVariableThatChangesBehindTheComparisonBoundsNothing) {
  const auto lowered = MustLower(R"((module (memory 3)
      (func (export "run") (param $n i32) (result i32)
        (local $i i32) (local $s i32) (local $c i32) (local $x i32) (local $y i32)
        (local.set $x (i32.const 200))
        (loop $l
          (local.set $y (i32.load8_u (i32.add (local.get $n) (local.get $i))))
          local.get $s local.get $y i32.const 5
          (i32.lt_u (local.get $y) (local.get $x))
          (local.set $x (i32.const 5))
          select i32.load8_u offset=1024 i32.add local.set $s
          (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                            (i32.const 41))))
        (i32.add (local.get $s) (local.get $x)))))");
  ASSERT_EQ(FunctionOf(lowered).counted_loops.size(), 1u);
  for (const ir::AddressStream& stream : FunctionOf(lowered).counted_loops[0].streams) {
    if (stream.first != 1024) continue;
    EXPECT_EQ(stream.bytes, 1024u + 255 + 1);
  }
}

// The same in each of an inner loop's rounds. `test`: when the index is taken as it is.
std::string RowsOfAPicture(const std::string& test) {
  return R"((module (memory 3)
      (func (export "run") (param $n i32) (result i32)
        (local $x i32) (local $i i32) (local $c i32) (local $s i32)
        (loop $columns
          (local.set $i (i32.const 0))
          (loop $rows
            (local.set $c (i32.add (local.get $n) (local.get $i)))
            (local.set $s (i32.add (local.get $s) (i32.load8_u offset=1024 (i32.add (local.get $x)
              (i32.mul (i32.const 600)
                (select (local.get $c) (i32.const 199) )" +
         test + R"())))))
            (br_if $rows (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                                 (i32.const 5))))
          (br_if $columns (i32.ne (local.tee $x (i32.add (local.get $x) (i32.const 1)))
                                  (i32.const 600))))
        (local.get $s))))";
}
const ir::CountedLoop* OuterOf(const std::shared_ptr<const LoweredModule>& lowered) {
  for (const ir::CountedLoop& loop : FunctionOf(lowered).counted_loops) {
    if (!loop.steps.empty()) return &loop;
  }
  return nullptr;
}

TEST(FindCountedLoops, IndicesKeptInsideAreBoundedInLoopsWithLoopsInside) {
  const auto lowered = MustLower(RowsOfAPicture("(i32.lt_u (local.get $c) (i32.const 199))"));
  const ir::CountedLoop* loop = OuterOf(lowered);
  ASSERT_NE(loop, nullptr);
  ASSERT_EQ(loop->streams.size(), 1u);
  EXPECT_EQ(loop->streams[0].per_round, 1);
  EXPECT_EQ(loop->streams[0].bytes, 1024u + 600 * 199 + 1);
  EXPECT_EQ(loop->accesses.size(), 5u);
  // What is compared is another value.
  for (const char* other :
       {"(i32.lt_u (local.tee $c (i32.add (local.get $c) (i32.const 1000))) (i32.const 199))",
        "(i32.lt_u (i32.add (local.get $c) (i32.const 1)) (i32.const 199))"}) {
    const auto changed = MustLower(RowsOfAPicture(other));
    const ir::CountedLoop* none = OuterOf(changed);
    EXPECT_TRUE(none == nullptr || none->streams.empty()) << other;
  }
}

// As compilers write a pointer that goes on: the sum in one variable, then in another.
TEST(FindCountedLoops, StepsGoThroughCopies) {
  const auto loop_of = [](const char* last) {
    return std::string(R"((module (memory 1)
      (func (export "run") (param $n i32) (result i32)
        (local $p i32) (local $next i32) (local $ahead i32) (local $s i32)
        (loop $l
          (local.set $s (i32.add (local.get $s) (i32.load (local.get $p))))
          (local.set $ahead (i32.add (local.get $p) (i32.const 8)))
          (local.set $next (i32.add (local.get $p) (i32.const 4))))") +
           last + R"(
          (local.set $p (local.get $next))
          (br_if $l (i32.le_u (local.get $ahead) (local.get $n))))
        (i32.add (local.get $s) (local.get $next)))))";
  };
  const auto lowered = MustLower(loop_of(""));
  ASSERT_EQ(FunctionOf(lowered).counted_loops.size(), 1u);
  EXPECT_EQ(FunctionOf(lowered).counted_loops[0].streams.at(0).per_round, 4);
  EXPECT_EQ(FunctionOf(lowered).counted_loops[0].counter.step, 4u);
  const char* sometimes = "(if (local.get $s) (then (local.set $next (i32.const 4))))";
  EXPECT_TRUE(FunctionOf(MustLower(loop_of(sometimes))).counted_loops.empty());
}

// Round constants: the words of a segment, from a known address on.
TEST(FindCountedLoops, DataAtKnownAddressesAreNumbers) {
  const auto with = [](const std::string& data, const std::string& store) {
    return MustLower("(module (memory 1) (data (i32.const 64) \"" + data + R"(")
      (func (export "run") (param $n i32) (result i32) (local $i i32) (local $s i32)
        (local.set $i (i32.const 0))
        (loop $l)" + store +
                     R"(
          (local.set $s (i32.add (local.get $s) (i32.load offset=68 (local.get $i))))
          (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 4))) (i32.const 16))))
        (local.get $s))))");
  };
  const auto data_of = [](const std::shared_ptr<const LoweredModule>& module) {
    return FunctionOf(module).counted_loops.at(0).data;
  };
  const auto data = data_of(with("0123456789abcdefghij", ""));
  ASSERT_EQ(data.size(), 1u);
  EXPECT_EQ(data[0].address, 68u);
  EXPECT_EQ(data[0].words, 4u);
  EXPECT_TRUE(FunctionOf(with("0123456789abcdefghij", "")).reads_data);
  EXPECT_TRUE(data_of(with("0123456789abcdefghi", "")).empty()) << "one byte less than is read";
  EXPECT_TRUE(
      data_of(with("0123\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00", ""))
          .empty());
  EXPECT_FALSE(
      data_of(with("0123456789abcdefghij", "(i32.store (local.get $n) (i32.const 1))")).empty());
  EXPECT_TRUE(
      data_of(with("0123456789abcdefghij", "(i32.store (i32.load (local.get $n)) (i32.const 1))"))
          .empty())
      << "a store that may come anywhere";
}

// 1,024 words of a stream, 2,048 of a module.
TEST(FindCountedLoops, MuchDataIsRead) {
  std::string wat = "(module (memory 1) (data (i32.const 64) \"";
  for (int i = 0; i < 200; ++i) wat += "thirty-two bytes of data, and 32";
  wat += "\")";
  // Words from the first of the first round to the last of the last.
  const auto words = [](uint32_t step) { return (79 * step + 4) / 4; };
  const auto loop = [](uint32_t step) {
    return R"((func (param $n i32) (result i32) (local $i i32) (local $s i32)
        (local.set $i (i32.const 0))
        (loop $l
          (local.set $s (i32.add (local.get $s) (i32.load offset=64 (local.get $i))))
          (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const )" +
           std::to_string(step) + "))) (i32.const " + std::to_string(80 * step) + R"())))
        (local.get $s)))";
  };
  const std::vector<uint32_t> steps = {52, 48, 48, 48, 4, 4};
  for (const uint32_t step : steps) wat += loop(step);
  const auto lowered = MustLower(wat + ")");
  std::vector<uint32_t> found;
  for (const ir::Function& function : lowered->program.functions) {
    ASSERT_EQ(function.counted_loops.size(), 1u);
    const auto& data = function.counted_loops[0].data;
    EXPECT_EQ(function.reads_data, !data.empty());
    found.push_back(data.empty() ? 0 : data[0].words);
  }
  EXPECT_EQ(words(52), 1028u);
  EXPECT_EQ(found, (std::vector<uint32_t>{0, words(48), words(48), 0, words(4), 0}));
}

// As SHA-256's: the frame's words in place, its array behind them, and data.
TEST(FindCountedLoops, WordsOfTheFrameAreSlots) {
  const auto lowered = MustLower(R"((module (memory 1) (global $sp (mut i32) (i32.const 4096))
      (func (export "run") (param $n i32) (result i32) (local $i i32) (local $fp i32) (local $a i32)
        (local.set $fp (i32.sub (global.get $sp) (i32.const 320)))
        (local.set $a (i32.or (local.get $fp) (i32.const 4)))
        (local.set $i (i32.const 0))
        (loop $l
          (i64.store (local.get $a) (i64.load (local.get $fp)))
          (i32.store (local.get $fp)
            (i32.add (i32.load offset=12 (local.get $fp))
              (i32.load offset=32 (i32.add (local.get $fp) (local.get $i)))))
          (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 4)))
                            (i32.const 256))))
        (i32.load (local.get $fp)))))");
  ASSERT_EQ(FunctionOf(lowered).counted_loops.size(), 1u);
  const ir::CountedLoop& loop = FunctionOf(lowered).counted_loops[0];
  EXPECT_EQ(loop.rounds, 64u);
  EXPECT_EQ(loop.streams.size(), 2u);
  EXPECT_EQ(loop.apart.size(), 1u);
  std::string words;
  for (const ir::LoopSlot& slot : loop.slots) {
    words += std::to_string(slot.word) + (slot.stored ? "s " : " ");
  }
  EXPECT_EQ(words, "0s 1s 2s 3 ");
}

}  // namespace
}  // namespace wb::test
