#include "compiler/debug/module_hints.h"

#include <gtest/gtest.h>

#include "tests/compiler/debug/debug_bytes.h"
#include "tests/compiler/wasm/assemble.h"

namespace wb::test {
namespace {

ModuleHints HintsIn(std::string_view text) {
  return HintsOf(WithCustom(MustAssemble("(module)"), "wasmburst.hints", AsBytes(text)));
}

TEST(ModuleHints, AreWordsOneALine) {
  EXPECT_TRUE(HintsIn("divergent").divergent);
  EXPECT_TRUE(HintsIn("\n  uniform \r\n\n").uniform);
  EXPECT_FALSE(HintsIn("uniform\n").divergent);
  EXPECT_TRUE(HintsIn("uniform\n").ignored.empty());
}

TEST(ModuleHints, WhatIsNoneIsIgnoredAndSaid) {
  const ModuleHints hints = HintsIn("hot main\ndivergent\nDivergent\n\xff\xfe");
  EXPECT_TRUE(hints.divergent);
  EXPECT_EQ(hints.ignored, (std::vector<std::string>{"hot main", "Divergent",
                                                     "(a line that is too long, or no UTF-8)"}));
}

TEST(ModuleHints, BothAreNeither) {
  const ModuleHints hints = HintsIn("uniform\ndivergent");
  EXPECT_FALSE(hints.uniform || hints.divergent);
  EXPECT_EQ(hints.ignored.size(), 1u);
}

TEST(ModuleHints, AModuleCannotMakeTheListLong) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "x\n";
  EXPECT_EQ(HintsIn(text).ignored.size(), ModuleHints::kMost);
  EXPECT_EQ(HintsIn(std::string(200, 'y')).ignored[0].size(), 38u);
}

TEST(ModuleHints, WithoutASectionThereAreNone) {
  const ModuleHints hints = HintsOf(MustAssemble("(module)"));
  EXPECT_FALSE(hints.uniform || hints.divergent);
  EXPECT_TRUE(hints.ignored.empty());
}

}  // namespace
}  // namespace wb::test
