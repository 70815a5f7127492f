#include "scheduler/run/seats/drained_outputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace wb {
namespace {

using Drained = DrainedOutputs::Drained;

// Records have room for 8 bytes, of at most 20.
class DrainedOutputsTest : public testing::Test {
 protected:
  DrainedOutputsTest() : record_(abi::RECORD_REGISTERS + 2) {
    plan_.output_bytes = shape_.output_bytes = 20;
    plan_.output_buffer = shape_.output_buffer = 8;
  }
  Drained Drain(uint32_t seat, std::string_view held, bool waits) {
    std::memcpy(record_.data() + abi::RECORD_REGISTERS, held.data(),
                std::min<size_t>(held.size(), 8));
    record_[abi::RECORD_OUT_BYTES] = static_cast<uint32_t>(held.size());
    record_[abi::RECORD_OUT_WAITS] = waits ? 1 : 0;
    return outputs_.Drain(plan_, shape_, seat, record_);
  }
  uint32_t left_in_record() const { return record_[abi::RECORD_OUT_BYTES]; }
  std::string Taken(uint32_t seat) {
    const auto output = outputs_.Take(seat);
    return output ? std::string(AsText(output->bytes())) : "nothing";
  }

  JobPlan plan_;
  DispatchShape shape_;
  std::vector<uint32_t> record_;
  DrainedOutputs outputs_{2};
};

TEST_F(DrainedOutputsTest, ARecordIsDrainedOnceItIsHalfFullOrItsInstanceWaits) {
  EXPECT_EQ(Drain(0, "abc", false), Drained::kNothing);
  EXPECT_EQ(left_in_record(), 3u);
  EXPECT_EQ(Drain(0, "abc", true), Drained::kPart);
  EXPECT_EQ(left_in_record(), 0u);
  EXPECT_EQ(Drain(0, "defg", false), Drained::kPart);
  EXPECT_EQ(outputs_.bytes(0), 7u);
  EXPECT_EQ(Taken(0), "abcdefg");
}

TEST_F(DrainedOutputsTest, ARecordWithRoomForAllKeepsIt) {
  shape_.output_buffer = ~0u;
  EXPECT_EQ(Drain(0, "abcdefgh", true), Drained::kNothing);
  EXPECT_EQ(left_in_record(), 8u);
  EXPECT_EQ(Taken(0), "nothing");
}

TEST_F(DrainedOutputsTest, EachSeatHasItsOwnUntilThatIsTaken) {
  EXPECT_EQ(Drain(0, "abcd", false), Drained::kPart);
  EXPECT_EQ(Drain(1, "12345", false), Drained::kPart);
  EXPECT_EQ(Taken(0), "abcd");
  EXPECT_EQ(Taken(0), "nothing");
  EXPECT_EQ(outputs_.bytes(0), 0u);
  outputs_.Drop(1);
  EXPECT_EQ(Taken(1), "nothing");
}

TEST_F(DrainedOutputsTest, WhatAnInstanceBringsComesBeforeTheRest) {
  EXPECT_EQ(Drain(0, "abcd", false), Drained::kPart);
  outputs_.Put(1, *outputs_.Take(0));
  EXPECT_EQ(Drain(1, "efgh", false), Drained::kPart);
  EXPECT_EQ(Taken(1), "abcdefgh");
}

TEST_F(DrainedOutputsTest, MoreThanThereIsRoomForIsUnsound) {
  EXPECT_EQ(Drain(0, "abcdefghi", false), Drained::kUnsound) << "more than the record";
  EXPECT_EQ(Drain(0, "abcdefgh", false), Drained::kPart);
  EXPECT_EQ(Drain(0, "abcdefgh", false), Drained::kPart);
  EXPECT_EQ(Drain(0, "abcde", false), Drained::kUnsound) << "more than the limit";
}

}  // namespace
}  // namespace wb
