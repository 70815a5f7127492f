#pragma once

#include <cstdint>

#include "scheduler/devices/cpu/lane_kernel.h"
#include "scheduler/devices/interpreter/bytecode.h"

namespace wb {

// wb_main of the runtime text over bytecode: runs one lane (contiguous layout) until it ends, its
// slice is spent or the stop word is set. Any thread; different lanes at the same time.
void InterpretLane(const ByteProgram& program, const LaneBuffers& buffers, uint32_t gid);

}  // namespace wb
