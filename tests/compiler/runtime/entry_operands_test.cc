// The kernel's entry: operands that come from globals and from memory.

#include <gtest/gtest.h>

#include <string>

#include "tests/compiler/runtime/entry_under_test.h"

namespace wb {
namespace {

// An operand that is followed through memory; `added` to each load.
Operand Loaded(Operand pointer, std::vector<uint32_t> added) {
  pointer.loads = static_cast<uint32_t>(added.size());
  std::copy(added.begin(), added.end(), pointer.value.begin() + 1);
  return pointer;
}

Operand Global(uint32_t word, uint32_t size, std::array<uint32_t, 4> added = {}) {
  return {abi::OPERAND_GLOBAL, word, size, added};
}

class EntryOperandsTest : public EntryTest {
 protected:
  // Memory as the image gives it to each lane: words by address, all of them multiples of 4.
  void SetMemory(std::vector<std::pair<uint32_t, uint32_t>> words) {
    image_ = {1, 4, static_cast<uint32_t>(words.size()), 0, 0, 0, 0, 0, 11, 22, 33, 44};
    for (const auto& [address, word] : words) image_.insert(image_.end(), {address, 4, word});
  }
  void ExpectTrapOfTheStep(uint32_t lane, uint32_t step) {
    ExpectEnd(lane, End::kTrapped);
    EXPECT_EQ(Record(lane)[abi::RECORD_TRAP], static_cast<uint32_t>(Trap::kOutOfBoundsMemory));
    EXPECT_EQ(Record(lane)[abi::RECORD_TRAP_FUNCTION], 0xffffffffu);
    EXPECT_EQ(Record(lane)[abi::RECORD_TRAP_OFFSET], 0xffffffffu);
    EXPECT_EQ(Record(lane)[abi::RECORD_STEP], step);
  }
};

TEST_F(EntryOperandsTest, GlobalsOfEverySize) {
  SetMemory({});
  Add(CallOf(kSum64, {Global(0, 2, {1, 0}), Global(2, 2)}, 0, 2));
  Add(CallOf(kSum64, {Global(0, 4)}, 2, 2));
  Add(CallOf(kSum64, {Global(3, 1, {6}), Const(0), Const(0), Const(0)}, 4, 2));
  Launch();
  for (uint32_t lane = 0; lane < params_.lanes; ++lane) {
    ASSERT_NO_FATAL_FAILURE(ExpectEnd(lane, End::kReturned));
    const uint32_t expected[] = {11 + 33 + 1, 22 + 44, 11 + 33, 22 + 44, 44 + 6, 0};
    for (uint32_t i = 0; i < std::size(expected); ++i) EXPECT_EQ(Register(lane, i), expected[i]);
  }
}

TEST_F(EntryOperandsTest, AGlobalIsReadWhenItsStepBegins) {
  Add(CallOf(kStart, {}));  // adds 100 to it
  Add(CallOf(kSum64, {Global(0, 1), Const(0), Const(0), Const(0)}, 0, 2));
  Launch();
  EXPECT_EQ(Register(0, 0), 111u);
}

TEST_F(EntryOperandsTest, LoadsFollowOneAnother) {
  SetMemory({{12, 96}, {100, 200}, {208, 0xfffffff0}});
  columns_[0] = 2;
  columns_[1] = 50;
  const Operand column = {abi::OPERAND_COLUMN, 0, 1, {10}};  // 12, 60 and 10
  Add(CallOf(kSum64, {Loaded(column, {4}), Const(0), Const(0), Const(0)}, 0, 1));
  Add(CallOf(kSum64, {Loaded(Const(12), {4, 8, 17}), Loaded(Const(100), {0}), Const(0), Const(0)},
             1, 2));
  Add(CallOf(kSum64, {Loaded({abi::OPERAND_REGISTER, 0, 1, {}}, {0}), Const(0), Const(0), Const(0)},
             3, 1));
  Launch();
  EXPECT_EQ(Register(0, 0), 100u);
  EXPECT_EQ(Register(0, 3), 200u);
  ExpectTrapOfTheStep(2, 3);  // what it loaded first is no address
  for (uint32_t lane : {0u, 1u}) {
    ASSERT_NO_FATAL_FAILURE(ExpectEnd(lane, End::kReturned));
    EXPECT_EQ(Register(lane, 1), 1u);  // 0xfffffff0 + 17
    EXPECT_EQ(Register(lane, 2), 200u);
  }
  EXPECT_EQ(Register(1, 0), 4u);  // of a zero
  EXPECT_EQ(Register(2, 0), (96u << 16) + 4);
}

TEST_F(EntryOperandsTest, AnAddressNeedsNoAlignment) {
  SetMemory({{40, 0x44332211}, {44, 0x88776655}});
  Add(CallOf(kSum64, {Loaded(Const(41), {0}), Loaded(Const(43), {0}), Const(0), Const(0)}, 0, 2));
  Launch();
  EXPECT_EQ(Register(7, 0), 0x55443322u);
  EXPECT_EQ(Register(7, 1), 0x77665544u);
}

TEST_F(EntryOperandsTest, ALoadOutOfBoundsTrapsAndTheCallIsNotMade) {
  SetMemory({{65532, 7}, {0, 65533}});
  columns_[0] = 65532;
  columns_[1] = 65533;
  columns_[2] = 0xffffffff;
  Add(CallOf(kStart, {Loaded({abi::OPERAND_COLUMN, 0, 1, {}}, {0})}));
  Launch();
  ExpectEnd(0, End::kReturned);
  EXPECT_EQ(Fuel(0), 3u);
  for (uint32_t lane : {1u, 2u}) {
    ExpectTrapOfTheStep(lane, 1);
    EXPECT_EQ(Fuel(lane), 0u);
    EXPECT_EQ(state_.Word(lane, kernel_text::WB_GLOBALS_AT), 11u);
  }
}

TEST_F(EntryOperandsTest, AfterALoadOutOfBoundsNoneFollows) {
  SetMemory({{0, 65533}, {8, 5}});
  Add(CallOf(kSum64, {Loaded(Const(0), {0, 8, 0}), Const(0), Const(0), Const(0)}));
  Launch();
  ExpectTrapOfTheStep(0, 1);
}

TEST_F(EntryOperandsTest, AStepGoesOnAfterALoadOutOfBounds) {
  Step bad = CallOf(kStart, {Loaded(Const(65533), {0})}, 0, 1);
  bad.flags = abi::STEP_GO_ON;
  bad.trap_register = 1;
  Add(bad);
  Add(CallOf(kSum64, {Global(0, 1), Const(0), Const(0), Const(0)}, 4, 1));
  Launch();
  ExpectEnd(0, End::kReturned);
  const uint32_t expected[] = {0, static_cast<uint32_t>(Trap::kOutOfBoundsMemory), 0xffffffff,
                               0xffffffff, 11};
  for (uint32_t i = 0; i < std::size(expected); ++i) EXPECT_EQ(Register(0, i), expected[i]) << i;
}

TEST_F(EntryOperandsTest, WritesAndReadsFollowPointers) {
  SetMemory({{16, 100}, {20, 6}});
  blob_ = {0x64636261, 0x6665};
  Add({abi::STEP_WRITE, 0, {Loaded(Const(16), {2}), Const(0), Const(6)}, 0, 0, 0, abi::NONE});
  Add({abi::STEP_READ, 0, {Loaded(Const(16), {2}), Loaded(Const(20), {0})}, 0, 2, 0, abi::NONE});
  Launch();
  for (uint32_t lane = 0; lane < params_.lanes; ++lane) {
    ASSERT_NO_FATAL_FAILURE(ExpectEnd(lane, End::kReturned));
    EXPECT_EQ(Output(lane), "abcdef");
    EXPECT_EQ(Register(lane, 1), 6u);
  }
}

TEST_F(EntryOperandsTest, WritesAndReadsTrapWhereAPointerIsOutOfBounds) {
  const Operand bad = Loaded(Const(65533), {0});
  const Step steps[] = {{abi::STEP_WRITE, 0, {bad, Const(0), Const(0)}, 0, 0, 0, abi::NONE},
                        {abi::STEP_READ, 0, {bad, Const(0)}, 0, 0, 0, abi::NONE},
                        {abi::STEP_READ, 0, {Const(0), bad}, 0, 0, 0, abi::NONE}};
  for (const Step& step : steps) {
    BeginAnew(2, 1000, 1000);
    Add(step);
    Launch();
    ExpectTrapOfTheStep(0, 1);
    EXPECT_EQ(Record(0)[abi::RECORD_OUT_BYTES], 0u);
  }
}

}  // namespace
}  // namespace wb
