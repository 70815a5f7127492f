#include "compiler/wasm/script_classes.h"

#include <gtest/gtest.h>

#include "tests/compiler/wasm/assemble.h"

namespace wb::test {
namespace {

using Flags = std::vector<uint32_t>;

Flags FlagsIn(const std::string& fields) {
  return ScriptClassFlags(**Module::Decode(MustAssemble("(module (memory 1) " + fields + ")")));
}

const char* const kBase = R"((global (export "__rtti_base") i32 (i32.const 64)) )";

TEST(ScriptClasses, FlagsStandBehindTheirCount) {
  EXPECT_EQ(
      FlagsIn(std::string(kBase) +
              R"((data (i32.const 60) "????\03\00\00\00\20\00\00\00\00\00\00\00\02\09\00\00!"))"),
      (Flags{0x20, 0, 0x902}));
}

TEST(ScriptClasses, WhatNoSegmentWritesIsZero) {
  EXPECT_EQ(FlagsIn(std::string(kBase) +
                    R"((data (i32.const 64) "\04") (data (i32.const 72) "\20") (data "\ff")
                       (data (i32.const 81) "\09\00\00"))"),
            (Flags{0, 0x20, 0, 0x900}));
}

TEST(ScriptClasses, ATableThatIsNotThereHasNoClasses) {
  EXPECT_EQ(FlagsIn(R"((data (i32.const 64) "\01\00\00\00\20"))"), Flags());
  EXPECT_EQ(FlagsIn(kBase), Flags());
  EXPECT_EQ(FlagsIn(std::string(kBase) + R"((data (i32.const 64) "\ff\ff\ff\ff"))"), Flags());
  EXPECT_EQ(FlagsIn(R"((global (export "__rtti_base") (mut i32) (i32.const 64))
                       (data (i32.const 64) "\01\00\00\00\20"))"),
            Flags());
  EXPECT_EQ(FlagsIn(R"((global (export "__rtti_base") i32 (i32.const -4))
                       (data (i32.const 64) "\01\00\00\00\20"))"),
            Flags());
}

}  // namespace
}  // namespace wb::test
