// What basic blocks are and what they cost.

#include <gtest/gtest.h>

#include "tests/compiler/ir/lowered_text.h"

namespace wb::test {
namespace {

TEST(FuelTest, ArmsOfAnIfAreBlocks) {
  // The condition with what stands before it; one arm, the other; nothing behind the end.
  EXPECT_EQ(DumpOf(R"((module (func (export "f") (param i32) (result i32)
  (if (result i32) (local.get 0) (then (i32.const 1)) (else (i32.add (local.get 0) (i32.const 2)))))))"),
            R"(
function 0 bounded worst 5
  pay 2
  if l0 1
    pay 1
    t3 = const 1
    t2 = copy t3
  else 1
    pay 3
    t4 = const 2
    t5 = i32.add l0 t4
    t2 = copy t5
  end 1
  t1 = copy t2
  -> t1
)");
}

TEST(FuelTest, UnreachableCodeCostsNothing) {
  // A br_if ends a block; what stands behind br and unreachable has no rows at all.
  EXPECT_EQ(DumpOf(R"((module (func (export "f") (param i32)
  (block (br_if 0 (local.get 0)) (br 0) (i32.const 5) (drop) (loop (br 0)))
  (unreachable) (i32.const 1) (drop))))"),
            R"(
function 0 bounded worst 3
  pay 2
  block 1
    br_if l0 1
    pay 1
    br 1
  end 1
  trap 1
  ->
)");
}

TEST(FuelTest, ALoopPaysAtItsHeader) {
  EXPECT_EQ(DumpOf(R"((module (func (export "f") (param i32) (result i32) (local i32 i32)
  (loop $top
    (local.set 2 (i32.mul (local.get 1) (i32.const 3)))
    (local.set 1 (i32.add (local.get 2) (local.get 1)))
    (br_if $top (i32.lt_u (local.get 1) (local.get 0))))
  (local.get 1))))"),
            R"(
function 0 slots 7 safepoints 2 frame 3: l0 l1
  safepoint 1
  loop 1
    pay 12
    safepoint 2
    t4 = const 3
    t5 = i32.mul l1 t4
    t8 = copy t5
    t6 = i32.add t8 l1
    l1 = copy t6
    t7 = i32.lt_u l1 l0
    br_if t7 1
  end 1
  pay 1
  t3 = copy l1
  -> t3
)");
}

TEST(FuelTest, GrowingPaysPerPageGranted) {
  EXPECT_EQ(
      DumpOf(
          R"((module (memory 1) (func (export "f") (param i32) (result i32) (memory.grow (local.get 0)))))"),
      R"(
function 0 slots 4 safepoints 2 frame 2: l0
  pay 2
  safepoint 1
  t2 = memory.grow l0 2
  t3 = const 4294967295
  t4 = const 0
  t5 = i32.ne t2 t3
  t6 = select l0 t4 t5
  pay.var t6 65536
  t1 = copy t2
  -> t1
)");
}

}  // namespace
}  // namespace wb::test
