// Which bytes are hot, and what their text is.

#include "compiler/emit/plan/hot_bytes.h"

#include <gtest/gtest.h>

#include <string>

#include "compiler/emit/kernel.h"
#include "compiler/runtime/runtime.h"
#include "tests/compiler/ir/lowered_text.h"

namespace wb::test {
namespace {

// A loop that adds up words of a table of 256 words at byte 4096, at places of the lane's own, and
// does `more` in each round.
std::string TableLoop(const std::string& more = "", const std::string& before = "",
                      const std::string& memories = "(memory 1)") {
  return "(module " + memories +
         "(func (export \"f\") (param $x i32) (result i32) (local $n i32) (local $sum i32)" +
         before +
         "(loop $next"
         "  (local.set $x (i32.add (i32.mul (local.get $x) (i32.const 1664525)) (i32.const 7)))"
         "  (local.set $sum (i32.add (local.get $sum)"
         "    (i32.load offset=4096 (i32.and (local.get $x) (i32.const 1020)))))" +
         more +
         "  (br_if $next (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 1)))"
         "                          (local.get $x))))"
         "(local.get $sum)))";
}

HotBytes Found(const std::string& module) {
  return HotBytesOf(MustLower(module)->program, {.layout = MemoryLayout::kInterleaved});
}

constexpr HotBytes kTable = {4096, 1024};

TEST(HotBytesTest, ATableThatALoopReadsIsHot) { EXPECT_EQ(Found(TableLoop()), kTable); }

TEST(HotBytesTest, TablesThatFitTogetherAreHotTogether) {
  const auto other = [](const char* at) {
    return "(local.set $sum (i32.xor (local.get $sum) (i32.load8_u offset=" + std::string(at) +
           " (i32.and (local.get $x) (i32.const 255)))))";
  };
  EXPECT_EQ(Found(TableLoop(other("8000"))), (HotBytes{4096, 8256 - 4096}));
  // The first of two that weigh alike.
  EXPECT_EQ(Found(TableLoop(other("30000"))), kTable);
}

TEST(HotBytesTest, WhatIsAtOnePlaceInAllLanesDoesNotCount) {
  const std::string constant =
      "(i32.store (i32.const 512) (i32.add (i32.load (i32.const 512)) (i32.const 1)))";
  EXPECT_EQ(Found(TableLoop(constant + constant + constant)), kTable);
}

TEST(HotBytesTest, WhereMostAccessesAreElsewhereNothingIsHot) {
  const std::string elsewhere =
      "(local.set $sum (i32.xor (local.get $sum) (i32.load (local.get $x))))";
  EXPECT_EQ(Found(TableLoop(elsewhere)), kTable);  // a half
  EXPECT_EQ(Found(TableLoop(elsewhere + elsewhere)), HotBytes());
  // Outside of the loop they weigh less.
  EXPECT_EQ(Found(TableLoop("", elsewhere + elsewhere + elsewhere)), kTable);
}

// More are not compared with one another. The table is read often enough to weigh more than half.
TEST(HotBytesTest, AProgramOfMoreRangesThanTheBoundHasNoHotBytes) {
  const auto others = [](size_t count) {
    std::string loads;
    for (size_t i = 0; i < count; ++i) {
      loads += "(local.set $sum (i32.xor (local.get $sum) (i32.load8_u offset=" +
               std::to_string(16384 + i) + " (i32.and (local.get $x) (i32.const 63)))))";
    }
    return loads;
  };
  std::string again;
  for (int i = 0; i < 600; ++i) {
    again +=
        "(local.set $sum (i32.add (local.get $sum)"
        "  (i32.load offset=4096 (i32.and (local.get $sum) (i32.const 1020)))))";
  }
  EXPECT_EQ(Found(TableLoop(again, others(4095))), kTable);
  EXPECT_EQ(Found(TableLoop(again, others(4096))), HotBytes());
}

TEST(HotBytesTest, LoopsAroundCallsCount) {
  const std::string module =
      "(module (memory 1)"
      "(func $at (param $x i32) (result i32)"
      "  (i32.load offset=4096 (i32.and (local.get $x) (i32.const 1020))))"
      "(func (export \"f\") (param $x i32) (result i32)"
      "  (drop (i32.load (local.get $x))) (drop (i32.load (local.get $x)))"
      "  (loop $next (local.set $x (i32.add (local.get $x) (call $at (local.get $x))))"
      "    (br_if $next (local.get $x)))"
      "  (local.get $x)))";
  EXPECT_EQ(Found(module), kTable);
}

TEST(HotBytesTest, ProgramsWithOtherMemoriesOrNoneHaveNoHotBytes) {
  EXPECT_EQ(Found("(module (func (export \"f\")))"), HotBytes());
  EXPECT_EQ(Found("(module (memory 0) (func (export \"f\")))"), HotBytes());
  EXPECT_EQ(Found(TableLoop("", "", "(memory 1) (memory 1)")), HotBytes());
}

TEST(HotBytesTest, TestsHaveSomeWhereverThereIsMemory) {
  const CompileOptions hot = {.layout = MemoryLayout::kHot};
  EXPECT_EQ(HotBytesOf(MustLower(TableLoop())->program, hot), kTable);
  EXPECT_FALSE(HotBytesOf(MustLower("(module (memory 1))")->program, hot).empty());
  EXPECT_TRUE(HotBytesOf(MustLower("(module (memory 0))")->program, hot).empty());
}

TEST(HotTextTest, OfTheInterleavedTextTheHotOneIsMade) {
  const auto module = MustLower(TableLoop());
  const auto interleaved = EmitKernel(*module, {.layout = MemoryLayout::kInterleaved});
  const auto hot = EmitKernel(*module, {.layout = MemoryLayout::kHot});
  ASSERT_TRUE(interleaved.ok() && hot.ok());
  EXPECT_EQ(HotText(interleaved->text), hot->text);
  EXPECT_NE(interleaved->text, hot->text);
  EXPECT_NE(hot->text.find("wb_i32_load(wb_hot(M), "), std::string::npos);
  EXPECT_NE(hot->text.find("constant uint WB_HOT_FROM = 4096u;"), std::string::npos);
  // A text of other lanes, and one without hot bytes, stay as they are.
  const auto contiguous = EmitKernel(*module, {});
  const auto none = EmitKernel(*MustLower("(module (memory 1) (func (export \"f\")))"),
                               {.layout = MemoryLayout::kInterleaved});
  ASSERT_TRUE(contiguous.ok() && none.ok());
  EXPECT_EQ(HotText(contiguous->text), contiguous->text);
  EXPECT_EQ(HotText(none->text), none->text);
}

TEST(HotTextTest, AnAccessSaysWhatIsKnownOfItsBytes) {
  const std::string more =
      "(local.set $sum (i32.xor (local.get $sum) (i32.load offset=4096"
      "  (i32.and (local.get $x) (i32.const 255)))))"
      "(local.set $sum (i32.xor (local.get $sum) (i32.load offset=20000"
      "  (i32.and (local.get $x) (i32.const 255)))))"
      "(local.set $sum (i32.xor (local.get $sum) (i32.load (local.get $x))))";
  const auto text = EmitKernel(*MustLower(TableLoop(more)), {.layout = MemoryLayout::kInterleaved});
  ASSERT_TRUE(text.ok());
  EXPECT_NE(text->text.find("wb_i32_load(wb_hot(M), "), std::string::npos);
  EXPECT_NE(text->text.find("wb_i32_load(wb_cold(M), "), std::string::npos);
  EXPECT_NE(text->text.find("wb_i32_load(M, "), std::string::npos);
}

}  // namespace
}  // namespace wb::test
