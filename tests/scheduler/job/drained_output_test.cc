#include "scheduler/job/drained_output.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "compiler/abi/lane.h"

namespace wb {
namespace {

constexpr uint64_t kMuch = 1 << 20;

std::string Framed(uint32_t stream, std::string_view bytes) {
  const uint32_t head = stream | static_cast<uint32_t>(bytes.size()) << abi::FRAME_BYTES_SHIFT;
  std::string frame;
  for (int i = 0; i < 4; ++i) frame += static_cast<char>(head >> (8 * i));
  frame += bytes;
  return frame;
}

std::string Padded(std::string frame) {
  while (frame.size() % 4 != 0) frame += '\0';
  return frame;
}

TEST(DrainedOutputTest, BytesWithoutFramesFollowOneAnother) {
  DrainedOutput output(false);
  EXPECT_TRUE(output.Join(AsBytes("abc"), 5));
  EXPECT_FALSE(output.Join(AsBytes("def"), 5));
  EXPECT_TRUE(output.Join(AsBytes("de"), 5));
  EXPECT_EQ(AsText(output.bytes()), "abcde");
}

TEST(DrainedOutputTest, AFrameThatGoesOnIsOneFrame) {
  DrainedOutput output(true);
  const std::string first = Padded(Framed(1, "out")) + Framed(2, "err");
  const std::string second =
      Padded(Framed(abi::STREAM_GOES_ON, "or")) + Padded(Framed(255, "s")) + Framed(1, "x");
  EXPECT_TRUE(output.Join(AsBytes(first), kMuch));
  EXPECT_TRUE(output.Join({}, kMuch));
  EXPECT_TRUE(output.Join(AsBytes(second), kMuch));
  EXPECT_EQ(AsText(output.bytes()), Padded(Framed(1, "out")) + Padded(Framed(2, "error")) +
                                        Padded(Framed(255, "s")) + Framed(1, "x"));
}

TEST(DrainedOutputTest, WhatNoSoundEngineWritesIsRefused) {
  const auto joins = [](std::string_view part, uint64_t most) {
    return DrainedOutput(true).Join(AsBytes(part), most);
  };
  const std::string whole = Framed(1, "bytes");
  EXPECT_TRUE(joins(whole, 9));
  EXPECT_FALSE(joins(whole, 8));
  EXPECT_FALSE(joins(std::string_view(whole).substr(0, 8), 9));
  EXPECT_FALSE(joins(std::string_view(whole).substr(0, 3), 9));
  EXPECT_FALSE(joins(Framed(abi::STREAM_GOES_ON, "x"), 9));
}

}  // namespace
}  // namespace wb
