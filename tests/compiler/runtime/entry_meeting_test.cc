// The kernel's entry where instances meet at collectives, on lanes that vote, each a thread, as on
// a GPU: groups of 32 whose lanes come at different times, end before, or wait for memory.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "compiler/abi/lane.h"
#include "tests/compiler/runtime/lane_state.h"
#include "tests/compiler/runtime/voting_group.h"

#include <metal_stdlib>

namespace metal {
bool simd_any_of_group(bool vote);
bool simd_all_of_group(bool vote);
unsigned simd_min_of_group(unsigned value);
unsigned simd_sum_of_group(unsigned value);
enum class mem_flags;
unsigned simd_and_of_group(unsigned value);
unsigned simd_or_of_group(unsigned value);
unsigned simd_xor_of_group(unsigned value);
unsigned simd_shuffle_of_group(unsigned value, unsigned short lane);
struct VoteOfGroup {
  bool is_of_all;
  bool all() const { return is_of_all; }
};
VoteOfGroup active_of_group();
void barrier_of_group(mem_flags flags);
}  // namespace metal
#define simd_any simd_any_of_group
#define simd_min simd_min_of_group
#define simd_sum simd_sum_of_group
#define simd_and simd_and_of_group
#define simd_or simd_or_of_group
#define simd_xor simd_xor_of_group
#define simd_shuffle simd_shuffle_of_group
#define simd_active_threads_mask active_of_group
#define simdgroup_barrier barrier_of_group
#include "tests/compiler/runtime/layout_under_test.h"
#define simd_all simd_all_of_group  // within functions it is of the lanes that are there
#include "tests/compiler/runtime/entry_under_test.h"

namespace {
thread_local wb::VotingGroup* own_group = nullptr;
thread_local unsigned own_lane = 0;
}  // namespace

bool metal::simd_any_of_group(bool vote) { return own_group->Vote(vote ? 1 : 0).sum != 0; }
bool metal::simd_all_of_group(bool vote) {
  return own_group->Vote(vote ? 1 : 0).sum == own_group->members();
}
unsigned metal::simd_min_of_group(unsigned value) { return own_group->Vote(value).least; }
unsigned metal::simd_sum_of_group(unsigned value) { return own_group->Vote(value).sum; }
unsigned metal::simd_and_of_group(unsigned value) { return own_group->Vote(value).all; }
unsigned metal::simd_or_of_group(unsigned value) { return own_group->Vote(value).any; }
unsigned metal::simd_xor_of_group(unsigned value) { return own_group->Vote(value).odd; }
unsigned metal::simd_shuffle_of_group(unsigned value, unsigned short lane) {
  return own_group->Vote(value, own_lane).given[lane];
}
metal::VoteOfGroup metal::active_of_group() { return {own_group->Together()}; }
void metal::barrier_of_group(mem_flags) { own_group->Vote(0); }

namespace wb {
namespace {

constexpr uint32_t kGroup = abi::GROUP_LANES;
constexpr uint32_t kSum = abi::COLLECT_SUM;
constexpr uint32_t kBallot = abi::COLLECT_BALLOT;

Operand ColumnOf(uint32_t column) { return {abi::OPERAND_COLUMN, column, 1, {}}; }

class EntryMeetingTest : public EntryTest {
 protected:
  EntryMeetingTest() {
    image_[1] += abi::GROUP_HEADER_WORDS;
    image_.insert(image_.end(), abi::GROUP_HEADER_WORDS, 0);
  }
  void RunGrid(uint32_t threads, const std::function<void(uint32_t gid)>& run) override {
    std::vector<std::unique_ptr<VotingGroup>> groups;
    for (uint32_t first = 0; first < threads; first += block_)
      groups.push_back(std::make_unique<VotingGroup>(std::min(block_, threads - first)));
    std::vector<std::thread> lanes;
    for (uint32_t gid = 0; gid < threads; ++gid) {
      lanes.emplace_back([&, gid] {
        own_group = groups[gid / block_].get();
        own_lane = gid % block_;
        run(gid);
      });
    }
    for (std::thread& lane : lanes) lane.join();
  }

  // Two groups, without steps. `seats` have an instance.
  void TwoGroups(uint32_t seats) {
    Resize(2 * kGroup);
    steps_.clear();
    for (uint32_t seat = seats; seat < 2 * kGroup; ++seat)
      Record(seat)[abi::RECORD_SEAT] = abi::SEAT_EMPTY;
  }
  void SetColumn(uint32_t column, const std::function<uint32_t(uint32_t seat)>& value) {
    for (uint32_t seat = 0; seat < 2 * kGroup; ++seat)
      columns_[column * 2 * kGroup + seat] = value(seat);
  }

  uint32_t block_ = kGroup;  // lanes that vote together
};

TEST_F(EntryMeetingTest, LanesThatComeAtDifferentTimesMeet) {
  constexpr uint32_t kSeats = 41;
  for (const uint32_t quantum : {1u, 3 * kRoundFuel, 1u << 20}) {
    for (const uint32_t slice : {25u, 1u << 20}) {
      SCOPED_TRACE(std::to_string(quantum) + " " + std::to_string(slice));
      TwoGroups(kSeats);
      SetColumn(0, [](uint32_t seat) { return seat * 5 % 23; });
      SetColumn(1, [](uint32_t seat) { return seat * seat; });
      Add(CallOf(kLoop, {ColumnOf(0)}));
      Add(CallOf(kCollect, {Const(kSum), ColumnOf(1)}, 0, 1));
      Add(CallOf(kLoop, {Const(3)}));
      Add(CallOf(kCollect,
                 {Const(kSum | abi::COLLECT_EXCLUSIVE << abi::COLLECT_SCOPE_SHIFT), ColumnOf(1)}, 1,
                 1));
      Add(CallOf(kCollect, {Const(kBallot), ColumnOf(0)}, 2, 1));
      params_.slice_hi = 0;
      params_.slice_lo = slice;
      params_.quantum = quantum;
      EXPECT_LT(LaunchToEnd(), 500);
      for (uint32_t seat = 0; seat < kSeats; ++seat) {
        ASSERT_NO_FATAL_FAILURE(ExpectEnd(seat, End::kReturned));
        uint32_t sum = 0, below = 0, ballot = 0;
        const uint32_t first = seat / kGroup * kGroup;
        for (uint32_t other = first; other < std::min(first + kGroup, kSeats); ++other) {
          sum += other * other;
          below += other < seat ? other * other : 0;
          ballot |= other * 5 % 23 != 0 ? 1u << (other - first) : 0;
        }
        EXPECT_EQ(Register(seat, 0), sum);
        EXPECT_EQ(Register(seat, 1), below);
        EXPECT_EQ(Register(seat, 2), ballot);
        EXPECT_EQ(Fuel(seat), (seat * 5 % 23 + 3) * kRoundFuel + 3);
      }
    }
  }
}

// Codes of all collectives.
std::vector<uint32_t> AllCodes() {
  std::vector<uint32_t> codes;
#define WB_CODE(operation, scope, type)                                          \
  (abi::COLLECT_##operation | abi::COLLECT_##scope << abi::COLLECT_SCOPE_SHIFT | \
   abi::COLLECT_##type << abi::COLLECT_TYPE_SHIFT)
#define WB_ACCESS(operation, type) 0u
#define WB_GPU_STD(import, primitive, code, results, params) \
  if (Primitive::k##primitive == Primitive::kCollective) codes.push_back(code);
#include "compiler/abi/gpu_std.def"
#undef WB_GPU_STD
#undef WB_ACCESS
#undef WB_CODE
  return codes;
}

// Each collective by the lanes' own instructions, in the first group, as by lanes that leave and
// meet, in the second, where one comes later.
TEST_F(EntryMeetingTest, LanesThatAreTogetherGetWhatThoseThatMeetGet) {
  uint64_t random = 88172645463325252u;
  for (const uint32_t code : AllCodes()) {
    TwoGroups(2 * kGroup);
    params_.quantum = 1;
    std::vector<uint32_t> words(3 * kGroup);
    for (uint32_t& word : words) {
      random ^= random << 13;
      random ^= random >> 7;
      random ^= random << 17;
      word = static_cast<uint32_t>(random >> 20);
      if (word % 11 == 0) word = 0;
      if (word % 13 == 1) word = 0x7fc00001;  // a NaN, not the canonical one
      if (word % 13 == 2) word = 0x80000000;
      if (word % 13 > 8) word = 0x40000000 + word % 0x800000;
    }
    SetColumn(0, [](uint32_t seat) { return seat == 40 ? 3 : 0; });
    for (uint32_t column = 0; column < 3; ++column) {
      SetColumn(1 + column, [&](uint32_t seat) { return words[column * kGroup + seat % kGroup]; });
    }
    const bool is_wide = (code >> abi::COLLECT_TYPE_SHIFT & 1) != 0;
    Add(CallOf(kLoop, {ColumnOf(0)}));
    Add(CallOf(kCollect,
               {Const(code), {abi::OPERAND_COLUMN, 1, is_wide ? 2u : 1u, {}}, ColumnOf(3)}, 0, 2));
    collected_together = 0;
    LaunchToEnd();
    EXPECT_EQ(collected_together, kGroup) << code;
    for (uint32_t seat = 0; seat < kGroup; ++seat) {
      ASSERT_NO_FATAL_FAILURE(ExpectEnd(seat, End::kReturned));
      EXPECT_EQ(Register(seat, 0), Register(seat + kGroup, 0)) << code << " in lane " << seat;
      EXPECT_EQ(Register(seat, 1), Register(seat + kGroup, 1)) << code << " in lane " << seat;
      EXPECT_EQ(Fuel(seat) + (seat == 8 ? 3 * kRoundFuel : 0), Fuel(seat + kGroup));
    }
  }
}

// A group is there for as long as its lane with the most to do, whichever lane that is in a turn.
// Lanes without an instance count as there.
TEST_F(EntryMeetingTest, CountsWhatLanesSpentAndForHowLongTheirGroupWasThere) {
  constexpr uint32_t kSeats = 41;
  const auto rounds_of = [](uint32_t seat) { return 1 + seat * 5 % 23; };
  for (const uint32_t quantum : {kRoundFuel, 3 * kRoundFuel, 1u << 20}) {
    SCOPED_TRACE(quantum);
    TwoGroups(kSeats);
    SetColumn(0, rounds_of);
    Add(CallOf(kLoop, {ColumnOf(0)}));
    params_.quantum = quantum;
    useful_ = stepped_ = 0;
    LaunchToEnd();
    uint64_t useful = 0, longest[2] = {};
    for (uint32_t seat = 0; seat < kSeats; ++seat) {
      ASSERT_EQ(Fuel(seat), rounds_of(seat) * kRoundFuel);
      useful += Fuel(seat);
      longest[seat / kGroup] = std::max(longest[seat / kGroup], Fuel(seat));
    }
    EXPECT_EQ(useful_, useful);
    EXPECT_EQ(stepped_, longest[0] + longest[1]);
  }
}

// In two steps whose long lanes are not the same the group is there for the long one of each.
TEST_F(EntryMeetingTest, TheLongestLaneOfATurnIsNotThatOfTheNext) {
  TwoGroups(kGroup);
  SetColumn(0, [](uint32_t seat) { return seat == 3 ? 20u : 2u; });
  SetColumn(1, [](uint32_t seat) { return seat == 7 ? 30u : 1u; });
  Add(CallOf(kLoop, {ColumnOf(0)}));
  Add(CallOf(kLoop, {ColumnOf(1)}));
  LaunchToEnd();
  EXPECT_EQ(useful_, (20 + 31 * 2 + 30 + 31 * 1) * kRoundFuel);
  EXPECT_EQ(stepped_, (20 + 30) * kRoundFuel);
}

// Blocks of fewer lanes than a group run through lanes of two, and most begin inside one.
TEST_F(EntryMeetingTest, BlocksOfFewerLanesThanAGroupCountAll) {
  for (const uint32_t block : {1u, 9u, 14u, 28u}) {
    SCOPED_TRACE(block);
    block_ = block;
    TwoGroups(2 * kGroup);
    SetColumn(0, [](uint32_t seat) { return 1 + seat * 5 % 23; });
    Add(CallOf(kLoop, {ColumnOf(0)}));
    useful_ = stepped_ = 0;
    LaunchToEnd();
    uint64_t useful = 0, stepped = 0, longest = 0;
    for (uint32_t seat = 0; seat < 2 * kGroup; ++seat) {
      ASSERT_NO_FATAL_FAILURE(ExpectEnd(seat, End::kReturned));
      if (seat % block == 0) stepped += std::exchange(longest, 0);
      useful += Fuel(seat);
      longest = std::max(longest, Fuel(seat));
    }
    EXPECT_EQ(useful_, useful);
    EXPECT_EQ(stepped_, stepped + longest);
  }
}

TEST_F(EntryMeetingTest, ALaunchWithoutInstancesCountsNothing) {
  TwoGroups(0);
  Add(CallOf(kLoop, {Const(5)}));
  Launch();
  EXPECT_EQ(useful_, 0u);
  EXPECT_EQ(stepped_, 0u);
}

TEST_F(EntryMeetingTest, CountsAreOfTwoWords) {
  metal::atomic_uint control[abi::CONTROL_WORDS] = {};
  uint64_t sum = 0;
  for (const uint64_t more : {0xffff'fff0ull, 0x1dull, 0x3'ffff'ffffull, 0x5'0000'0000ull, 1ull}) {
    kernel_text::wb_add_count(control, abi::CONTROL_USEFUL_LO, more);
    sum += more;
    EXPECT_EQ(Count(control, abi::CONTROL_USEFUL_LO), sum);
  }
}

// The long ones end before the meeting, by their limit of fuel.
TEST_F(EntryMeetingTest, NobodyWaitsForThoseThatHaveEnded) {
  const auto is_long = [](uint32_t seat) { return seat % 7 == 2; };
  for (const uint32_t quantum : {1u, 1u << 20}) {
    TwoGroups(2 * kGroup);
    params_.max_fuel_hi = 0;
    params_.max_fuel_lo = 20 * kRoundFuel;
    params_.quantum = quantum;
    SetColumn(0, [&](uint32_t seat) { return is_long(seat) ? 1000u : seat % 5; });
    Add(CallOf(kLoop, {ColumnOf(0)}));
    Add(CallOf(kCollect, {Const(kSum), Const(1)}, 0, 1));
    EXPECT_LT(LaunchToEnd(), 500);
    for (uint32_t seat = 0; seat < 2 * kGroup; ++seat) {
      ASSERT_NO_FATAL_FAILURE(ExpectEnd(seat, is_long(seat) ? End::kOutOfFuel : End::kReturned));
      uint32_t sum = 0;
      for (uint32_t i = 0; i < kGroup; ++i) sum += is_long(seat / kGroup * kGroup + i) ? 0 : 1;
      EXPECT_EQ(Register(seat, 0), is_long(seat) ? 0 : sum);
    }
  }
}

// They are alive: the others wait for them, also over launches.
TEST_F(EntryMeetingTest, AGroupWaitsForALaneThatWaitsForMemory) {
  TwoGroups(2 * kGroup);
  SetColumn(0, [](uint32_t seat) { return seat == 9 ? 2u : 0u; });
  Add(CallOf(kGrow, {ColumnOf(0)}));
  Add(CallOf(kCollect, {Const(kSum), Const(1)}, 0, 1));
  Launch();
  Launch();
  EXPECT_EQ(Seat(9), +abi::SEAT_NEEDS_MEMORY);
  for (uint32_t seat = 0; seat < 2 * kGroup; ++seat) {
    if (seat == 9) continue;
    EXPECT_EQ(Seat(seat), +(seat < kGroup ? abi::SEAT_RUNNING : abi::SEAT_DONE)) << seat;
  }
  GoOn(9, 9, 3);
  LaunchToEnd();
  for (uint32_t seat = 0; seat < 2 * kGroup; ++seat) {
    ASSERT_NO_FATAL_FAILURE(ExpectEnd(seat, End::kReturned));
    EXPECT_EQ(Register(seat, 0), kGroup);
  }
}

TEST_F(EntryMeetingTest, AGroupAtDifferentCollectivesTraps) {
  TwoGroups(2 * kGroup);
  SetColumn(0, [](uint32_t seat) { return seat == 40 ? kBallot : kSum; });
  Add(CallOf(kCollect, {ColumnOf(0), Const(1)}, 0, 1));
  LaunchToEnd();
  for (uint32_t seat = 0; seat < 2 * kGroup; ++seat) {
    if (seat < kGroup) {
      ASSERT_NO_FATAL_FAILURE(ExpectEnd(seat, End::kReturned));
      EXPECT_EQ(Register(seat, 0), kGroup);
      continue;
    }
    ASSERT_NO_FATAL_FAILURE(ExpectEnd(seat, End::kTrapped));
    EXPECT_EQ(Record(seat)[abi::RECORD_TRAP], static_cast<uint32_t>(Trap::kCollectiveMismatch));
  }
}

}  // namespace
}  // namespace wb
