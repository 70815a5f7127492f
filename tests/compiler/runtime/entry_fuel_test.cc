// The kernel's entry: fuel and its limit, slices, quanta, the stop word.

#include <gtest/gtest.h>

#include <string>

#include "tests/compiler/runtime/entry_under_test.h"

namespace wb {
namespace {

TEST_F(EntryTest, SlicesOfAnySizeGiveTheSame) {
  for (uint32_t slice : {0u, 1u, 7u, 25u, 1000u}) {
    for (uint32_t quantum : {1u, 13u, 1u << 30}) {
      SCOPED_TRACE(std::to_string(slice) + " " + std::to_string(quantum));
      Resize(40);
      steps_.clear();
      params_.slice_hi = 0;
      params_.slice_lo = slice;
      params_.slice_step = 3;
      params_.quantum = quantum;
      for (uint32_t lane = 0; lane < params_.lanes; ++lane) columns_[lane] = lane;
      Add(CallOf(kLoop, {{abi::OPERAND_COLUMN, 0, 1, {}}}, 0, 2));
      Add(CallOf(kLoop, {{abi::OPERAND_REGISTER, 0, 1, {2}}}, 2, 1));
      LaunchToEnd();
      for (uint32_t lane = 0; lane < params_.lanes; ++lane) {
        ASSERT_NO_FATAL_FAILURE(ExpectEnd(lane, End::kReturned));
        EXPECT_EQ(Register(lane, 0), lane);
        EXPECT_EQ(Register(lane, 2), lane + 2);
        EXPECT_EQ(Fuel(lane), (2 * lane + 2) * kRoundFuel);
      }
    }
  }
}

TEST_F(EntryTest, EveryLaunchMakesProgress) {
  Resize(1);
  params_.slice_hi = 0;
  params_.slice_lo = 1;
  Add(CallOf(kLoop, {Const(5)}, 0, 2));
  EXPECT_EQ(LaunchToEnd(), 6);  // leaves before each round, returns in the last launch
  EXPECT_EQ(Register(0, 0), 5u);
  EXPECT_EQ(Register(0, 1), 1u);  // rounds of the last launch
}

TEST_F(EntryTest, TheStopWordEndsALaunchAfterAQuantum) {
  Resize(1);
  params_.quantum = kRoundFuel;
  stop_ = 1;
  Add(CallOf(kLoop, {Const(4)}, 0, 1));
  Launch();
  EXPECT_EQ(Seat(0), +abi::SEAT_RUNNING);
  EXPECT_EQ(Fuel(0), 2 * kRoundFuel);
  EXPECT_EQ(LaunchToEnd(), 2);
  EXPECT_EQ(Fuel(0), 4 * kRoundFuel);
}

// A group is to leave early only for lanes that the quantum ends, not a limit or a slice.
TEST_F(EntryTest, ALaneIsLowAtAQuarterOfItsQuantum) {
  const struct {
    uint32_t slice, max_fuel, low;
  } kCases[] = {{1u << 20, ~0u, 10}, {39, ~0u, 0}, {1u << 20, 39, 0}};
  for (const auto& [slice, max_fuel, low] : kCases) {
    SCOPED_TRACE(std::to_string(slice) + " " + std::to_string(max_fuel));
    BeginAnew(1, slice, max_fuel);
    params_.quantum = 4 * kRoundFuel;
    Add(CallOf(kLoop, {Const(2)}, 0, 1));
    Launch();
    EXPECT_EQ(low_of_last_call, low);
  }
}

TEST_F(EntryTest, OutOfFuelIsExactWhateverTheSlices) {
  for (uint32_t slice : {1u, 11u, 1u << 20}) {
    for (uint32_t limit : {0u, 9u, 10u, 35u, 100u}) {
      SCOPED_TRACE(std::to_string(slice) + " " + std::to_string(limit));
      BeginAnew(2, slice, limit);
      Add(CallOf(kLoop, {Const(10)}, 0, 2));
      LaunchToEnd();
      // The round that goes beyond the limit is paid, then the safepoint ends it.
      const uint64_t used = limit >= 100 ? 100 : (limit / kRoundFuel + 1) * kRoundFuel;
      ExpectEnd(1, limit >= 100 ? End::kReturned : End::kOutOfFuel);
      EXPECT_EQ(Fuel(1), used);
      EXPECT_EQ(Record(1)[abi::RECORD_STEP], limit >= 100 ? 2u : 1u);
    }
  }
}

TEST_F(EntryTest, FuelIsComparedOnlyAtSafepoints) {
  params_.max_fuel_lo = 1;
  params_.max_fuel_hi = 0;
  Add(CallOf(kSum64, {}));  // has none: 3 fuel, beyond the limit
  Add(CallOf(kSum64, {}));
  Launch();
  ExpectEnd(0, End::kReturned);
  EXPECT_EQ(Fuel(0), 6u);
  Resize(1);
  params_.max_fuel_lo = 1;
  params_.max_fuel_hi = 0;
  Add(CallOf(kLoop, {Const(1)}));
  Launch();
  ExpectEnd(0, End::kOutOfFuel);
  EXPECT_EQ(Fuel(0), 6u + kRoundFuel);
}

TEST_F(EntryTest, ALimitPassedEarlierCountsAtASafepointThatPaysNothing) {
  params_.max_fuel_lo = 2;
  params_.max_fuel_hi = 0;
  Add(CallOf(kAsk, {}));
  Add(CallOf(kSum64, {}));
  Add(CallOf(kAsk, {}));
  LaunchToEnd();
  ExpectEnd(0, End::kOutOfFuel);
  EXPECT_EQ(Fuel(0), 3u);
  EXPECT_EQ(Record(0)[abi::RECORD_STEP], 3u);
}

TEST_F(EntryTest, FuelCountsBeyond32Bits) {
  Resize(1);
  Add(CallOf(kLoop, {Const(3)}));
  params_.slice_hi = 0;
  params_.slice_lo = 1;
  Launch();
  state_.Word(0, abi::LANE_FUEL_LO) = 0xfffffff0;
  LaunchToEnd();
  EXPECT_EQ(Fuel(0), 0xfffffff0ull + 2 * kRoundFuel);
}

}  // namespace
}  // namespace wb
