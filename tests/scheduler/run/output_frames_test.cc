#include "scheduler/run/seats/output_frames.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace wb {
namespace {

// A frame with its padding.
std::string Frame(uint32_t stream, std::string_view bytes) {
  const uint32_t head = stream | static_cast<uint32_t>(bytes.size()) << 8;
  std::string frame;
  for (int i = 0; i < 4; ++i) frame += static_cast<char>(head >> (8 * i));
  frame += bytes;
  while (frame.size() % 4 != 0) frame += '\xaa';
  return frame;
}

TEST(OutputFrames, FramesOfOneStreamAreJoined) {
  const std::string output =
      Frame(2, "oh") + Frame(1, "hello ") + Frame(255, "of a step") + Frame(1, "world");
  const auto streams = SplitOutput(AsBytes(output));
  ASSERT_TRUE(streams);
  ASSERT_EQ(streams->size(), 2u);
  EXPECT_EQ((*streams)[0].stream, 1u);
  EXPECT_EQ(AsText((*streams)[0].bytes), "hello world");
  EXPECT_EQ((*streams)[1].stream, 2u);
  EXPECT_EQ(AsText((*streams)[1].bytes), "oh");
}

TEST(OutputFrames, NothingWrittenIsNoStream) {
  EXPECT_TRUE(SplitOutput({})->empty());
  EXPECT_TRUE(SplitOutput(AsBytes(Frame(255, "only a step")))->empty());
}

TEST(OutputFrames, AllStreamsMayBeUsed) {
  std::string output;
  for (uint32_t stream = 254; stream >= 1; --stream) output += Frame(stream, "x");
  const auto streams = SplitOutput(AsBytes(output));
  ASSERT_EQ(streams->size(), 254u);
  EXPECT_EQ(streams->front().stream, 1u);
  EXPECT_EQ(streams->back().stream, 254u);
}

TEST(OutputFrames, TheLastFrameNeedsNoPadding) {
  std::string output = Frame(1, "abcde");
  output.resize(9);
  EXPECT_EQ(AsText(SplitOutput(AsBytes(output))->front().bytes), "abcde");
}

TEST(OutputFrames, WhatIsNoFramesIsRefused) {
  EXPECT_FALSE(SplitOutput(AsBytes(Frame(0, "abcd"))));               // no such stream
  EXPECT_FALSE(SplitOutput(AsBytes(Frame(1, "abcd").substr(0, 6))));  // ends within its bytes
  EXPECT_FALSE(SplitOutput(AsBytes(Frame(1, "abcd") + "ab")));        // ends within a head
  EXPECT_FALSE(SplitOutput(AsBytes(std::string("\x01\xff\xff\xff", 4))));
}

}  // namespace
}  // namespace wb
