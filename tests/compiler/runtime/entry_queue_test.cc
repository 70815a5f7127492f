// The kernel's entry where seats are queued: lanes take one after the other.

#include <gtest/gtest.h>

#include <string>

#include "tests/compiler/runtime/entry_under_test.h"

namespace wb {
namespace {

class EntryQueueTest : public EntryTest {
 protected:
  static constexpr uint32_t kDifferent = 7;
  // Every seat runs a few rounds, by its number.
  void AddRounds() {
    for (uint32_t seat = 0; seat < params_.seats; ++seat) columns_[seat] = seat % kDifferent;
    Add(CallOf(kLoop, {{abi::OPERAND_COLUMN, 0, 1, {}}}, 0, 1));
  }
  void ExpectAllReturned() {
    for (uint32_t seat = 0; seat < params_.seats; ++seat) {
      ASSERT_NO_FATAL_FAILURE(ExpectEnd(seat, End::kReturned));
      EXPECT_EQ(Register(seat, 0), seat % kDifferent);
      EXPECT_EQ(Fuel(seat), seat % kDifferent * kRoundFuel);
    }
  }
};

TEST_F(EntryQueueTest, EverySeatEndsOnceHoweverFewLanesAndHoweverCut) {
  for (uint32_t lanes : {1u, 3u, 40u}) {
    for (uint32_t slice : {1u, 25u, 1u << 20}) {
      SCOPED_TRACE(std::to_string(lanes) + " " + std::to_string(slice));
      Queue(lanes, 200);  // more than a lane looks at in a row
      steps_.clear();
      AddRounds();
      params_.slice_hi = 0;
      params_.slice_lo = slice;
      params_.slice_step = 3;
      params_.quantum = 13;
      LaunchToEnd();
      ExpectAllReturned();
    }
  }
}

TEST_F(EntryQueueTest, AStopLeavesTheRestWaitingAndHeldSeatsGoOn) {
  Queue(2, 9);
  AddRounds();
  params_.quantum = kRoundFuel;
  stop_ = 1;
  for (uint32_t seat = 0; seat < 9; ++seat) columns_[seat] = 100;
  Launch();
  EXPECT_EQ(CountSeats(abi::SEAT_RUNNING), 2u);
  EXPECT_EQ(CountSeats(abi::SEAT_START), 7u);
  Launch();
  EXPECT_EQ(Seat(0), +abi::SEAT_RUNNING);
  EXPECT_EQ(Fuel(0), 4 * kRoundFuel);  // two in each launch, as everywhere
  EXPECT_EQ(CountSeats(abi::SEAT_RUNNING), 2u);
}

// A lane forgets what it held when the host took the seat away.
TEST_F(EntryQueueTest, ASeatThatWasTakenAwayIsNotRun) {
  Queue(1, 3);
  AddRounds();
  params_.quantum = kRoundFuel;
  stop_ = 1;
  columns_[0] = 100;
  Launch();
  ASSERT_EQ(Seat(0), +abi::SEAT_RUNNING);
  Record(0)[abi::RECORD_SEAT] = abi::SEAT_EMPTY;
  const uint64_t fuel = Fuel(0);
  stop_ = 0;
  Launch();
  EXPECT_EQ(Seat(0), +abi::SEAT_EMPTY);
  EXPECT_EQ(Fuel(0), fuel);
  EXPECT_EQ(CountSeats(abi::SEAT_DONE), 2u);
}

TEST_F(EntryQueueTest, WhatMustStartWithMoreMemoryGivesItsLaneToTheNext) {
  Queue(1, 5);
  image_[0] = 3;
  Launch();
  EXPECT_EQ(CountSeats(abi::SEAT_NEEDS_MEMORY), 5u);
  EXPECT_EQ(Record(4)[abi::RECORD_QUEUED], 0u);
}

// One that waits for memory has the lane, which is idle, until the host does something about it.
TEST_F(EntryQueueTest, WhatWaitsForMemoryKeepsItsLane) {
  for (bool goes_on : {true, false}) {
    Queue(1, 5);
    steps_.clear();
    for (uint32_t seat = 0; seat < 5; ++seat) columns_[seat] = seat == 1 ? 2 : 0;
    Add(CallOf(kGrow, {{abi::OPERAND_COLUMN, 0, 1, {}}}, 0, 1));
    for (uint32_t launch = 0; launch < 2; ++launch) {
      Launch();
      EXPECT_EQ(idle_, launch == 0 ? 1u : 0u);
      EXPECT_EQ(Seat(1), +abi::SEAT_NEEDS_MEMORY);
      EXPECT_EQ(Record(1)[abi::RECORD_WANTED_PAGES], 3u);
      EXPECT_EQ(CountSeats(abi::SEAT_DONE), 1u);
      EXPECT_EQ(CountSeats(abi::SEAT_START), 3u);
    }
    if (goes_on) {
      GoOn(0, 1, 3);
    } else {
      Record(1)[abi::RECORD_SEAT] = abi::SEAT_EMPTY;
    }
    Launch();
    EXPECT_EQ(CountSeats(abi::SEAT_DONE), goes_on ? 5u : 4u);
    EXPECT_EQ(Fuel(1), 3u);
    EXPECT_EQ(Register(4, 0), 1u);
  }
}

// The instance that left the seat has gone, and another one has been started there by another lane
// before the one that had it looks.
TEST_F(EntryQueueTest, ASeatThatAnotherLaneRunsIsNotRunTwice) {
  for (bool waits : {true, false}) {
    Queue(2, 2);
    steps_.clear();
    AddRounds();
    Add(CallOf(kGrow, {{abi::OPERAND_COLUMN, 2, 1, {}}}, 0, 1));
    Add(CallOf(kLoop, {Const(9)}, 1, 1));
    columns_[0] = columns_[1] = waits ? 0 : 9;
    for (uint32_t seat = 0; seat < 2; ++seat) columns_[2 * params_.seats + seat] = waits ? 2 : 0;
    params_.quantum = kRoundFuel;
    stop_ = waits ? 0 : 1;
    Launch();
    stop_ = 1;
    EXPECT_EQ(CountSeats(waits ? abi::SEAT_NEEDS_MEMORY : abi::SEAT_RUNNING), 2u);
    ASSERT_EQ(state_.Word(1, abi::LANE_SEAT), 2u);
    Record(0)[abi::RECORD_SEAT] = abi::SEAT_EMPTY;
    columns_[1] = 9;
    Start(1);
    Launch();  // in the first lane
    EXPECT_EQ(Seat(1), +abi::SEAT_RUNNING);
    EXPECT_EQ(Fuel(1), 2 * kRoundFuel);
    Launch();
    EXPECT_EQ(Fuel(1), 4 * kRoundFuel);
  }
}

// A lane beyond those that take seats ends what it holds, and nothing else; nor does it hold on to
// the seat when another instance has it.
TEST_F(EntryQueueTest, LanesThatTakeNothingEndWhatTheyHold) {
  Queue(4, 12);
  AddRounds();
  for (uint32_t seat = 0; seat < 12; ++seat) columns_[seat] = 9;
  params_.quantum = kRoundFuel;
  stop_ = 1;
  Launch();
  ASSERT_EQ(CountSeats(abi::SEAT_RUNNING), 4u);
  params_.takers = 1;
  Launch();
  EXPECT_EQ(CountSeats(abi::SEAT_RUNNING), 4u);
  EXPECT_EQ(Fuel(3), 4 * kRoundFuel);  // two in each launch
  Record(0)[abi::RECORD_SEAT] = abi::SEAT_EMPTY;
  params_.takers = 0;
  stop_ = 0;
  Launch();
  EXPECT_EQ(CountSeats(abi::SEAT_DONE), 3u);
  EXPECT_EQ(CountSeats(abi::SEAT_START), 8u);
  Start(3);
  params_.takers = 1;
  stop_ = 1;
  Launch();
  ASSERT_EQ(CountSeats(abi::SEAT_RUNNING), 1u);
  const uint64_t before = Fuel(3);
  ASSERT_EQ(Seat(3), +abi::SEAT_RUNNING);
  Launch();
  EXPECT_EQ(Fuel(3), before + 2 * kRoundFuel);  // of one lane
}

// The grid has more threads than lanes, whatever the host says.
TEST_F(EntryQueueTest, AThreadThatIsNoLaneTakesNothing) {
  Queue(2, 30);
  AddRounds();
  params_.takers = 5;
  params_.slice_hi = 0;
  params_.slice_lo = kRoundFuel;
  Launch();
  EXPECT_LE(CountSeats(abi::SEAT_RUNNING), 2u);
  EXPECT_GT(CountSeats(abi::SEAT_START), 10u);
}

TEST_F(EntryQueueTest, EverySeatEndsOnceHoweverManyLanesTakeThemInTurns) {
  Queue(40, 200);
  AddRounds();
  params_.slice_hi = 0;
  params_.slice_lo = 2 * kRoundFuel;
  params_.quantum = kRoundFuel;
  uint32_t launches = 0;
  while (CountSeats(abi::SEAT_DONE) < 200 && launches < 1000) {
    params_.takers = launches++ * 13 % 41;
    Launch();
  }
  ExpectAllReturned();
}

// What the instance before wrote and grew is gone.
TEST_F(EntryQueueTest, ALaneIsFreshForEverySeat) {
  Queue(1, 4);
  for (uint32_t seat = 0; seat < 4; ++seat) columns_[seat] = seat;
  Add(CallOf(kGrow, {Const(1)}, 0, 1));
  Add({abi::STEP_READ, 0, {Const(65536 + 4), Const(4)}, 1, 2, 0, abi::NONE});
  Add(CallOf(kPoke, {Const(65536 + 4), {abi::OPERAND_COLUMN, 0, 1, {0x61616161}}}));
  Launch();
  for (uint32_t seat = 0; seat < 4; ++seat) {
    ASSERT_NO_FATAL_FAILURE(ExpectEnd(seat, End::kReturned));
    EXPECT_EQ(Register(seat, 0), 1u);
    EXPECT_EQ(Output(seat), std::string(4, '\0'));
  }
}

// Lanes of a thread each would idle together; here one runs after the other, so the first one finds
// the queue empty and the second, which comes later, has nothing but what it held.
TEST_F(EntryQueueTest, TooManyIdleLanesEndTheLaunch) {
  Queue(2, 4);
  AddRounds();
  params_.quantum = kRoundFuel;
  stop_ = 1;
  for (uint32_t seat = 0; seat < 4; ++seat) columns_[seat] = seat == 0 ? 1 : 6;
  Launch();  // seat 0 ends or is left, seat 1 is held by the other lane
  stop_ = 0;
  params_.most_idle = 0;
  Launch();
  EXPECT_EQ(idle_, 1u);
  EXPECT_EQ(CountSeats(abi::SEAT_RUNNING), 1u);
  params_.most_idle = ~0u;
  Launch();
  EXPECT_EQ(CountSeats(abi::SEAT_DONE), 4u);
}

}  // namespace
}  // namespace wb
