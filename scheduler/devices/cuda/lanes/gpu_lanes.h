#pragma once

// GpuLanes: the lane state of a dispatch in a GPU's memory, with its share of the device's budget.
// Threads: those that have entered the context, one at a time.

#include <cstdint>
#include <memory>
#include <vector>

#include "scheduler/devices/cuda/cuda_context.h"
#include "scheduler/devices/cuda/cuda_kernel.h"
#include "scheduler/devices/cuda/lanes/mapped_lanes.h"
#include "scheduler/devices/dispatch_shape.h"
#include "scheduler/devices/migration/kept_lanes.h"

namespace wb {

struct GpuLanes {
  BudgetShare share;
  CudaBuffer state;
  std::unique_ptr<MappedLanes> mapped;  // in place of `state`; it grows `share`
  // The kernel for which the words of memories lie in tiles, and which can put them back. Null:
  // they lie in rows.
  CudaKernelRef tiled_for;

  MemoryLayout order() const {
    return tiled_for != nullptr ? MemoryLayout::kTiled : MemoryLayout::kInterleaved;
  }
  uint64_t address() const { return mapped ? mapped->address() : state.address(); }

  bool LieFor(const CudaKernel& kernel) const { return kernel.tiled() == (tiled_for != nullptr); }
  // Puts the words of these memories where the kernel finds them, on a stream. They do not lie so.
  Status ReorderFor(const CudaKernelRef& kernel, const std::vector<MemoryRows>& memories,
                    void* stream);
  // All memories. Those of neighbours with as many pages are together. `lane_words`: from a group
  // to the next, for each of its lanes.
  std::vector<MemoryRows> Memories(const LaneLayout& layout, const DispatchShape& shape,
                                   uint64_t lane_words) const;
};

using KeptGpuLanes = KeptLanes<std::unique_ptr<GpuLanes>>;

}  // namespace wb
