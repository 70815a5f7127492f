#pragma once

// SeatedStates: the states of the instances that sit in a job's own dispatches, as they come to the
// device and leave it. Only on the device's own thread.

#include <cstdint>

#include "scheduler/devices/device.h"
#include "scheduler/run/launches/device_job_state.h"
#include "scheduler/run/seats/seat_sets.h"

namespace wb {

class SeatedStates {
 public:
  // Both outlive it.
  SeatedStates(DeviceJobState& state, SeatSets& seats) : state_(state), seats_(seats) {}

  // Instances that are seated, and not in flight, are given their state to take along. What the
  // device has run of them; DEVICE_LOST.
  Result<uint64_t> ExportLanes(Device& device, const Migration& migration);
  // Their states leave the scheduler. How many; DEVICE_LOST.
  Result<uint64_t> KeepStates(Device& device, StateKeeper& keeper);
  // As ExportLanes, for those of `entry` that wait after a launch for memory, or for the job's
  // caller, before its results are taken.
  Result<uint64_t> ExportWaiting(Device& device, SeatSets::Entry& entry,
                                 const Migration& migration);

  // A session's instances are put in with the states that it keeps. Those whose state found no
  // place here do not start without it: they fail.
  Status ImportResidents(Device& device, SeatSets::Entry& entry);
  // Takes the states of a session's instances that have ended in a launch out, before its results
  // are taken. DEVICE_LOST; MACHINE_FAULT: they are not known, and what ended there must not count.
  Status ExportResidents(Device& device, SeatSets::Entry& entry);

 private:
  Result<uint64_t> ExportAsking(Device& device, SeatSets::Entry& entry, const Migration& migration);
  Result<uint64_t> ExportOutgrown(Device& device, SeatSets::Entry& entry,
                                  const Migration& migration);
  Result<uint64_t> ExportGrowing(Device& device, SeatSets::Entry& entry,
                                 const Migration& migration);

  DeviceJobState& state_;
  SeatSets& seats_;
};

}  // namespace wb
