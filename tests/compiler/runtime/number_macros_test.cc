#include "compiler/runtime/number_macros.h"

#include <gtest/gtest.h>

namespace wb::test {
namespace {

TEST(NumberMacros, StandForConstantsThatAreOneNumber) {
  EXPECT_EQ(
      WithNumbersAsMacros("constant uint WB_A = 2u;\nconstant ulong WB_B = 0x10ul;\nx(WB_A);"),
      "#define WB_A 2u\n#define WB_B 0x10ul\nx(WB_A);");
}

TEST(NumberMacros, WhateverElseStays) {
  for (const char* text :
       {"", "\n", "constant uint", "constant uint a[2] = {1u, 2u};\n", "constant uint a = b;\n",
        "constant uint a = 1u + b;\n", "constant uint a = 1u; // one\n", "constant uint = 1u;",
        "uint f(constant uint* a);\n", "  constant uint a = 1u;\n", "constant float a = 1;\n\n"}) {
    EXPECT_EQ(WithNumbersAsMacros(text), text);
  }
}

}  // namespace
}  // namespace wb::test
