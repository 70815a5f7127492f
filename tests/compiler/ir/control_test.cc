// Values across blocks and branches: parameters, results, branch tables.

#include <gtest/gtest.h>

#include "tests/compiler/ir/lowered_text.h"

namespace wb::test {
namespace {

TEST(ControlTest, ABranchToALoopAssignsItsParametersOnThePathTaken) {
  EXPECT_EQ(DumpOf(R"((module (func (export "f") (param i32) (result i32)
  (local.get 0)
  (loop $l (param i32) (result i32)
    (i32.const 1) (i32.add) (br_if $l (local.get 0))))))"),
            R"(
function 0 slots 5 safepoints 2 frame 3: l0 t4
  pay 1
  safepoint 1
  t2 = copy l0
  t4 = copy t2
  loop 1
    pay 4
    safepoint 2
    t5 = const 1
    t6 = i32.add t4 t5
    if l0 2
      t4 = copy t6
      br 1
    end 2
    t3 = copy t6
  end 1
  t1 = copy t3
  -> t1
)");
}

TEST(ControlTest, ParametersThatStayAreNotCopied) {
  // t8 and t9 are what they were; t10 is new on the path taken.
  EXPECT_EQ(DumpOf(R"((module (func (export "f") (param i32) (result i32 i32)
  (i32.const 1) (i32.const 2) (i32.const 3)
  (loop $l (param i32 i32 i32) (result i32 i32)
    (drop) (i32.const 9) (br_if $l (local.get 0)) (drop)))))"),
            R"(
function 0 slots 7 safepoints 2 frame 4: l0 t8 t9
  pay 3
  safepoint 1
  t3 = const 1
  t4 = const 2
  t5 = const 3
  t8 = copy t3
  t9 = copy t4
  t10 = copy t5
  loop 1
    pay 3
    safepoint 2
    t11 = const 9
    if l0 2
      t10 = copy t11
      br 1
    end 2
    t6 = copy t8
    t7 = copy t9
  end 1
  t1 = copy t6
  t2 = copy t7
  -> t1 t2
)");
}

TEST(ControlTest, ATableWithLoopParametersGoesThroughABlockOfItsOwn) {
  // Construct 3: behind its end the parameter would be assigned; here it is already there.
  EXPECT_EQ(DumpOf(R"((module (func (export "f") (param i32) (result i32)
  (local.get 0)
  (loop $l (param i32) (result i32)
    (block $b (param i32) (result i32)
      (br_table $l $b $l (local.get 0)))))))"),
            R"(
function 0 slots 5 safepoints 2 frame 3: l0 t4
  pay 1
  safepoint 1
  t2 = copy l0
  t4 = copy t2
  loop 1
    pay 2
    safepoint 2
    block 2
      t5 = copy t4
      block 3
        br_table l0 c3 c2 c3
      end 3
      br 1
    end 2
    t3 = copy t5
  end 1
  t1 = copy t3
  -> t1
)");
}

TEST(ControlTest, SeveralResults) {
  constexpr const char* kText =
      R"((module (func $two (param i32) (result i32 i64) (local.get 0) (i64.const 5))
 (func (export "f") (param i32) (result i64 i32) (local i32)
  (call $two (local.get 0))
  (block (param i32 i64) (result i64)
    (br_if 1 (i64.const 1) (i32.const 2) (local.get 0)) (drop) (drop) (drop) (drop) (i64.const 3))
  (i32.const 4))))";
  EXPECT_EQ(DumpOf(kText, 0), R"(
function 0 bounded worst 2
  pay 2
  t3 = const 5
  t1 = copy l0
  t2 = copy t3
  -> t1 t2
)");
  EXPECT_EQ(DumpOf(kText, 1), R"(
function 1 bounded worst 10
  pay 6
  call f0 l0 -> t4 t5
  block 1
    t7 = const 1
    t8 = const 2
    t2 = copy t7
    t3 = copy t8
    br_if l0 0
    pay 1
    t9 = const 3
  end 1
  pay 1
  t10 = const 4
  t2 = copy t9
  t3 = copy t10
  -> t2 t3
)");
}

// A block's result passed by several branches has a variable; one that only falls through has not.
TEST(ControlTest, ABlockThatNothingNamesPassesItsValueOn) {
  EXPECT_EQ(DumpOf(R"((module (func (param i32) (result i32)
    (block (result i32) (i32.add (local.get 0) (i32.const 1))))))"),
            R"(
function 0 bounded worst 3
  pay 3
  block 1
    t3 = const 1
    t4 = i32.add l0 t3
  end 1
  t1 = copy t4
  -> t1
)");
}

// What the stack still reads of a local is kept before the local changes.
TEST(ControlTest, TheStackKeepsTheOldValueOfALocal) {
  EXPECT_EQ(DumpOf(R"((module (func (param i32) (result i32)
    (local.get 0) (local.set 0 (i32.const 5)) (i32.sub (local.get 0)))))"),
            R"(
function 0 bounded worst 5
  pay 5
  t2 = const 5
  t3 = copy l0
  t5 = copy t2
  t4 = i32.sub t3 t5
  t1 = copy t4
  -> t1
)");
}

}  // namespace
}  // namespace wb::test
