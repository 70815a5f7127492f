#pragma once

// GpuLanes: the lane state of a dispatch in a GPU's memory, with its share of the device's budget.
// Threads: those that have entered the context, one at a time.

#include <cstdint>
#include <memory>

#include "scheduler/devices/cuda/cuda_context.h"
#include "scheduler/devices/cuda/mapped_lanes.h"
#include "scheduler/devices/dispatch_shape.h"
#include "scheduler/devices/migration/kept_lanes.h"

namespace wb {

struct GpuLanes {
  BudgetShare share;
  CudaBuffer state;
  std::unique_ptr<MappedLanes> mapped;  // in place of `state`; it grows `share`

  uint64_t address() const { return mapped ? mapped->address() : state.address(); }
};

using KeptGpuLanes = KeptLanes<std::unique_ptr<GpuLanes>>;

}  // namespace wb
