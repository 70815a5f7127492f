#pragma once

// A pipeline's binary: a kernel, or several of one text (KernelOf). A kernel is one cubin, or
// several, one after the other in one row of bytes, which the driver links when it loads the
// kernel.

#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/base/status.h"
#include "scheduler/control/occupancy.h"

namespace wb {

// One cubin stays as it is.
Bytes JoinCubins(const std::vector<Bytes>& cubins);

// The cubins that were joined. Bytes that JoinCubins did not make are one cubin, whatever they are.
// COMPILE_FAILED when they are cut short. The parts are views into `binary`.
Result<std::vector<ByteView>> SplitCubins(ByteView binary);

// Which kernel of a pipeline launches with this occupancy have. 0 is the one that all pipelines
// have.
inline constexpr size_t kMostKernels = 5;
constexpr size_t KernelOf(const Occupancy& occupancy) {
  if (occupancy.hot) return 4;
  return (occupancy.few_registers ? 1 : 0) + (occupancy.tiled ? 2 : 0);
}

// Kernels by KernelOf in one row of bytes; an empty one is none.
Bytes JoinKernels(const std::vector<Bytes>& kernels);
// The kernels. Bytes that JoinKernels did not make are one kernel, whatever they are.
// COMPILE_FAILED when they are cut short. The parts are views into `binary`.
Result<std::vector<ByteView>> SplitKernels(ByteView binary);

}  // namespace wb
