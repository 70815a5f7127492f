// What a counted loop's addresses begin with.

#include <gtest/gtest.h>

#include <string>

#include "tests/compiler/ir/lowered_text.h"

namespace wb::test {
namespace {

// A pointer that steps beside the counter: where the rounds are known it begins where its row says.
TEST(FindCountedLoops, AddressesOfTheFirstRoundAreKnownWithTheRounds) {
  const auto loop_of = [](const std::string& begin, const std::string& rounds) {
    const auto lowered = MustLower(R"((module (memory 1)
      (func (export "run") (param $n i32) (result i32) (local $i i32) (local $s i32) (local $p i32)
        (local.set $i (i32.const 0)) (local.set $p )" +
                                   begin +
                                   R"()
        (loop $l
          (local.set $s (i32.add (local.get $s) (i32.load offset=8 (local.get $p))))
          (i32.store (i32.and (local.get $s) (i32.const 60)) (local.get $s))
          (local.set $p (i32.add (local.get $p) (i32.const 12)))
          (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 1))) )" +
                                   rounds + R"()))
        (i32.add (local.get $s) (local.get $p)))))");
    return lowered->program.functions[0].counted_loops.at(0);
  };
  const auto known = loop_of("(i32.const 96)", "(i32.const 20)");
  EXPECT_EQ(known.rounds, 20u);
  ASSERT_EQ(known.streams.size(), 2u);
  EXPECT_TRUE(known.streams[0].least.terms.empty());
  EXPECT_EQ(known.streams[0].least.constant, 96u);
  EXPECT_EQ(known.starts.size(), 1u) << "the counter's test is the pointer's too";
  EXPECT_EQ(loop_of("(local.get $n)", "(i32.const 20)").streams[0].least.terms.size(), 1u);
  const auto open = loop_of("(i32.const 96)", "(local.get $n)");
  EXPECT_EQ(open.rounds, 0u);
  EXPECT_EQ(open.streams[0].least.terms.size(), 1u);
}

TEST(FindCountedLoops, StreamsThatBeginWithATileAreKnown) {
  const auto of_frame = [](const std::string& offset) {
    const auto lowered = MustLower(R"((module (memory 1) (global $sp (mut i32) (i32.const 4096))
      (func (export "run") (param $n i32) (result i32) (local $i i32) (local $s i32) (local $p i32)
        (local.set $p (i32.sub (global.get $sp) (i32.const )" +
                                   offset + R"()))
        (loop $l
          (local.set $s (i32.add (local.get $s) (i32.load (local.get $p))))
          (local.set $p (i32.add (local.get $p) (i32.const 16)))
          (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                            (local.get $n))))
        (local.get $s))))");
    return lowered->program.functions[0].counted_loops.at(0).streams.at(0).at_tile;
  };
  EXPECT_TRUE(of_frame("64"));
  EXPECT_FALSE(of_frame("72"));
}

}  // namespace
}  // namespace wb::test
