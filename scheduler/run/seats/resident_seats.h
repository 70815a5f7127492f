#pragma once

// ResidentSeats: the instances of a session's call (JobSpec::residents) in the seats of a dispatch.
// They begin with the state that the session keeps of them, whichever time they begin in the call.
// Of those that ended in the last launch the states are taken out, and they are kept once their
// results are sound (../../docs/sessions.md). Seats are not queued. One thread, between launches.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "compiler/base/status.h"
#include "compiler/compiler.h"
#include "scheduler/devices/device.h"
#include "scheduler/job/resident/resident_instances.h"
#include "scheduler/run/seats/seat_contents.h"

namespace wb {

class ResidentSeats {
 public:
  // Gives those that are to start their states. The seats of those whose state found no place,
  // which must not start without it. DEVICE_LOST: the device is dead.
  Result<std::vector<uint32_t>> Import(Device& device, const LoweredModule& module,
                                       const ResidentInstances& residents, SeatContents& contents);

  // Takes the states of those that have ended out. DEVICE_LOST: the device is dead, or gave what no
  // sound engine gives.
  Status Export(Device& device, const LoweredModule& module, SeatContents& contents);
  // These instances have results: their states are kept.
  void Keep(std::span<const uint64_t> instances, ResidentInstances& residents);

 private:
  // Of the image of one that has ended. nullopt: no sound engine gives it.
  std::optional<EndedState> EndedOf(const LoweredModule& module, uint64_t instance,
                                    LaneImage image) const;

  std::map<uint64_t, ResidentStateRef> began_;  // with which, by instance
  std::map<uint64_t, EndedState> ended_;
};

}  // namespace wb
