#pragma once

// SharedBatch: a dispatch that instances of several jobs share, one seat a lane, of any tenants:
// a lane is cleared before another instance begins in it, as between two of one job, and no lane
// reaches another's memory.
//
// A launch may begin with many instances that have not started and end with few started. Those that
// were not started leave again. No instance joins while as many as truly run at a time are under
// way and none of them ends, so no instance waits in a seat behind others that take long. The
// launch after a job joined is short and each further one twice as long, so no instance waits long
// for the end of others either.
//
// Only on the device's own thread.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "scheduler/base/memory_budget.h"
#include "scheduler/control/pace.h"
#include "scheduler/run/seats/seat_table.h"

namespace wb {

class BatchMember;

class SharedBatch {
 public:
  // `at_a_time`: lanes that truly run.
  SharedBatch(SeatTable its_seats, uint32_t at_a_time, MemoryBudget& memory)
      : seats(std::move(its_seats)), at_a_time_(at_a_time), memory_(memory) {
    memory_.HoldForAll(seats.bytes());
  }
  ~SharedBatch() { memory_.FreeForAll(seats.bytes()); }
  SharedBatch(const SharedBatch&) = delete;
  SharedBatch& operator=(const SharedBatch&) = delete;

  // Jobs may join before the next launch.
  bool IsOpen() const { return !in_flight && seats.free_seats() > 0 && !IsStuck(); }
  // Full of instances that take long.
  bool IsStuck() const { return is_stuck_ && seats.taken_seats() >= at_a_time_; }
  // It has lanes for more than run at a time.
  bool IsSpacious() const { return seats.shape().lanes > at_a_time_; }
  uint64_t seat_bytes() const { return seats.bytes() / seats.shape().lanes; }

  void RecordJoined() { longest_ = Pace::kShortest; }
  // A launch has ended, and so have `ended` of the instances in it; of `drained` others the output
  // was taken, for which they may have waited.
  void RecordLaunch(uint64_t ended, uint64_t drained) {
    longest_ *= longest_ < kLongest ? 2 : 1;
    if (drained > 0) longest_ = Pace::kShortest;
    is_stuck_ = ended == 0;
  }
  std::chrono::nanoseconds longest() const { return longest_; }  // of the next launch

  SeatTable seats;
  std::vector<BatchMember*> members;  // jobs with seats; each keeps its own
  bool in_flight = false;             // a launch was begun and not awaited

 private:
  static constexpr std::chrono::nanoseconds kLongest = std::chrono::hours(1);

  const uint32_t at_a_time_;
  MemoryBudget& memory_;
  std::chrono::nanoseconds longest_ = Pace::kShortest;
  bool is_stuck_ = false;
};

}  // namespace wb
