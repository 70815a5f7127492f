// The kernel's entry where instances meet at collectives, on lanes that vote, each a thread, as on
// a GPU: groups of 32 whose lanes come at different times, end before, or wait for memory.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/compiler/runtime/voting_group.h"

namespace metal {
bool simd_any_of_group(bool vote);
bool simd_all_of_group(bool vote);
unsigned simd_min_of_group(unsigned value);
unsigned simd_sum_of_group(unsigned value);
enum class mem_flags;
void barrier_of_group(mem_flags flags);
}  // namespace metal
#include "tests/compiler/runtime/layout_under_test.h"
#define simd_any simd_any_of_group
#define simd_all simd_all_of_group
#define simd_min simd_min_of_group
#define simd_sum simd_sum_of_group
#define simdgroup_barrier barrier_of_group
#include "tests/compiler/runtime/entry_under_test.h"

namespace {
thread_local wb::VotingGroup* own_group = nullptr;
}

bool metal::simd_any_of_group(bool vote) { return own_group->Vote(vote ? 1 : 0).sum != 0; }
bool metal::simd_all_of_group(bool vote) {
  return own_group->Vote(vote ? 1 : 0).sum == own_group->members();
}
unsigned metal::simd_min_of_group(unsigned value) { return own_group->Vote(value).least; }
unsigned metal::simd_sum_of_group(unsigned value) { return own_group->Vote(value).sum; }
void metal::barrier_of_group(mem_flags) { own_group->Vote(0); }

namespace wb {
namespace {

constexpr uint32_t kGroup = abi::GROUP_LANES;
constexpr uint32_t kSum = abi::COLLECT_SUM;
constexpr uint32_t kBallot = abi::COLLECT_BALLOT;

Operand ColumnOf(uint32_t column) { return {abi::OPERAND_COLUMN, column, 1, {}}; }

class EntryMeetingTest : public EntryTest {
 protected:
  void RunGrid(uint32_t threads, const std::function<void(uint32_t gid)>& run) override {
    std::vector<std::unique_ptr<VotingGroup>> groups;
    for (uint32_t first = 0; first < threads; first += kGroup)
      groups.push_back(std::make_unique<VotingGroup>(std::min(kGroup, threads - first)));
    std::vector<std::thread> lanes;
    for (uint32_t gid = 0; gid < threads; ++gid) {
      lanes.emplace_back([&, gid] {
        own_group = groups[gid / kGroup].get();
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
