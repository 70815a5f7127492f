#pragma once

// A pipeline's binary: a kernel, or two of one text, the second for few registers. A kernel is one
// cubin, or several, one after the other in one row of bytes, which the driver links when it loads
// the kernel.

#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/base/status.h"

namespace wb {

// One cubin stays as it is.
Bytes JoinCubins(const std::vector<Bytes>& cubins);

// The cubins that were joined. Bytes that JoinCubins did not make are one cubin, whatever they are.
// COMPILE_FAILED when they are cut short. The parts are views into `binary`.
Result<std::vector<ByteView>> SplitCubins(ByteView binary);

// Two kernels, the second for few registers, in one row of bytes.
Bytes JoinKernels(const Bytes& kernel, const Bytes& few_registers);
// Its kernels, one or two. Bytes that JoinKernels did not make are one kernel, whatever they are.
// COMPILE_FAILED when they are cut short. The parts are views into `binary`.
Result<std::vector<ByteView>> SplitKernels(ByteView binary);

}  // namespace wb
