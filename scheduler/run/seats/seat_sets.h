#pragma once

// SeatSets: the dispatches of a job on one device, by the class of their instances, and which
// of them a launch is under way of. Holds their share of the device's memory. One thread.

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <utility>
#include <vector>

#include "scheduler/base/memory_budget.h"
#include "scheduler/run/seats/seat_table.h"

namespace wb {

class SeatSets {
 public:
  struct Entry {
    SeatClass seat_class;
    SeatTable seats;
    uint32_t abreast = 1;  // launches of the job that fill the device together, this one too
    uint32_t round = 0;    // of its launch, as the occupancy tuner counts
    std::chrono::nanoseconds begun_at{};  // the job's time here when its launch began
    bool begun_alone = false;             // no other launch of the job was in flight then
    bool in_flight = false;               // a launch of it was begun and not awaited
    bool is_full = false;                 // no room of the sink's was missing when it was filled
    Seated seated;                        // as of the last launch
  };

  explicit SeatSets(TenantMemory memory) : memory_(std::move(memory)) {}
  ~SeatSets();
  SeatSets(const SeatSets&) = delete;
  SeatSets& operator=(const SeatSets&) = delete;

  // Entries stay where they are until they are dropped.
  Entry& Add(SeatClass seat_class, SeatTable seats, uint32_t abreast);
  void Drop(const Entry& entry);
  // All without instances that are not in flight, or those among them that `which` is true of. True
  // if there was one.
  bool DropIdle(const std::function<bool(const Entry&)>& which = {});

  // Not in flight; one with instances before others. nullptr: there is none.
  Entry* Idle(SeatClass seat_class);
  bool HasIdle(SeatClass seat_class) const;
  uint32_t count(SeatClass seat_class) const;
  const Entry* Any(SeatClass seat_class) const;
  bool in_flight() const;
  bool HasWaiting() const;  // seated, and not in flight
  bool HasWaiting(SeatClass seat_class) const;
  uint64_t taken() const;  // seats
  std::list<Entry>& entries() { return entries_; }
  const std::list<Entry>& entries() const { return entries_; }

 private:
  TenantMemory memory_;
  std::list<Entry> entries_;
};

}  // namespace wb
