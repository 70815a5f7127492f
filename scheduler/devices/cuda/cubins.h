#pragma once

// A kernel's binary: one cubin, or several that the driver links when it is loaded, one behind the
// other in one row of bytes.

#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/base/status.h"

namespace wb {

// One cubin stays as it is.
Bytes JoinCubins(const std::vector<Bytes>& cubins);

// What was joined; bytes that JoinCubins did not make are one cubin, whatever they are.
// COMPILE_FAILED when they are cut short. The parts lie in `binary`.
Result<std::vector<ByteView>> SplitCubins(ByteView binary);

}  // namespace wb
