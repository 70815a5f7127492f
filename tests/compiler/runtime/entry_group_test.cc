// The kernel's entry on lanes of one group that vote, each a thread, as on a GPU: lanes that begin
// a call come to its first safepoint apart from those that resume. A program of its own, since
// votes are another function here than in the other tests.

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "tests/compiler/runtime/voting_group.h"

namespace metal {
bool simd_any_of_group(bool vote);
unsigned simd_min_of_group(unsigned value);
unsigned simd_sum_of_group(unsigned value);
}  // namespace metal
#include "tests/compiler/runtime/layout_under_test.h"
#define simd_any simd_any_of_group
#define simd_min simd_min_of_group
#define simd_sum simd_sum_of_group
#include "tests/compiler/runtime/entry_under_test.h"

namespace {

thread_local wb::VotingGroup* own_group = nullptr;

}  // namespace

bool metal::simd_any_of_group(bool vote) { return own_group->Vote(vote ? 1 : 0).sum != 0; }
unsigned metal::simd_min_of_group(unsigned value) { return own_group->Vote(value).least; }
unsigned metal::simd_sum_of_group(unsigned value) { return own_group->Vote(value).sum; }

namespace wb {
namespace {

class EntryGroupTest : public EntryTest {
 protected:
  void RunGrid(uint32_t threads, const std::function<void(uint32_t gid)>& run) override {
    VotingGroup group(threads);
    std::vector<std::thread> lanes;
    for (uint32_t gid = 0; gid < threads; ++gid) {
      lanes.emplace_back([&, gid] {
        own_group = &group;
        run(gid);
      });
    }
    for (std::thread& lane : lanes) lane.join();
  }
};

TEST_F(EntryGroupTest, LanesThatBeginAndLanesThatResumeComeToTheSame) {
  constexpr uint32_t kLongest = 23;
  for (uint32_t quantum : {1u, kRoundFuel, 3 * kRoundFuel, 1u << 20}) {
    for (uint32_t slice : {25u, 1u << 20}) {
      SCOPED_TRACE(std::to_string(quantum) + " " + std::to_string(slice));
      Queue(7, 60);
      steps_.clear();
      for (uint32_t seat = 0; seat < 60; ++seat) columns_[seat] = seat * 5 % kLongest;
      Add(CallOf(kLoop, {{abi::OPERAND_COLUMN, 0, 1, {}}}, 0, 1));
      Add(CallOf(kLoop, {Const(3)}, 1, 1));
      params_.slice_hi = 0;
      params_.slice_lo = slice;
      params_.quantum = quantum;
      LaunchToEnd();
      for (uint32_t seat = 0; seat < 60; ++seat) {
        ASSERT_NO_FATAL_FAILURE(ExpectEnd(seat, End::kReturned));
        EXPECT_EQ(Register(seat, 0), seat * 5 % kLongest);
        EXPECT_EQ(Register(seat, 1), 3u);
        EXPECT_EQ(Fuel(seat), (seat * 5 % kLongest + 3) * kRoundFuel);
      }
    }
  }
}

// Of lengths that are nearly equal: the lane that ends first waits, so that at any time all are
// about as far.
TEST_F(EntryGroupTest, InstancesOfALengthBeginTogether) {
  Queue(7, 63);
  for (uint32_t seat = 0; seat < 63; ++seat) columns_[seat] = 44 + seat * 5 % 4;
  Add(CallOf(kLoop, {{abi::OPERAND_COLUMN, 0, 1, {}}}, 0, 1));
  params_.quantum = 4 * kRoundFuel;
  stop_ = 1;
  int launches = 0;
  while (CountSeats(abi::SEAT_DONE) < 63 && ++launches < 300) {
    Launch();
    uint64_t least = ~0ull, most = 0;
    for (uint32_t seat = 0; seat < 63; ++seat) {
      if (Seat(seat) != abi::SEAT_RUNNING) continue;
      least = std::min(least, Fuel(seat));
      most = std::max(most, Fuel(seat));
    }
    const uint64_t apart = most == 0 ? 0 : most - least;
    EXPECT_LE(apart, 2 * params_.quantum) << "launch " << launches;
  }
  EXPECT_EQ(CountSeats(abi::SEAT_DONE), 63u);
  EXPECT_LE(launches, 9 * 13);
}

// A lane that is elsewhere delays no other, nor does one that never comes to an end.
TEST_F(EntryGroupTest, NoLaneWaitsForOneOfAnotherLength) {
  constexpr uint32_t kLong = 400;
  Queue(7, 43);
  for (uint32_t seat = 0; seat < 43; ++seat) columns_[seat] = seat == 3 ? kLong : 40;
  Add(CallOf(kLoop, {{abi::OPERAND_COLUMN, 0, 1, {}}}, 0, 1));
  params_.quantum = 4 * kRoundFuel;
  stop_ = 1;
  int launches = 0;
  for (; CountSeats(abi::SEAT_DONE) < 42 && launches < 300; ++launches) Launch();
  EXPECT_EQ(Seat(3), +abi::SEAT_RUNNING);
  EXPECT_LE(launches, 7 * 13);
  LaunchToEnd();
  EXPECT_EQ(CountSeats(abi::SEAT_DONE), 43u);
}

// With the hint that lengths differ, no lane waits: as the test before last, but a lane that has
// ended is in its next instance in the same launch.
TEST_F(EntryGroupTest, NoLaneWaitsWhereTheJobSaysThatLengthsDiffer) {
  for (const uint32_t wait : {2u, 0u}) {
    Queue(2, 9);
    steps_.clear();
    for (uint32_t seat = 0; seat < 9; ++seat) columns_[seat] = seat == 0 ? 48 : 40;
    Add(CallOf(kLoop, {{abi::OPERAND_COLUMN, 0, 1, {}}}, 0, 1));
    params_.quantum = 8 * kRoundFuel;
    params_.group_wait = wait;
    stop_ = 1;
    while (Seat(1) != abi::SEAT_DONE) Launch();
    Launch();
    EXPECT_EQ(Seat(2), +(wait == 0 ? abi::SEAT_RUNNING : abi::SEAT_START)) << wait;
  }
}

// Lane 0 has ended its instance, lane 1 runs one.
TEST_F(EntryGroupTest, AHintSaysForWhomALaneWaits) {
  constexpr uint kQuantum = 100;
  Queue(2, 9);
  const auto waits = [this](uint32_t ended, uint32_t running, uint32_t quanta) {
    std::array<bool, 2> votes{};
    RunGrid(2, [&](uint32_t gid) {
      const auto lane = kernel_text::wb_lane_at(state_.data(), gid, state_.lane_words());
      kernel_text::wb_put(lane, abi::LANE_FUEL_LO, gid == 0 ? ended : running);
      votes[gid] =
          kernel_text::wb_waits_for_group(lane, gid == 1, gid == 0, kQuantum, quanta * kQuantum);
    });
    EXPECT_EQ(votes[0], votes[1]);
    return votes[0];
  };
  EXPECT_TRUE(waits(1000, 900, 2));
  EXPECT_FALSE(waits(1000, 899, 2));
  EXPECT_TRUE(waits(1000, 600, 8));
  EXPECT_FALSE(waits(1000, 599, 8));
  EXPECT_TRUE(waits(1000, 1400, 8));
  EXPECT_FALSE(waits(1000, 1401, 8));
  EXPECT_TRUE(waits(300, 10, 8));  // an instance may be shorter than the wait
  EXPECT_FALSE(waits(199, 150, 8));
}

// No lane waits where instances are about as long as a quantum.
TEST_F(EntryGroupTest, ALaneWithShortInstancesWaitsForNone) {
  Queue(2, 9);
  for (uint32_t seat = 0; seat < 9; ++seat) columns_[seat] = seat == 0 ? 60 : 6;
  Add(CallOf(kLoop, {{abi::OPERAND_COLUMN, 0, 1, {}}}, 0, 1));
  params_.quantum = 4 * kRoundFuel;
  stop_ = 1;
  for (int launch = 0; launch < 3; ++launch) Launch();
  EXPECT_EQ(Seat(0), +abi::SEAT_RUNNING);
  EXPECT_EQ(Seat(1), +abi::SEAT_DONE);
  EXPECT_EQ(Seat(2), +abi::SEAT_RUNNING);
}

// Some leave in mid-group for want of memory, the others go on beside them.
TEST_F(EntryGroupTest, ALaneThatWaitsForMemoryLeavesTheOthersInTheirGroup) {
  for (uint32_t quantum : {1u, kRoundFuel, 1u << 20}) {
    SCOPED_TRACE(quantum);
    Queue(7, 30);
    steps_.clear();
    for (uint32_t seat = 0; seat < 30; ++seat) {
      columns_[seat] = seat * 5 % 23;
      columns_[params_.seats + seat] = seat % 4 == 1 ? 2 : seat % 2;
    }
    Add(CallOf(kLoop, {{abi::OPERAND_COLUMN, 0, 1, {}}}, 0, 1));
    Add(CallOf(kGrow, {{abi::OPERAND_COLUMN, 1, 1, {}}}, 1, 1));
    Add(CallOf(kLoop, {{abi::OPERAND_COLUMN, 0, 1, {}}}, 2, 1));
    params_.quantum = quantum;
    uint32_t waited = 0;
    for (int launch = 0; launch < 100 && CountSeats(abi::SEAT_DONE) < 30; ++launch) {
      Launch();
      for (uint32_t lane = 0; lane < 7; ++lane) {
        const uint32_t seat = state_.Word(lane, abi::LANE_SEAT) - 1;
        if (seat >= 30 || Seat(seat) != abi::SEAT_NEEDS_MEMORY) continue;
        GoOn(lane, seat, 3);
        ++waited;
      }
    }
    EXPECT_EQ(waited, 8u);
    for (uint32_t seat = 0; seat < 30; ++seat) {
      ASSERT_NO_FATAL_FAILURE(ExpectEnd(seat, End::kReturned));
      EXPECT_EQ(Register(seat, 1), 1u);
      EXPECT_EQ(Register(seat, 2), seat * 5 % 23);
      EXPECT_EQ(Fuel(seat), seat * 5 % 23 * 2 * kRoundFuel + 3);
    }
  }
}

// The rounds of a loop are loaded from memory; some trap there, before others resume or begin.
TEST_F(EntryGroupTest, ALaneThatTrapsBeforeItsCallLeavesTheOthersInTheirGroup) {
  image_ = {1, 2, 1, 0, 0, 0, 0, 0, 11, 22, 0, 23 * 4};
  for (uint32_t rounds = 0; rounds < 23; ++rounds) image_.push_back(rounds);
  const auto rounds_of = [](uint32_t seat) { return seat * 5 % 23; };
  for (uint32_t quantum : {1u, kRoundFuel, 1u << 20}) {
    SCOPED_TRACE(quantum);
    Queue(7, 30);
    steps_.clear();
    for (uint32_t seat = 0; seat < 30; ++seat) {
      columns_[seat] = seat % 4 == 1 ? 65533 : rounds_of(seat) * 4;
    }
    Add(CallOf(kLoop, {{abi::OPERAND_COLUMN, 0, 1, {}, 1}}, 0, 1));
    params_.quantum = quantum;
    LaunchToEnd();
    for (uint32_t seat = 0; seat < 30; ++seat) {
      const bool traps = seat % 4 == 1;
      ASSERT_NO_FATAL_FAILURE(ExpectEnd(seat, traps ? End::kTrapped : End::kReturned));
      EXPECT_EQ(Fuel(seat), traps ? 0 : rounds_of(seat) * kRoundFuel);
      EXPECT_EQ(Register(seat, 0), traps ? 0 : rounds_of(seat));
    }
  }
}

TEST_F(EntryGroupTest, TheLimitOfFuelIsAsExact) {
  constexpr uint32_t kRounds = 12;  // and a sum more is over the limit, which the last one notices
  const auto rounds_of = [](uint32_t seat) { return seat % 3 == 0 ? kRounds : seat * 7 % 40; };
  Queue(5, 40);
  for (uint32_t seat = 0; seat < 40; ++seat) columns_[seat] = rounds_of(seat);
  Add(CallOf(kLoop, {{abi::OPERAND_COLUMN, 0, 1, {}}}, 0, 1));
  for (int i = 0; i < 2; ++i) Add(CallOf(kSum64, {Const(1), Const(0), Const(2), Const(0)}));
  Add(CallOf(kAsk, {}));
  params_.quantum = 2 * kRoundFuel;
  params_.max_fuel_lo = kRounds * kRoundFuel + 2;
  params_.max_fuel_hi = 0;
  LaunchToEnd();
  for (uint32_t seat = 0; seat < 40; ++seat) {
    const uint32_t rounds = rounds_of(seat);
    ASSERT_NO_FATAL_FAILURE(ExpectEnd(seat, rounds < kRounds ? End::kReturned : End::kOutOfFuel));
    EXPECT_EQ(Fuel(seat), rounds <= kRounds ? rounds * kRoundFuel + 6 : (kRounds + 1) * kRoundFuel);
  }
}

}  // namespace
}  // namespace wb
