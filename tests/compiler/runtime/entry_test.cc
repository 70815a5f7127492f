// The kernel's entry: starts, steps, operands, traps, memory, output.

#include <gtest/gtest.h>

#include <string>

#include "tests/compiler/runtime/entry_under_test.h"

namespace wb {
namespace {

TEST_F(EntryTest, EmptyAndDoneSeatsAreLeftAlone) {
  Record(0)[abi::RECORD_SEAT] = abi::SEAT_EMPTY;
  Record(1)[abi::RECORD_SEAT] = abi::SEAT_DONE;
  Launch();
  EXPECT_EQ(Seat(0), +abi::SEAT_EMPTY);
  EXPECT_EQ(Record(0)[abi::RECORD_END], 0xcdcdcdcdu);
  EXPECT_EQ(Record(1)[abi::RECORD_END], 0xcdcdcdcdu);
  EXPECT_EQ(state_.Word(1, 0), 0xababababu);
  ExpectEnd(2, End::kReturned);  // no steps, no start function
  EXPECT_EQ(Fuel(2), 0u);
}

TEST_F(EntryTest, StartsFromTheImage) {
  image_ = {1,  2, 2, 0,          0,          kStart + 1, 0, 0,          11,
            22, 0, 8, 0x04030201, 0x08070605, 5,          6, 0x54535251, 0x5655};
  Add(CallOf(kPeekGlobal, {}, 0, 2));
  Launch();
  const uint8_t expected[] = {1, 2, 3, 4, 5, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0};
  for (uint32_t lane = 0; lane < params_.lanes; ++lane) {
    ASSERT_NO_FATAL_FAILURE(ExpectEnd(lane, End::kReturned));
    EXPECT_EQ(Register(lane, 0), 111u);
    EXPECT_EQ(Register(lane, 1), 22u);
    EXPECT_EQ(Register(lane, 2), 0u);
    EXPECT_EQ(Fuel(lane), 6u);
    EXPECT_EQ(Record(lane)[abi::RECORD_PAGES], 1u);
    EXPECT_EQ(Record(lane)[abi::RECORD_STEP], 2u);
    for (uint32_t i = 0; i < sizeof expected; ++i) ASSERT_EQ(state_.Byte(lane, i), expected[i]);
    EXPECT_EQ(state_.Byte(lane, abi::PAGE_BYTES - 1), 0);
    EXPECT_EQ(state_.Byte(lane, abi::PAGE_BYTES), 0xab);  // beyond its size
  }
}

TEST_F(EntryTest, ClearedMemoryIsNotClearedAgain) {
  params_.memory_is_zero = 1;
  Launch();
  EXPECT_EQ(state_.Byte(3, 0), 0xab);
  EXPECT_EQ(state_.Word(3, abi::LANE_CLEAN_PAGES), 2u);
  EXPECT_EQ(state_.Word(3, abi::LANE_KEPT), 0xffffffffu);
}

// The second instance of a lane: zeros where something was noted, and a store's length behind it.
TEST_F(EntryTest, OnlyWhatWasWrittenIsCleared) {
  Launch();
  EXPECT_EQ(state_.Word(3, abi::LANE_CLEAN_PAGES), 1u);
  for (uint32_t at = 0; at < abi::PAGE_BYTES; ++at) state_.SetByte(3, at, 0xab);
  state_.Word(3, abi::LANE_KEPT) &= ~(1u << 2);  // bytes 4,096 to 6,143
  Record(3)[abi::RECORD_SEAT] = abi::SEAT_START;
  Launch();
  EXPECT_EQ(state_.Byte(3, 4095), 0xab);
  EXPECT_EQ(state_.Byte(3, 4096), 0);
  EXPECT_EQ(state_.Byte(3, 6143 + abi::SPILL_BYTES), 0);
  EXPECT_EQ(state_.Byte(3, 6144 + abi::SPILL_BYTES), 0xab);
  EXPECT_EQ(state_.Word(3, abi::LANE_KEPT), 0xffffffffu);
}

TEST_F(EntryTest, ASegmentThatDoesNotFitTraps) {
  image_ = {1, 0, 1,   static_cast<uint32_t>(Trap::kOutOfBoundsMemory), 77, kTrap + 1, 0, 0,
            2, 1, 0x99};
  Add(CallOf(kSum64, {}));
  Launch();
  ExpectEnd(5, End::kTrapped);
  EXPECT_EQ(Record(5)[abi::RECORD_TRAP], static_cast<uint32_t>(Trap::kOutOfBoundsMemory));
  EXPECT_EQ(Record(5)[abi::RECORD_TRAP_FUNCTION], 0xffffffffu);
  EXPECT_EQ(Record(5)[abi::RECORD_TRAP_OFFSET], 77u);
  EXPECT_EQ(Record(5)[abi::RECORD_STEP], 0u);
  EXPECT_EQ(state_.Byte(5, 2), 0x99);  // the segments before it are in place
}

TEST_F(EntryTest, MoreMemoryThanReservedIsAsked) {
  image_[0] = 3;
  Launch();
  EXPECT_EQ(Seat(0), +abi::SEAT_NEEDS_MEMORY);
  EXPECT_EQ(Record(0)[abi::RECORD_WANTED_PAGES], 0u);  // it starts again
}

TEST_F(EntryTest, GrowthBeyondTheReserveWaitsForIt) {
  columns_[1] = 1;
  columns_[2] = 2;
  columns_[3] = 3;
  Add(CallOf(kGrow, {{abi::OPERAND_COLUMN, 0, 1, {}}}, 0, 1));
  Launch();
  ExpectEnd(0, End::kReturned);
  ExpectEnd(1, End::kReturned);
  EXPECT_EQ(Register(1, 0), 1u);
  EXPECT_EQ(Record(1)[abi::RECORD_PAGES], 2u);
  for (int launch = 0; launch < 2; ++launch) {
    EXPECT_EQ(Seat(2), +abi::SEAT_NEEDS_MEMORY);
    EXPECT_EQ(Record(2)[abi::RECORD_WANTED_PAGES], 3u);
    EXPECT_EQ(state_.Word(2, abi::LANE_WANTED_PAGES), 3u);
    EXPECT_EQ(state_.Word(2, abi::LANE_RESUME), 1u);
    EXPECT_EQ(Record(2)[abi::RECORD_PAGES], 1u);
    EXPECT_EQ(Fuel(2), 3u);
    Launch();  // and goes on waiting
  }
  ExpectEnd(3, End::kReturned);
  EXPECT_EQ(Register(3, 0), 0xffffffffu);
  GoOn(2, 2, 2);  // too little
  Launch();
  EXPECT_EQ(Seat(2), +abi::SEAT_NEEDS_MEMORY);
  GoOn(2, 2, 3);
  Launch();
  ExpectEnd(2, End::kReturned);
  EXPECT_EQ(Register(2, 0), 1u);
  EXPECT_EQ(Record(2)[abi::RECORD_PAGES], 3u);
  EXPECT_EQ(Fuel(2), 3u);  // as where there was enough from the start
  EXPECT_EQ(Record(2)[abi::RECORD_WANTED_PAGES], 0u);
  EXPECT_EQ(state_.Word(2, abi::LANE_WANTED_PAGES), 0u);
}

// Fuel is compared at safepoints that ask for it: an instance that waits for memory is not told
// apart from one that had it from the start, however close to the limit it came.
TEST_F(EntryTest, AnInstanceThatWaitsForMemoryIsNotOutOfFuel) {
  for (uint32_t limit : {2u, 3u, 12u, 13u}) {
    SCOPED_TRACE(limit);
    Resize(2);
    steps_.clear();
    params_.max_fuel_lo = limit;
    params_.max_fuel_hi = 0;
    columns_[0] = 2;
    columns_[1] = 1;
    Add(CallOf(kGrow, {{abi::OPERAND_COLUMN, 0, 1, {}}}, 0, 1));
    Add(CallOf(kLoop, {Const(1)}, 1, 1));
    Launch();
    EXPECT_EQ(Seat(0), +abi::SEAT_NEEDS_MEMORY);
    EXPECT_EQ(Fuel(0), 3u);
    GoOn(0, 0, 3);
    Launch();
    for (uint32_t lane = 0; lane < 2; ++lane) {
      ExpectEnd(lane, limit < 3 + kRoundFuel ? End::kOutOfFuel : End::kReturned);
      EXPECT_EQ(Fuel(lane), 3 + kRoundFuel);
      EXPECT_EQ(Register(lane, 0), 1u);
    }
  }
}

TEST_F(EntryTest, OperandsComeFromConstantsColumnsAndRegisters) {
  for (uint32_t lane = 0; lane < params_.lanes; ++lane) {
    columns_[0 * params_.lanes + lane] = 0xffffffff - lane;
    columns_[1 * params_.lanes + lane] = lane;
  }
  Add(CallOf(kSum64, {{abi::OPERAND_CONST, 0, 2, {5, 1}}, {abi::OPERAND_COLUMN, 0, 2, {1, 0}}}, 0,
             2));
  Add(CallOf(kSum64,
             {{abi::OPERAND_REGISTER, 0, 2, {0xffffffff, 0xffffffff}},
              {abi::OPERAND_REGISTER, 0, 1, {3}},
              {abi::OPERAND_CONST, 0, 1, {0}}},
             2, 2));
  Launch();
  for (uint32_t lane = 0; lane < params_.lanes; ++lane) {
    const uint64_t column = (0xffffffffull - lane) | static_cast<uint64_t>(lane) << 32;
    const uint64_t first = 0x100000005ull + column + 1;
    EXPECT_EQ(Register(lane, 0) | static_cast<uint64_t>(Register(lane, 1)) << 32, first);
    const uint64_t second = first - 1 + static_cast<uint32_t>(first + 3);
    EXPECT_EQ(Register(lane, 2) | static_cast<uint64_t>(Register(lane, 3)) << 32, second);
  }
}

TEST_F(EntryTest, SixteenByteOperandsAreStagedWhole) {
  Add(CallOf(kSum64, {{abi::OPERAND_CONST, 0, 4, {1, 2, 3, 4}}}, 0, 2));
  Launch();
  EXPECT_EQ(Register(0, 0), 4u);
  EXPECT_EQ(Register(0, 1), 6u);
}

TEST_F(EntryTest, ATrapEndsTheInstance) {
  Add(CallOf(kSum64, {}));
  Add(CallOf(kTrap, {}));
  Add(CallOf(kSum64, {}));
  Launch();
  ExpectEnd(33, End::kTrapped);
  EXPECT_EQ(Record(33)[abi::RECORD_TRAP], static_cast<uint32_t>(Trap::kDivideByZero));
  EXPECT_EQ(Record(33)[abi::RECORD_TRAP_FUNCTION], +kTrap);
  EXPECT_EQ(Record(33)[abi::RECORD_TRAP_OFFSET], kernel_text::kTrapOffset);
  EXPECT_EQ(Record(33)[abi::RECORD_STEP], 2u);
  EXPECT_EQ(Fuel(33), 6u);
}

TEST_F(EntryTest, AStepMayGoOnAfterATrap) {
  Step trap = CallOf(kTrap, {}, 0, 2);
  trap.flags = abi::STEP_GO_ON;
  trap.trap_register = 4;
  Step fine = CallOf(kPeekGlobal, {}, 2, 2);
  fine.flags = abi::STEP_GO_ON;
  fine.trap_register = 7;
  Step write = {abi::STEP_WRITE, 0, {Const(65535), Const(0), Const(2)}, 0, 0, abi::STEP_GO_ON, 10};
  Add(trap);
  Add(fine);
  Add(write);
  Launch();
  ExpectEnd(0, End::kReturned);
  const uint32_t expected[] = {0, 0, 11, 22, 3,          kTrap,     kernel_text::kTrapOffset,
                               0, 0, 0,  2,  0xffffffff, 0xffffffff};
  for (uint32_t i = 0; i < std::size(expected); ++i) EXPECT_EQ(Register(0, i), expected[i]) << i;
  EXPECT_EQ(Record(0)[abi::RECORD_TRAP], 0u);
}

TEST_F(EntryTest, BytesInAndOut) {
  blob_ = {0x64636261, 0x68676665, 0x6c6b6a69};
  for (uint32_t lane = 0; lane < params_.lanes; ++lane) {
    columns_[0 * params_.lanes + lane] = lane % 5;      // blob offset
    columns_[1 * params_.lanes + lane] = lane % 7;      // length
    columns_[2 * params_.lanes + lane] = 9 + lane % 3;  // pointer
  }
  const Operand offset = {abi::OPERAND_COLUMN, 0, 1, {}};
  const Operand length = {abi::OPERAND_COLUMN, 1, 1, {}};
  const Operand pointer = {abi::OPERAND_COLUMN, 2, 1, {}};
  Add({abi::STEP_WRITE, 0, {pointer, offset, length}, 0, 0, 0, abi::NONE});
  Add({abi::STEP_READ, 0, {pointer, length}, 0, 2, 0, abi::NONE});
  Add({abi::STEP_READ, 0, {pointer, Const(6)}, 2, 2, 0, abi::NONE});
  Launch();
  for (uint32_t lane = 0; lane < params_.lanes; ++lane) {
    ASSERT_NO_FATAL_FAILURE(ExpectEnd(lane, End::kReturned));
    std::string bytes = std::string("abcdefghijkl").substr(lane % 5, lane % 7);
    EXPECT_EQ(Output(lane), bytes + (bytes + std::string(6, '\0')).substr(0, 6));
    EXPECT_EQ(Register(lane, 0), 0u);
    EXPECT_EQ(Register(lane, 1), lane % 7);
    EXPECT_EQ(Register(lane, 2), lane % 7);
    EXPECT_EQ(Register(lane, 3), 6u);
  }
}

TEST_F(EntryTest, AStoreWritesAWordWhereMemoryHasOne) {
  blob_ = {0x40404040, 0x40404040};
  for (uint32_t lane = 0; lane < params_.lanes; ++lane) columns_[lane] = lane << 24 | 7;
  const Operand word = {abi::OPERAND_COLUMN, 0, 1, {}};
  Add({abi::STEP_WRITE, 0, {Const(65528), Const(0), Const(8)}, 0, 0, 0, abi::NONE});
  Add({abi::STEP_STORE, 0, {Const(65529), word}, 0, 0, 0, abi::NONE});
  Add({abi::STEP_READ, 0, {Const(65528), Const(6)}, 0, 0, 0, abi::NONE});
  Add({abi::STEP_STORE, 0, {Const(65533), word}, 0, 0, 0, abi::NONE});
  Launch();
  for (uint32_t lane = 0; lane < params_.lanes; ++lane) {
    ASSERT_NO_FATAL_FAILURE(ExpectEnd(lane, End::kTrapped));
    EXPECT_EQ(Output(lane), std::string("@\x07\0\0", 4) + static_cast<char>(lane) + "@");
    EXPECT_EQ(Record(lane)[abi::RECORD_TRAP], static_cast<uint32_t>(Trap::kOutOfBoundsMemory));
    EXPECT_EQ(Record(lane)[abi::RECORD_STEP], 4u);
  }
}

TEST_F(EntryTest, OutputBeyondItsPartEndsTheInstance) {
  Add({abi::STEP_READ, 0, {Const(0), Const(kOutputBytes)}, 0, 0, 0, abi::NONE});
  Add({abi::STEP_READ, 0, {Const(0), Const(0)}, 0, 0, 0, abi::NONE});
  Add({abi::STEP_READ, 0, {Const(0), Const(1)}, 0, 0, 0, abi::NONE});
  Launch();
  ExpectEnd(0, End::kOutputLimit);
  EXPECT_EQ(Record(0)[abi::RECORD_OUT_BYTES], kOutputBytes);
  EXPECT_EQ(Record(0)[abi::RECORD_STEP], 3u);
}

TEST_F(EntryTest, AReadUntilZeroEndsBeforeIt) {
  blob_ = {0x64636261, 0x00006665, 0x00000067};
  Add({abi::STEP_WRITE, 0, {Const(9), Const(0), Const(9)}, 0, 0, 0, abi::NONE});
  const uint32_t flags = abi::STEP_UNTIL_ZERO;
  Add({abi::STEP_READ, 0, {Const(9), Const(16)}, 0, 2, flags, abi::NONE});
  Add({abi::STEP_READ, 0, {Const(10), Const(3)}, 2, 2, flags, abi::NONE});
  Add({abi::STEP_READ, 0, {Const(15), Const(16)}, 4, 2, flags, abi::NONE});
  Launch();
  ExpectEnd(0, End::kReturned);
  EXPECT_EQ(Output(0), "abcdefbcd");
  const uint32_t expected[] = {0, 6, 6, 3, 9, 0};
  for (uint32_t i = 0; i < std::size(expected); ++i) EXPECT_EQ(Register(0, i), expected[i]) << i;
}

TEST_F(EntryTest, AReadUntilZeroTrapsWhereMemoryEndsFirst) {
  blob_ = {0x64636261};
  Add({abi::STEP_WRITE, 0, {Const(65532), Const(0), Const(4)}, 0, 0, 0, abi::NONE});
  const uint32_t flags = abi::STEP_UNTIL_ZERO;
  Add({abi::STEP_READ, 0, {Const(65532), Const(4)}, 0, 2, flags, abi::NONE});
  Add({abi::STEP_READ, 0, {Const(65532), Const(5)}, 0, 2, flags, abi::NONE});
  Launch();
  ExpectEnd(0, End::kTrapped);
  EXPECT_EQ(Record(0)[abi::RECORD_TRAP], static_cast<uint32_t>(Trap::kOutOfBoundsMemory));
  EXPECT_EQ(Output(0), "abcd");
}

// Twenty bytes at the end of memory, without a zero: the output is full before memory ends.
TEST_F(EntryTest, AReadUntilZeroLooksNoFurtherThanTheOutputHolds) {
  blob_ = {0x64636261, 0x64636261, 0x64636261, 0x64636261, 0x64636261};
  Add({abi::STEP_WRITE, 0, {Const(65516), Const(0), Const(20)}, 0, 0, 0, abi::NONE});
  const uint32_t flags = abi::STEP_UNTIL_ZERO;
  Add({abi::STEP_READ, 0, {Const(65516), Const(0xffffffff)}, 0, 2, flags, abi::NONE});
  Launch();
  ExpectEnd(0, End::kOutputLimit);
  EXPECT_EQ(Record(0)[abi::RECORD_OUT_BYTES], 0u);
}

TEST_F(EntryTest, BytesOutOfBoundsTrap) {
  Add(CallOf(kPoke, {Const(65532), Const(1)}));
  Add({abi::STEP_READ, 0, {Const(65533), Const(4)}, 0, 0, 0, abi::NONE});
  Launch();
  ExpectEnd(0, End::kTrapped);
  EXPECT_EQ(Record(0)[abi::RECORD_TRAP], static_cast<uint32_t>(Trap::kOutOfBoundsMemory));
  EXPECT_EQ(Record(0)[abi::RECORD_TRAP_FUNCTION], 0xffffffffu);
  EXPECT_EQ(Record(0)[abi::RECORD_TRAP_OFFSET], 0xffffffffu);
}

}  // namespace
}  // namespace wb
