// v128: what it costs, where its immediates go, and where scalars become canonical on their way in.

#include <gtest/gtest.h>

#include "tests/compiler/ir/lowered_text.h"

namespace wb::test {
namespace {

TEST(VectorTest, TwoSlotsOfTheStackAndFourWordsOfAFrame) {
  const auto module = MustLower(R"((module (memory 1) (func (param v128 i32)
      (loop $top (v128.store (i32.const 0) (local.get 0)) (br_if $top (local.get 1))))))");
  const ir::Function& function = module->program.functions[0];
  EXPECT_EQ(function.stack_slots, 2u + 2u + 1u + 3u);
  EXPECT_EQ(function.frame_words, 1u + 4u + 1u);
  EXPECT_EQ(module->program.stage_words, 5u);
}

TEST(VectorTest, ImmediatesAreConstantOperands) {
  const std::string text = DumpOf(R"((module (memory 1) (func (param v128) (result i32)
      (v128.store8_lane offset=5 7 (i32.const 0) (local.get 0))
      (i16x8.extract_lane_u 3 (i8x16.shuffle 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 31
        (local.get 0) (v128.load64_lane offset=6 1 (i32.const 9) (local.get 0)))))))");
  EXPECT_EQ(text, R"(
function 0 bounded worst 9
  pay 9
  t2 = const 0
  t3 = const 7
  v128.store8_lane t2 l0 t3 5
  t4 = const 9
  t5 = const 1
  t6 = v128.load64_lane t4 l0 t5 6
  t7 = const 50462976 117835012 185207048 521014540
  t8 = i8x16.shuffle l0 t6 t7
  t9 = const 3
  t10 = i16x8.extract_lane_u t8 t9
  t1 = copy t10
  -> t1
)");
}

TEST(VectorTest, ArithmeticIsCanonicalBeforeItBecomesALane) {
  const auto module = MustLower(R"((module
      (func (param f32 v128) (result v128)
        (f32x4.replace_lane 2 (local.get 1) (f32.add (local.get 0) (local.get 0))))
      (func (param f32) (result v128) (f32x4.splat (local.get 0)))
      (func (param v128 v128) (result v128) (f32x4.add (local.get 0) (local.get 1)))
      (func (param v128) (result i32) (i32.reinterpret_f32 (f32x4.extract_lane 0 (local.get 0))))))");
  const auto canons = [&](size_t function) {
    return CountOf(module->program.functions[function], ir::Op::kCanon);
  };
  EXPECT_EQ(canons(0), 1u);
  EXPECT_EQ(canons(1), 0u);
  EXPECT_EQ(canons(2), 0u);  // the operator itself sees to it
  EXPECT_EQ(canons(3), 0u);  // a lane's bits are what they are
}

TEST(VectorTest, AGlobalIsFourWordsOfTheImage) {
  const auto module = MustLower(R"((module (global i32 (i32.const 7))
      (global v128 (v128.const i32x4 1 2 3 4)) (global i64 (i64.const 5))))");
  EXPECT_EQ(module->program.global_words, (std::vector<uint32_t>{0, 1, 5}));
  EXPECT_EQ(module->program.image.globals, (std::vector<uint32_t>{7, 1, 2, 3, 4, 5, 0}));
}

}  // namespace
}  // namespace wb::test
