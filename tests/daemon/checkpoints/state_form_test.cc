// States as bytes, and bytes that are none.

#include "daemon/checkpoints/state_form.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/daemon/checkpoints/states.h"

namespace wb {
namespace {

Bytes EncodedLane(const MovedLane& lane) {
  return EncodeState({42, 3, {7, 1, 4096}, lane, 5000}, "compiler 1", Sha256(AsBytes("module")));
}

TEST(StateFormTest, ComesBackAsItWas) {
  const MovedLane lane = SomeLane(1000);
  const Bytes bytes = EncodedLane(lane);
  const auto found = DecodeStateHead(ByteView(bytes).first(kLongestStateHead));
  ASSERT_TRUE(found.ok()) << found.status().message();
  const StateHead& head = found->head;
  EXPECT_EQ(head.compiler, "compiler 1");
  EXPECT_EQ(head.module, Sha256(AsBytes("module")));
  EXPECT_EQ(head.instance, 42u);
  EXPECT_EQ(head.attempt, 3u);
  EXPECT_EQ(head.fuel, kUsedFuel);
  EXPECT_EQ(head.planned, 5000u);
  EXPECT_EQ(head.needs, (StateNeeds{7, 1, 4096}));
  const auto again = DecodeState(bytes);
  ASSERT_TRUE(again.ok()) << again.status().message();
  EXPECT_EQ((*again)->image.form, lane.image.form);
  EXPECT_EQ((*again)->image.record, lane.image.record);
  EXPECT_EQ((*again)->image.state, lane.image.state);
  EXPECT_EQ((*again)->fuel, kUsedFuel);
  ASSERT_TRUE((*again)->drained.has_value());
  EXPECT_EQ((*again)->drained->bytes(), lane.drained->bytes());
}

TEST(StateFormTest, OneWithoutMemoryOrOutputToo) {
  MovedLane lane = SomeLane(0);
  lane.drained.reset();
  const auto again = DecodeState(EncodedLane(lane));
  ASSERT_TRUE(again.ok()) << again.status().message();
  EXPECT_TRUE((*again)->image.state.empty());
  EXPECT_FALSE((*again)->drained.has_value());
}

TEST(StateFormTest, WhateverIsCutIsFound) {
  const Bytes bytes = EncodedLane(SomeLane(40));
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(DecodeState(ByteView(bytes).first(size)).status().reason(), Reason::kBlobCorrupt);
  }
}

TEST(StateFormTest, WhateverByteIsDamagedIsFound) {
  const Bytes bytes = EncodedLane(SomeLane(40));
  for (size_t at = 0; at < bytes.size(); ++at) {
    for (const uint8_t bit : {0x01, 0x80}) {
      Bytes damaged = bytes;
      damaged[at] ^= bit;
      ASSERT_EQ(DecodeState(damaged).status().reason(), Reason::kBlobCorrupt) << at;
    }
  }
}

TEST(StateFormTest, AnotherVersionIsNamed) {
  Bytes bytes = EncodedLane(SomeLane(4));
  bytes[7] = '2';
  const Status status = DecodeStateHead(bytes).status();
  EXPECT_NE(status.message().find("another version"), std::string::npos) << status.message();
}

// Whoever writes it may know the checksums.
TEST(StateFormTest, AHostileOneIsRefused) {
  MovedLane lane = SomeLane(4);
  lane.fuel = kUsedFuel + 1;  // not what its record says
  EXPECT_FALSE(DecodeState(EncodedLane(lane)).ok());
  lane = SomeLane(4);
  lane.image.record.resize(3);
  EXPECT_FALSE(DecodeState(EncodedLane(lane)).ok());
  const MovedLane sound = SomeLane(4);
  EXPECT_FALSE(DecodeStateHead(EncodeState({1, 0, {}, sound, 0}, "c", {})).ok()) << "no attempt";
  EXPECT_FALSE(DecodeStateHead(EncodeState({1, 1, {~0u}, sound, 0}, "c", {})).ok());
  EXPECT_FALSE(
      DecodeStateHead(EncodeState({1, 1, {}, sound, 0}, std::string(10000, 'c'), {})).ok());
}

TEST(StateFormTest, AnyBytesAreRefused) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    Bytes bytes(random() % 300);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
    if (round % 2 == 0 && bytes.size() > 16) {
      std::copy(kStateMark, kStateMark + 8, bytes.begin());
      std::fill(bytes.begin() + 9, bytes.begin() + 16, 0);
    }
    EXPECT_FALSE(DecodeState(bytes).ok());
  }
}

}  // namespace
}  // namespace wb
