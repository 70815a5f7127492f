#pragma once

// OwnLaunches: the dispatches of a job on a device that have no instances of other jobs, by the
// class of their instances, and the launches of these. Only on the device's own thread.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scheduler/base/helper_threads.h"
#include "scheduler/control/pace.h"
#include "scheduler/devices/device.h"
#include "scheduler/job/waits.h"
#include "scheduler/run/launches/device_job_state.h"
#include "scheduler/run/launches/launch_occupancy.h"
#include "scheduler/run/launches/own_seating.h"
#include "scheduler/run/launches/seated_states.h"
#include "scheduler/run/seats/seat_sets.h"

namespace wb {

class OwnLaunches {
 public:
  // Both outlive it.
  OwnLaunches(DeviceJobState& state, HelperThreads& helpers);
  ~OwnLaunches() { Drop(); }
  OwnLaunches(const OwnLaunches&) = delete;
  OwnLaunches& operator=(const OwnLaunches&) = delete;

  const SeatSets& seats() const { return seats_; }
  std::list<SeatSets::Entry>& entries() { return seats_.entries(); }
  SeatedStates& states() { return states_; }
  // `tuner` may be null: then launches fill all of the device.
  void SetUp(const DeviceInfo& info, std::shared_ptr<OccupancyTuner> tuner);
  // What its pipeline's launches have settled on, once.
  std::optional<OccupancyChoice> TakeOccupancy() { return occupancy_.TakeChoice(); }

  // A launch of this class could begin. `waiting`: instances of the class without a seat.
  bool HasWork(SeatClass seat_class, uint64_t waiting) const;
  // A dispatch that is filled and may be launched; empty if another device was quicker. nullptr:
  // memory is short for now (waits_for_memory). DEVICE_LOST; NO_DEVICE_FITS: not even one lane fits
  // although the job is alone; MACHINE_FAULT.
  Result<SeatSets::Entry*> Fill(Device& device, SeatClass seat_class);
  LaunchLimits LimitsOf(SeatSets::Entry& entry, TimePoint now, const LaunchTimes& times);
  void Begin(SeatSets::Entry& entry);
  // The launch with these limits is over; its results are delivered. DEVICE_LOST: it left a record
  // that no sound engine writes.
  Result<LaunchOutcome> Complete(SeatSets::Entry& entry, const LaunchLimits& limits,
                                 const LaunchReport& report, const DeviceInfo& info);

  // Whether a dispatch could not be had until memory is freed, and how the job says so.
  bool waits_for_memory() const { return waits_for_memory_.has_value(); }
  WaitReason MemoryWait() const;

  bool DropIdle();  // dispatches without instances; true if there was one
  void Drop();      // all; instances that are seated go back to the backlog
  // The device died; StartAgain of the state for all that are seated, blamed in `blamed`.
  void Abandon(const Dispatch* blamed, std::vector<InstanceResult>& failed);

 private:
  bool MayAllocate(SeatClass seat_class, uint64_t waiting) const;
  Result<SeatSets::Entry*> Allocate(Device& device, SeatClass seat_class);
  Result<SeatSets::Entry*> DispatchFor(Device& device, SeatClass seat_class);
  bool Reap(SeatSets::Entry& entry, LaunchOutcome& outcome);
  void RecordSeated(SeatSets::Entry& entry, const Seated& seated);

  DeviceJobState& state_;
  HelperThreads& helpers_;
  SeatSets seats_;
  const OwnSeating seating_;
  SeatedStates states_;
  LaunchOccupancy occupancy_;
  Pace pace_;
  uint32_t launches_at_once_ = 1;             // of the device
  std::optional<uint64_t> waits_for_memory_;  // the budget's version when there was too little
  bool waits_for_input_ = false;              // it was too little for the job's input
};

}  // namespace wb
