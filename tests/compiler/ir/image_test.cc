// What an instance starts with, and where things lie in a lane.

#include <gtest/gtest.h>

#include "tests/compiler/ir/lowered_text.h"

namespace wb::test {
namespace {

TEST(ImageTest, WordsOfASmallModule) {
  const auto lowered = MustLower(R"((module (memory 2 5)
    (global i32 (i32.const -1)) (global (mut f64) (f64.const 1)) (global f32 (f32.const 2))
    (data (i32.const 3) "hello") (data (i32.const 8) "") (data (i32.const 65536) "page")
    (func $start) (start $start)))");
  EXPECT_EQ(EncodeImage(*lowered),
            (std::vector<uint32_t>{2, 4, 2, 0, 0, 1, 0, 0,                 // header
                                   0xffffffff, 0, 0x3ff00000, 0x40000000,  // globals
                                   3, 5, 0x6c6c6568, 0x0000006f,           // "hello"
                                   65536, 4, 0x65676170}));                // "page"
  EXPECT_EQ(lowered->program.global_words, (std::vector<uint32_t>{0, 1, 3}));
  EXPECT_EQ(lowered->program.globals_size, 4u);
  EXPECT_EQ(lowered->program.image.max_pages, 5u);
}

TEST(ImageTest, WithoutAStartFunctionOrAMemory) {
  const auto lowered = MustLower("(module (func))");
  EXPECT_EQ(EncodeImage(*lowered), (std::vector<uint32_t>(8, 0)));
  EXPECT_FALSE(lowered->program.image.has_memory);
}

// The effects of the segments before the one that does not fit stay; those behind it have none.
TEST(ImageTest, ASegmentOutOfBoundsTrapsAtItsPlace) {
  const auto lowered = MustLower(R"((module (memory 1)
    (data (i32.const 0) "first") (data (i32.const 65533) "last") (data (i32.const 9) "never")))");
  const ir::Image& image = lowered->program.image;
  EXPECT_EQ(image.trap, Trap::kOutOfBoundsMemory);
  EXPECT_EQ(image.trap_offset, lowered->program.module->data[1].file_offset);
  ASSERT_EQ(image.memory.size(), 1u);
  EXPECT_EQ(AsText(image.memory[0].bytes), "first");
  EXPECT_EQ(EncodeImage(*lowered)[3], static_cast<uint32_t>(Trap::kOutOfBoundsMemory));
}

TEST(ImageTest, ExactlyAtTheEndFits) {
  const auto lowered = MustLower(
      R"((module (memory 1) (data (i32.const 65532) "last") (data (i32.const 65536) "")))");
  EXPECT_EQ(lowered->program.image.trap, Trap::kNone);
}

TEST(ImageTest, AddressesAreUnsigned) {
  const auto lowered = MustLower(R"((module (memory 1) (data (i32.const -1) "x")))");
  EXPECT_EQ(lowered->program.image.trap, Trap::kOutOfBoundsMemory);
}

TEST(LayoutTest, PartsFollowOneAnotherAndMemoryIsAligned) {
  const auto lowered = MustLower(R"((module (memory 1) (global i64 (i64.const 0))
    (func (param i64 i32) (result f64) (loop (br_if 0 (local.get 1))) (f64.const 0))
    (func (param i32 i32 i32 i32 i32))))");
  const LaneLayout& layout = lowered->layout;
  EXPECT_EQ(layout.stage_at, uint32_t{abi::LANE_STAGE});
  EXPECT_EQ(lowered->program.stage_words, 5u);  // the widest arguments
  EXPECT_EQ(layout.globals_at, layout.stage_at + 5);
  EXPECT_EQ(layout.frames_at, layout.globals_at + 2);
  EXPECT_EQ(layout.frames_words, lowered->program.functions[0].frame_words);
  EXPECT_EQ(layout.memory_at, 1024u);
  EXPECT_EQ(layout.LaneWords({3}, 32768), 1024u + 3 * 16384u);
}

// The deepest chain of calls that may leave, not the sum of all frames.
TEST(LayoutTest, FramesAreAsDeepAsTheDeepestChain) {
  const auto lowered = MustLower(R"((module
    (func $a (param i32) (loop (br_if 0 (local.get 0))))
    (func $b (param i32) (call $a (local.get 0)) (loop (br_if 0 (local.get 0))))
    (func $c (param i32) (call $a (local.get 0)))
    (func (param i32) (call $c (local.get 0)) (call $b (local.get 0)))))");
  const auto& functions = lowered->program.functions;
  EXPECT_EQ(lowered->layout.frames_words,
            functions[3].frame_words + functions[1].frame_words + functions[0].frame_words);
}

// A reserve behind the memory, large enough however a stack of so many slots is spent.
TEST(LayoutTest, FramesOfRecursionAreAReserve) {
  const auto lowered = MustLower(R"((module (memory 1)
    (func $walk (param i32 i64) (result i64)
      (i64.add (local.get 1) (call $walk (local.get 0) (i64.const 1))))
    (func (param i32) (loop (br_if 0 (local.get 0))) (drop (call $walk (i32.const 0) (i64.const 0))))
    (func (param f64 f64) (loop (br_if 0 (f64.eq (local.get 0) (local.get 1)))))))");
  const LaneLayout& layout = lowered->layout;
  EXPECT_TRUE(layout.recursive());
  EXPECT_EQ(layout.memory_at, 1024u);
  EXPECT_EQ(layout.FramesAt({3}), 1024u + 3 * 16384u);
  EXPECT_EQ(layout.FramesAt({4}), layout.FramesAt({3}) + 16384);
  for (const ir::Function& function : lowered->program.functions) {
    for (uint32_t deep : {1u, 2u, 7u, 1000u}) {
      const uint64_t words = uint64_t{deep} * (function.frame_words + abi::LINK_WORDS);
      EXPECT_LE(function.recursive ? words : deep * function.frame_words,
                layout.FramesWords(deep * function.stack_slots));
    }
  }
  EXPECT_GE(layout.LaneWords({2}, 2048), layout.FramesAt({2}) + layout.FramesWords(2048));
  EXPECT_EQ(layout.LaneWords({2}, 2048) % 1024, 0u);
  EXPECT_LT(layout.LaneWords({2}, 2048), layout.LaneWords({2}, 32768));
}

}  // namespace
}  // namespace wb::test
