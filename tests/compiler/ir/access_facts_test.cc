// Which accesses are known to be aligned, and which to lie inside memory.

#include <gtest/gtest.h>

#include <string>

#include "tests/compiler/ir/lowered_text.h"

namespace wb::test {
namespace {

// Of all accesses of a function in order: "-", "a" (aligned), "i" (inside) or "ai".
std::string FactsOf(std::string_view wat, uint32_t function = 0) {
  const auto lowered = MustLower(wat);
  const ir::Function& of = lowered->program.functions[function];
  std::string facts;
  for (size_t row = 0; row < of.insts.size(); ++row) {
    const ir::Op op = of.insts[row].op;
    if (op != ir::Op::kLoad && op != ir::Op::kStore) continue;
    const std::string fact =
        std::string(of.IsAligned(row) ? "a" : "") + (of.IsInside(row) ? "i" : "");
    facts += (facts.empty() ? "" : " ") + (fact.empty() ? "-" : fact);
  }
  return facts;
}

TEST(AccessFacts, OfConstantsAndMasks) {
  EXPECT_EQ(FactsOf(R"((module (memory 1) (func (export "run") (param i32) (result i32)
      (i32.store (i32.const 65532) (i32.load (local.get 0)))
      (i32.store (i32.const 65533) (i32.const 0))
      (i32.store offset=2 (i32.const 8) (i32.const 0))
      (i32.load offset=1024 (i32.shl (i32.and (local.get 0) (i32.const 255)) (i32.const 2))))))"),
            "- ai - i ai");
  EXPECT_EQ(FactsOf(R"((module (memory 1) (func (export "run") (param i32) (result i32)
      (i64.store (i32.shl (local.get 0) (i32.const 2)) (i64.const 0))
      (i32.store16 offset=2 (i32.mul (local.get 0) (i32.const 6)) (i32.const 0))
      (i32.store8 (local.get 0) (i32.const 0))
      (i32.load16_u (i32.load8_u (local.get 0))))))"),
            "a a a a i");
}

// What is made of an i64 or a float may be anything, also where it meets a constant.
TEST(AccessFacts, OfOtherTypesThereAreNone) {
  EXPECT_EQ(FactsOf(R"((module (memory 1) (func (export "run") (param $wide i64) (param $f f32)
      (local $a i32) (local $b i32)
      (local.set $a (i32.const 16))
      (local.set $b (i32.const 32))
      (if (i64.eqz (local.get $wide)) (then
        (local.set $a (i32.wrap_i64 (local.get $wide)))
        (local.set $b (i32.reinterpret_f32 (local.get $f)))))
      (i32.store (local.get $a) (i32.const 1))
      (i32.store (local.get $b) (i32.const 1))
      (i32.store (i32.add (local.get $a) (i32.const 4)) (i32.const 1)))))"),
            "- - -");
}

// What a program finds in a memory that has grown is beyond what it began with.
TEST(AccessFacts, TheMemoryIsAsItBegins) {
  EXPECT_EQ(FactsOf(R"((module (memory 1 4) (func (export "run")
      (drop (memory.grow (i32.const 1)))
      (i32.store (i32.const 65532) (i32.const 1))
      (i32.store (i32.const 65536) (i32.const 1)))))"),
            "ai a");
}

TEST(AccessFacts, InductionKeepsAlignment) {
  EXPECT_EQ(FactsOf(R"((module (memory 1) (func (export "run") (param $n i32) (local $i i32)
      (local $odd i32)
      (loop $l
        (i32.store offset=4096 (local.get $i) (i32.const 1))
        (i32.store offset=4096 (local.get $odd) (i32.const 1))
        (local.set $odd (i32.add (local.get $odd) (i32.const 6)))
        (local.set $i (i32.add (local.get $i) (i32.const 8)))
        (br_if $l (i32.ne (local.get $i) (local.get $n)))))))"),
            "a -");
}

// Arguments of functions that the module alone calls; others may be anything.
TEST(AccessFacts, GoThroughCalls) {
  constexpr std::string_view kCalls =
      R"((module (memory 1) (table 1 funcref) (elem (i32.const 0) $taken)
      (func $own (param i32) (result i32) (i32.store (local.get 0) (i32.const 1))
        (i32.add (local.get 0) (i32.const 16)))
      (func $odd (param i32) (i32.store (local.get 0) (i32.const 1)))
      (func $taken (param i32) (i32.store (local.get 0) (i32.const 1)))
      (func $deep (param i32) (if (local.get 0) (then
        (i32.store (local.get 0) (i32.const 1))
        (call $deep (i32.sub (local.get 0) (i32.const 32))))))
      (func (export "run") (param i32)
        (i32.store (call $own (i32.shl (local.get 0) (i32.const 4))) (i32.const 1))
        (i32.store (call $own (i32.const 64)) (i32.const 1))
        (call $odd (i32.const 4)) (call $odd (i32.const 6))
        (call $deep (i32.const 4096))
        (call $taken (i32.const 4)))))";
  EXPECT_EQ(FactsOf(kCalls, 0), "a");
  EXPECT_EQ(FactsOf(kCalls, 1), "i");
  EXPECT_EQ(FactsOf(kCalls, 2), "-");
  EXPECT_EQ(FactsOf(kCalls, 3), "a");
  EXPECT_EQ(FactsOf(kCalls, 4), "a a");
}

// The third function returns its parameter as it came, and is called with more after its result was
// seen.
TEST(AccessFacts, AResultMayBeAParameter) {
  constexpr std::string_view kSame = R"((module (memory 1)
      (func (export "run") (param i32)
        (i32.store (call $same (i32.const 64)) (i32.const 1))
        (call $later (local.get 0)))
      (func $later (param i32) (drop (call $same (local.get 0))))
      (func $same (param i32) (result i32) (local.get 0))))";
  EXPECT_EQ(FactsOf(kSame, 0), "-");
}

// Each round of the walk carries a fact one local further. A long chain spends the budget, and then
// nothing is known, not even of constants.
TEST(AccessFacts, AreNotThereBeyondTheBudget) {
  const auto chain = [](uint32_t length) {
    std::string text = R"((module (memory 1) (func (export "run") (param i32) (loop $l )";
    std::string locals;
    for (uint32_t i = length; i > 0; --i) {
      text += "(local.set " + std::to_string(i) + " (local.get " + std::to_string(i - 1) + "))";
      locals += " i32";
    }
    text.insert(text.find("(loop"), "(local" + locals + ")");
    return text + "(i32.store (i32.const 16) (local.get " + std::to_string(length) +
           ")) (br_if $l (local.get " + std::to_string(length) + ")))))";
  };
  EXPECT_EQ(FactsOf(chain(20)), "ai");
  EXPECT_EQ(FactsOf(chain(3000)), "-");
}

TEST(AccessFacts, TheStackPointerKeepsItsAlignment) {
  const auto with_step = [](const char* step) {
    return std::string(R"((module (memory 2) (global $sp (mut i32) (i32.const 66560))
      (func $frame (param i32) (local $fp i32)
        (global.set $sp (local.tee $fp (i32.sub (global.get $sp) (i32.const )") +
           step + R"())))
        (i64.store offset=8 (local.get $fp) (i64.const 1))
        (if (local.get 0) (then (call $frame (i32.sub (local.get 0) (i32.const 1)))))
        (global.set $sp (i32.add (local.get $fp) (i32.const )" +
           step + R"())))
      (func (export "run") (param i32) (call $frame (local.get 0)))))";
  };
  EXPECT_EQ(FactsOf(with_step("32")), "a");
  EXPECT_EQ(FactsOf(with_step("30")), "-");
}

}  // namespace
}  // namespace wb::test
