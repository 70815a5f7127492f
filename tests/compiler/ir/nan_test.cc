// Where the bits of a NaN that arithmetic made can be seen, and only there, it becomes canonical.

#include <gtest/gtest.h>

#include "tests/compiler/ir/lowered_text.h"

namespace wb::test {
namespace {

constexpr const char* kSums = R"((module (memory 1) (global $g (mut f64) (f64.const 0))
 (func $callee (param f64))
 (func (export "f") (param f64) (result f64) (local f64)
  (f64.store (i32.const 0) (f64.add (local.get 0) (local.get 0)))
  (f64.store (i32.const 0) (f64.load (i32.const 8)))
  (f64.store (i32.const 0) (select (f64.load (i32.const 8)) (local.get 0) (i32.const 1)))
  (global.set $g (f64.mul (local.get 0) (local.get 0)))
  (call $callee (f64.sqrt (local.get 0)))
  (drop (i64.reinterpret_f64 (f64.div (local.get 0) (local.get 0))))
  (drop (f64.neg (f64.sub (local.get 0) (local.get 0))))
  (drop (f64.copysign (local.get 0) (f64.sub (local.get 0) (local.get 0))))
  (f64.min (local.get 0) (local.get 0)))
 (func (export "mixed") (param f64 i32) (result f64) (local f64)
  (local.set 2 (local.get 0))
  (loop $top
   (if (local.get 1) (then (local.set 2 (f64.add (local.get 0) (local.get 0)))))
   (br_if $top (local.get 1)))
  (f64.store (i32.const 0) (local.get 2)) (f64.const 1))
 (func (export "pure") (param f64 i32) (local f64)
  (loop $top (local.set 2 (f64.add (local.get 2) (local.get 0))) (br_if $top (local.get 1)))
  (f64.store (i32.const 0) (local.get 2)))))";

TEST(NanTest, ResultsOfArithmeticAreCanonicalWhereTheirBitsAreSeen) {
  // Stores of sums, globals, arguments, reinterpretation, neg, copysign, results; not the stores of
  // loaded or selected values, whose bits are kept.
  EXPECT_EQ(DumpOf(kSums, 1),
            R"(
function 1 bounded worst 39
  pay 39
  t3 = const 0
  t4 = f64.add l0 l0
  t22 = canon t4 0
  f64.store t3 t22 0
  t5 = const 0
  t6 = const 8
  t7 = f64.load t6 0
  f64.store t5 t7 0
  t8 = const 0
  t9 = const 8
  t10 = f64.load t9 0
  t11 = const 1
  t12 = select t10 l0 t11
  f64.store t8 t12 0
  t13 = f64.mul l0 l0
  t23 = canon t13 0
  global.set t23 0
  t14 = f64.sqrt l0
  t24 = canon t14 0
  call f0 t24 ->
  t15 = f64.div l0 l0
  t25 = canon t15 0
  t16 = i64.reinterpret_f64 t25
  t17 = f64.sub l0 l0
  t26 = canon t17 0
  t18 = f64.neg t26
  t19 = f64.sub l0 l0
  t27 = canon t19 0
  t20 = f64.copysign l0 t27
  t21 = f64.min l0 l0
  t28 = canon t21 0
  t2 = copy t28
  -> t2
)");
}

TEST(NanTest, ALocalOfBothKindsIsCanonicalFromItsAssignmentOn) {
  EXPECT_EQ(DumpOf(kSums, 2), R"(
function 2 slots 7 safepoints 2 frame 6: l0 l1 t7
  pay 2
  safepoint 1
  t7 = copy l0
  loop 1
    pay 2
    safepoint 2
    if l1 2
      pay 4
      t4 = f64.add l0 l0
      t8 = canon t4 0
      t7 = copy t8
    end 2
    pay 2
    br_if l1 1
  end 1
  pay 4
  t5 = const 0
  f64.store t5 t7 0
  t6 = const 4607182418800017408
  t3 = copy t6
  -> t3
)");
}

TEST(NanTest, ALocalOfArithmeticOnlyStaysRawInItsLoop) {
  EXPECT_EQ(DumpOf(kSums, 3), R"(
function 3 slots 7 safepoints 2 frame 6: l0 l1 l2~
  safepoint 1
  loop 1
    pay 6
    safepoint 2
    t3 = f64.add l2 l0
    l2 = copy t3
    br_if l1 1
  end 1
  pay 3
  t4 = const 0
  t5 = canon l2 0
  f64.store t4 t5 0
  ->
)");
}

// "sum": what is loaded is read by additions alone. "shown": it may be stored as it is.
constexpr const char* kSumsOfVectors = R"((module (memory 1)
 (func (export "sum") (param i32) (local f64)
  (local.set 1 (f64.load (i32.const 0)))
  (loop $top
   (local.set 1 (f64.add (local.get 1) (f64.load (local.get 0))))
   (br_if $top (local.tee 0 (i32.sub (local.get 0) (i32.const 8)))))
  (f64.store (i32.const 0) (local.get 1)))
 (func (export "shown") (param i32) (local f64)
  (local.set 1 (f64.load (i32.const 0)))
  (loop $top
   (f64.store (i32.const 8) (local.get 1))
   (local.set 1 (f64.add (local.get 1) (f64.load (local.get 0))))
   (br_if $top (local.tee 0 (i32.sub (local.get 0) (i32.const 8)))))
  (f64.store (i32.const 0) (local.get 1)))))";

size_t LoopOf(const std::string& dump) { return dump.find("  loop 1"); }
size_t EndOf(const std::string& dump) { return dump.find("  end 1"); }

TEST(NanTest, ASumThatBeginsWithWhatWasLoadedStaysRawInItsLoop) {
  const std::string sum = DumpOf(kSumsOfVectors, 0);
  EXPECT_NE(sum.find("canon"), std::string::npos) << sum;
  EXPECT_GT(sum.find("canon"), EndOf(sum)) << sum;
  const std::string shown = DumpOf(kSumsOfVectors, 1);
  EXPECT_GT(shown.find("canon"), LoopOf(shown)) << shown;
  EXPECT_LT(shown.find("canon"), EndOf(shown)) << shown;
}

}  // namespace
}  // namespace wb::test
