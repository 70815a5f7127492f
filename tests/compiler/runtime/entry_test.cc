// The kernel's entry, for one layout, driven by a written-out wb_call: starts, steps, operands,
// traps, fuel, slices, the stop word, output.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "tests/compiler/runtime/lane_state.h"
#include "tests/compiler/runtime/layout_under_test.h"

namespace wb {
namespace kernel_text {

// Functions of the imagined module. A loop round costs kRoundFuel and begins with a safepoint.
enum Functions : uint { kSum64, kLoop, kTrap, kGrow, kPoke, kStart, kPeekGlobal, kAsk };
constexpr uint kRoundFuel = 10;
constexpr uint kTrapOffset = 0x1234;

// kAsk: a safepoint before which nothing is paid. kLoop(n): n rounds; results n and the rounds made
// since the last resumption.
static WbEnd RunLoop(wb_lane L, uint fuel, uint resume) {
  WbEnd end = {WB_RETURNED, fuel};
  uint left = resume != 0 ? wb_get(L, WB_FRAMES_AT + 1) : wb_get(L, WB_LANE_STAGE);
  uint all = resume != 0 ? wb_get(L, WB_FRAMES_AT + 2) : left;
  uint rounds = 0;
  bool passes = resume != 0;  // the safepoint that it left at, without asking again
  while (end.w == WB_RETURNED && left != 0) {
    if (!passes) end.fuel -= kRoundFuel;
    if (!passes && wb_spent(end.fuel)) {
      end.w = WB_LEFT;
      wb_put(L, WB_FRAMES_AT + 1, left);
      wb_put(L, WB_FRAMES_AT + 2, all);
    } else {
      --left;
      ++rounds;
    }
    passes = false;
  }
  if (end.w == WB_RETURNED) {
    wb_put(L, WB_LANE_STAGE, all);
    wb_put(L, WB_LANE_STAGE + 1, rounds);
  }
  return end;
}

static WbEnd wb_call(wb_lane L, bool active, uint function, uint fuel, uint resume) {
  if (!active) return {WB_RETURNED, fuel};
  WbEnd end = {WB_RETURNED, fuel - 3};
  switch (function) {
    case kSum64:
      wb_put64(L, WB_LANE_STAGE, wb_get64(L, WB_LANE_STAGE) + wb_get64(L, WB_LANE_STAGE + 2));
      break;
    case kAsk: return {resume == 0 && wb_spent(fuel) ? WB_LEFT : WB_RETURNED, fuel};
    case kLoop: return RunLoop(L, fuel, resume);
    case kTrap:
      wb_trap(L, 0x80000000u | WB_TRAP_DIVIDE_BY_ZERO << 26 | kTrapOffset, kTrap);
      end.w = WB_TRAPPED;
      break;
    case kGrow: {
      uint pages = wb_memory_grow(L, wb_get(L, WB_LANE_STAGE));
      wb_put(L, WB_LANE_STAGE, pages);
      if (pages == 0xfffffffeu) end.w = WB_NEEDS_MEMORY;
      break;
    }
    case kPoke:
      wb_poke32(wb_memory(L), wb_get(L, WB_LANE_STAGE), wb_get(L, WB_LANE_STAGE + 1));
      break;
    case kStart: wb_put(L, WB_GLOBALS_AT, wb_get(L, WB_GLOBALS_AT) + 100); break;
    default: wb_put64(L, WB_LANE_STAGE, wb_get64(L, WB_GLOBALS_AT)); break;
  }
  return end;
}

#include "compiler/runtime/as_cpp_kernel.inc"

}  // namespace kernel_text

#include "compiler/runtime/as_cpp_end.inc"

namespace {

using kernel_text::kAsk;
using kernel_text::kGrow;
using kernel_text::kLoop;
using kernel_text::kPeekGlobal;
using kernel_text::kPoke;
using kernel_text::kRoundFuel;
using kernel_text::kStart;
using kernel_text::kSum64;
using kernel_text::kTrap;

static_assert(sizeof(kernel_text::WbParams) == sizeof(abi::Params));

constexpr uint32_t kRegisters = 16;
constexpr uint32_t kOutputBytes = 16;

// An operand: where from, its size in words, and the constant or addend.
struct Operand {
  uint32_t source = abi::OPERAND_CONST;
  uint32_t at = 0;
  uint32_t size = 1;
  std::array<uint32_t, 4> value{};
};
Operand Const(uint32_t value) { return {abi::OPERAND_CONST, 0, 1, {value}}; }

struct Step {
  uint32_t kind = abi::STEP_CALL;
  uint32_t function = 0;
  std::vector<Operand> operands;
  uint32_t results = 0;
  uint32_t result_words = 0;
  uint32_t flags = 0;
  uint32_t trap_register = abi::NONE;
};

// Lanes, their records and inputs, and launches of the kernel over them.
class EntryTest : public ::testing::Test {
 protected:
  EntryTest() { Resize(40); }

  void Resize(uint32_t lanes) {
    params_.lanes = lanes;
    params_.record_words = abi::RECORD_REGISTERS + kRegisters + kOutputBytes / 4;
    params_.output_at = abi::RECORD_REGISTERS + kRegisters;
    params_.output_bytes = kOutputBytes;
    params_.capacity_pages = 2;
    params_.max_pages = 3;
    params_.max_stack = 32768;
    params_.frames_at = kernel_text::WB_FRAMES_AT;
    params_.quantum = 1u << 20;
    params_.slice_hi = 1u << 20;
    params_.max_fuel_lo = params_.max_fuel_hi = ~0u;
    state_ = LaneState(lanes, params_.capacity_pages);
    state_.Fill(0xabababab);
    params_.lane_words_lo = static_cast<uint32_t>(state_.lane_words());
    records_.assign(lanes * params_.record_words, 0xcdcdcdcd);
    for (uint32_t lane = 0; lane < lanes; ++lane) Record(lane)[abi::RECORD_SEAT] = abi::SEAT_START;
    columns_.assign(4 * lanes, 0);
  }

  void Add(const Step& step) { steps_.push_back(step); }

  void Launch() {
    std::vector<uint32_t> program = Encode();
    params_.steps = static_cast<uint32_t>(steps_.size());
    kernel_text::WbParams params;
    std::memcpy(&params, &params_, sizeof params);
    metal::atomic_uint control[abi::CONTROL_WORDS] = {};
    control[abi::CONTROL_STOP].value = stop_;
    for (uint32_t gid = 0; gid < params_.lanes + 3; ++gid) {  // the grid is rounded up
      kernel_text::wb_main(state_.data(), records_.data(), program.data(), columns_.data(),
                           blob_.data(), image_.data(), control, params, gid);
    }
  }

  // Launches until no seat runs; returns how often.
  int LaunchToEnd() {
    int launches = 0;
    bool running = true;
    while (running && launches < 1000) {
      Launch();
      ++launches;
      running = false;
      for (uint32_t lane = 0; lane < params_.lanes; ++lane) {
        running |= Seat(lane) == abi::SEAT_RUNNING;
      }
    }
    return launches;
  }

  uint32_t* Record(uint32_t lane) { return records_.data() + lane * params_.record_words; }
  uint32_t Seat(uint32_t lane) { return Record(lane)[abi::RECORD_SEAT]; }
  uint32_t End(uint32_t lane) { return Record(lane)[abi::RECORD_END]; }
  uint32_t Register(uint32_t lane, uint32_t i) { return Record(lane)[abi::RECORD_REGISTERS + i]; }
  uint64_t Fuel(uint32_t lane) {
    return Record(lane)[abi::RECORD_FUEL_LO] |
           static_cast<uint64_t>(Record(lane)[abi::RECORD_FUEL_HI]) << 32;
  }
  std::string Output(uint32_t lane) {
    const uint32_t bytes = Record(lane)[abi::RECORD_OUT_BYTES];
    return std::string(reinterpret_cast<char*>(Record(lane) + params_.output_at), bytes);
  }
  void ExpectEnd(uint32_t lane, wb::End end) {
    ASSERT_EQ(Seat(lane), +abi::SEAT_DONE) << "lane " << lane;
    ASSERT_EQ(End(lane), static_cast<uint32_t>(end)) << "lane " << lane;
  }

  abi::Params params_;
  LaneState state_{1, 1};
  std::vector<uint32_t> records_;
  std::vector<uint32_t> columns_;
  std::vector<uint32_t> blob_ = {0};
  // min pages, global words, ranges, trap, trap offset, start + 1, 0, 0; the globals.
  std::vector<uint32_t> image_ = {1, 2, 0, 0, 0, 0, 0, 0, 11, 22};
  std::vector<Step> steps_;
  uint32_t stop_ = 0;

 private:
  std::vector<uint32_t> Encode() const {
    std::vector<uint32_t> words(steps_.size() * abi::STEP_WORDS);
    for (size_t i = 0; i < steps_.size(); ++i) {
      const Step& step = steps_[i];
      const uint32_t head[abi::STEP_WORDS] = {step.kind,
                                              step.flags,
                                              step.function,
                                              static_cast<uint32_t>(words.size()),
                                              static_cast<uint32_t>(step.operands.size()),
                                              step.results,
                                              step.result_words,
                                              step.trap_register};
      std::copy_n(head, abi::STEP_WORDS, words.begin() + i * abi::STEP_WORDS);
      for (const Operand& operand : step.operands) {
        words.insert(words.end(), {operand.source, operand.at, operand.size, 0});
        words.insert(words.end(), operand.value.begin(), operand.value.end());
      }
    }
    return words;
  }
};

Step CallOf(uint32_t function, std::vector<Operand> operands, uint32_t results = 0,
            uint32_t result_words = 0) {
  return {abi::STEP_CALL, function, std::move(operands), results, result_words, 0, abi::NONE};
}

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
  EXPECT_EQ(state_.Word(3, abi::LANE_MEMORY_IS_ZERO), 1u);
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
}

TEST_F(EntryTest, GrowthBeyondTheReserveIsAsked) {
  columns_[1] = 1;
  columns_[2] = 2;
  columns_[3] = 3;
  Add(CallOf(kGrow, {{abi::OPERAND_COLUMN, 0, 1, {}}}, 0, 1));
  Launch();
  ExpectEnd(0, End::kReturned);
  ExpectEnd(1, End::kReturned);
  EXPECT_EQ(Register(1, 0), 1u);
  EXPECT_EQ(Record(1)[abi::RECORD_PAGES], 2u);
  EXPECT_EQ(Seat(2), +abi::SEAT_NEEDS_MEMORY);
  ExpectEnd(3, End::kReturned);
  EXPECT_EQ(Register(3, 0), 0xffffffffu);
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

TEST_F(EntryTest, OutOfFuelIsExactWhateverTheSlices) {
  for (uint32_t slice : {1u, 11u, 1u << 20}) {
    for (uint32_t limit : {0u, 9u, 10u, 35u, 100u}) {
      SCOPED_TRACE(std::to_string(slice) + " " + std::to_string(limit));
      Resize(2);
      steps_.clear();
      params_.slice_hi = 0;
      params_.slice_lo = slice;
      params_.max_fuel_lo = limit;
      params_.max_fuel_hi = 0;
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

TEST_F(EntryTest, OutputBeyondItsPartEndsTheInstance) {
  Add({abi::STEP_READ, 0, {Const(0), Const(kOutputBytes)}, 0, 0, 0, abi::NONE});
  Add({abi::STEP_READ, 0, {Const(0), Const(0)}, 0, 0, 0, abi::NONE});
  Add({abi::STEP_READ, 0, {Const(0), Const(1)}, 0, 0, 0, abi::NONE});
  Launch();
  ExpectEnd(0, End::kOutputLimit);
  EXPECT_EQ(Record(0)[abi::RECORD_OUT_BYTES], kOutputBytes);
  EXPECT_EQ(Record(0)[abi::RECORD_STEP], 3u);
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
