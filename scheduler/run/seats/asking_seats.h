#pragma once

// AskingSeats: the instances of a dispatch that wait for an answer of the job's caller, from the
// end of a launch, when their calls and states are taken out, until their seats are emptied
// (../../docs/host_calls.md). Between launches.

#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "compiler/base/status.h"
#include "compiler/compiler.h"
#include "scheduler/devices/device.h"
#include "scheduler/job/active/active_job.h"
#include "scheduler/job/host_calls/host_call_log.h"
#include "scheduler/run/seats/lane_moves.h"
#include "scheduler/run/seats/seat_contents.h"

namespace wb {

// What it takes to read the calls of instances that ask the job's caller.
struct AskingTerms {
  const MovingTerms& moving;
  const LoweredModule& module;
  const ActiveJob& job;
};

class AskingSeats {
 public:
  // Takes the calls out, and states along where there is room for them. One thread. The fuel that
  // this dispatch has run of those that keep their state. DEVICE_LOST: the device is dead.
  Result<uint64_t> Export(Device& device, const AskingTerms& terms, SeatContents& contents);
  // Who asks in this seat, once. nullopt: the call was not read, as the machine lacked something.
  // Different threads may take different seats.
  std::optional<AskingInstance> Take(uint32_t seat);
  void Clear() { asking_.clear(); }  // all were taken

 private:
  Result<uint64_t> ExportSome(Device& device, const AskingTerms& terms,
                              std::span<const uint32_t> seats, SeatContents& contents);

  std::map<uint32_t, AskingInstance> asking_;  // by seat
};

}  // namespace wb
