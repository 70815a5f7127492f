#include "tests/fuzz/shrink.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/compiler/wasm/assemble.h"
#include "tests/fuzz/sections.h"
#include "tests/fuzz/subject.h"

namespace wb::fuzz {
namespace {

TEST(ShrinkTest, OnlyWhatMattersIsLeft) {
  Numbers choices(500, 77);
  choices[321] = 1234;
  const auto small = ShrinkChoices(
      choices,
      [](const Numbers& row) {
        return std::count_if(row.begin(), row.end(), [](uint32_t n) { return n >= 300; }) > 0;
      },
      1000);
  ASSERT_EQ(small.size(), 1u);
  EXPECT_LT(small[0], 1234u);
  EXPECT_GE(small[0], 300u);
}

TEST(ShrinkTest, TriesAreCounted) {
  uint32_t asked = 0;
  const Numbers choices(100, 5);
  const auto small = ShrinkChoices(
      choices, [&](const Numbers&) { return ++asked > 1000; }, 40);
  EXPECT_EQ(asked, 40u);
  EXPECT_EQ(small, choices);
}

TEST(ShrinkTest, AnyChoicesMakeAModule) {
  for (const Numbers& choices : {Numbers{}, Numbers{1}, Numbers(3000, 7), Numbers(3000, 99)}) {
    const auto subject = SubjectOf("any", choices);
    ASSERT_TRUE(subject.ok()) << subject.status().ToString();
    EXPECT_TRUE(Module::Decode(subject->wasm).ok());
  }
}

TEST(ShrinkTest, TheSameSeedAndItsChoicesMakeTheSameModule) {
  const auto one = GeneratedModules()->Make(3);
  const auto again = SubjectOf("again", one->choices);
  EXPECT_EQ(one->wat, again->wat);
  EXPECT_NE(one->wat, GeneratedModules()->Make(4)->wat);
}

TEST(ShrinkTest, OfAModuleTheFunctionThatMattersIsLeft) {
  const Bytes wasm = test::MustAssemble(
      "(module (func (export \"a\") nop) (func (export \"b\") (drop (i32.const 77)))"
      " (func $s) (start $s))");
  const auto small = ShrinkModule(
      wasm,
      [](const Bytes& candidate) {
        const auto module = Module::Decode(candidate);
        return module.ok() && (*module)->bodies[1].instructions.size() == 2;
      },
      100);
  const auto module = *Module::Decode(small);
  EXPECT_TRUE(module->exports.empty());
  EXPECT_FALSE(module->start.has_value());
  EXPECT_EQ(module->bodies[0].instructions[0].opcode, Opcode::kUnreachable);
}

}  // namespace
}  // namespace wb::fuzz
