#pragma once

// Seats on a device: a dispatch as large as the memory that is left allows.

#include <cstdint>
#include <optional>

#include "compiler/compiler.h"
#include "scheduler/devices/device.h"
#include "scheduler/job/job_plan.h"
#include "scheduler/run/seats/seat_table.h"
#include "scheduler/run/seats/seating.h"

namespace wb {

// Lanes for each of a device's threads, with fewer of which it is likely to idle at the end of a
// launch.
inline constexpr uint32_t kLanesPerThread = 16;

struct SeatRequest {
  const PipelineRef& pipeline;
  const JobPlan& plan;
  const LaneLayout& layout;
  SeatingWish wish;
  uint64_t budget = 0;          // bytes of the device's memory, at most
  uint32_t least_lanes = 0;     // fewer are not worth a dispatch
  KeptInputRef kept = nullptr;  // where the plan has one
};

// Tries half the budget again while the device has less memory than it told. nullopt: it has not
// enough. Errors: those of Device::Allocate but NO_DEVICE_FITS.
Result<std::optional<SeatTable>> AllocateSeats(Device& device, const SeatRequest& request);

}  // namespace wb
