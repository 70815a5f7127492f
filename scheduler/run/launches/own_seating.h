#pragma once

// OwnSeating: how a job's own dispatches on a device are seated: how many lanes and seats those of
// a class get, what their lanes hold, how many instances sit down at a time. Decides from what is
// known of the job, and changes nothing. Only on the device's own thread.

#include <cstdint>

#include "scheduler/run/launches/device_job_state.h"
#include "scheduler/run/seats/seat_sets.h"
#include "scheduler/run/seats/seating.h"

namespace wb {

class OwnSeating {
 public:
  explicit OwnSeating(const DeviceJobState& state) : state_(state) {}  // outlives it

  // Of a dispatch of this class. `waiting`: instances of the class without a seat.
  SeatingWish WishFor(const DeviceInfo& info, SeatClass seat_class, uint64_t waiting) const;
  // Launches that run side by side fill the device together, where there is enough for all.
  uint32_t AbreastFor(const DeviceInfo& info, uint64_t waiting) const;
  // Its lanes hold less than instances have been found to need.
  bool IsStale(const SeatSets::Entry& entry) const;
  uint64_t MostToSeat(const SeatSets::Entry& entry) const;

 private:
  bool MayQueue(SeatClass seat_class) const;
  MemoryWindow WindowFor(SeatClass seat_class) const;

  const DeviceJobState& state_;
};

}  // namespace wb
