// What is read from a cubin's file, and what is not taken for one.

#include "scheduler/devices/cuda/nvrtc/cubin_calls.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/scheduler/devices/cuda/nvrtc/cubin_file.h"

namespace wb::test {
namespace {

std::string Example() {
  return CubinFile({{"main", 32, true}, {"mine", 48, false, true}, {"theirs", std::nullopt}},
                   {{1, 2}, {2, 3}});
}

TEST(CubinCalls, FunctionsFramesAndRowsAreRead) {
  const auto calls = ReadCalls(Example());
  ASSERT_TRUE(calls);
  ASSERT_EQ(calls->symbols.size(), 4u);
  EXPECT_EQ(calls->symbols[1].name, "main");
  EXPECT_TRUE(calls->symbols[1].is_kernel);
  EXPECT_EQ(calls->symbols[1].frame_bytes, 32u);
  EXPECT_EQ(calls->symbols[1].stack_bytes, std::nullopt);
  EXPECT_EQ(calls->symbols[2].name, "");  // no other cubin knows it
  EXPECT_FALSE(calls->symbols[2].is_kernel);
  EXPECT_EQ(calls->symbols[2].frame_bytes, 48u);
  EXPECT_EQ(calls->symbols[3].name, "theirs");
  EXPECT_EQ(calls->symbols[3].frame_bytes, std::nullopt);
  ASSERT_EQ(calls->rows.size(), 3u);
  EXPECT_EQ(calls->rows[0].caller, 0u);
  EXPECT_EQ(calls->rows[0].callee, 0xffffffffu);
  EXPECT_EQ(calls->rows[2].caller, 2u);
  EXPECT_EQ(calls->rows[2].callee, 3u);
}

TEST(CubinCalls, ALinkedKernelSaysItsStack) {
  const auto calls = ReadCalls(CubinFile({{"main", 32, true, false, 480}}, {}));
  ASSERT_TRUE(calls);
  EXPECT_EQ(calls->symbols[1].stack_bytes, 480u);
}

TEST(CubinCalls, RowsAreReplacedAndNothingElseMoves) {
  std::string cubin = Example();
  const std::string before = cubin;
  WriteRows(cubin, {{0, ~0u}, {2, 1}});
  EXPECT_EQ(cubin.size(), before.size());
  const auto calls = ReadCalls(cubin);
  ASSERT_TRUE(calls);
  ASSERT_EQ(calls->rows.size(), 2u);
  EXPECT_EQ(calls->rows[1].caller, 2u);
  EXPECT_EQ(calls->rows[1].callee, 1u);
  EXPECT_EQ(calls->symbols[3].name, "theirs");
}

TEST(CubinCalls, WhatIsCutShortIsNoCubin) {
  const std::string cubin = Example();
  for (size_t size = 0; size < cubin.size(); ++size) {
    EXPECT_FALSE(ReadCalls(std::string_view(cubin).substr(0, size))) << size;
  }
  EXPECT_FALSE(ReadCalls("-arch=sm_90\nno ELF file"));
  std::string other = cubin;
  other[4] = 1;  // of 32 bits
  EXPECT_FALSE(ReadCalls(other));
}

// Whatever number is wrong: nothing beyond the file is read (a build with sanitizers sees it).
TEST(CubinCalls, AWrongNumberAnywhereIsNoTrouble) {
  const std::string cubin = Example();
  size_t unread = 0;
  for (size_t at = 0; at < cubin.size(); ++at) {
    for (const size_t bytes : {1, 4, 8}) {
      std::string wrong = cubin;
      std::memset(wrong.data() + at, 0xff, std::min(bytes, wrong.size() - at));
      unread += ReadCalls(wrong) ? 0 : 1;
    }
  }
  EXPECT_GT(unread, 0u);
  EXPECT_LT(unread, 3 * cubin.size());
}

}  // namespace
}  // namespace wb::test
