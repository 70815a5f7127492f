#pragma once

#include <cstdint>

#include "scheduler/devices/call_trace.h"
#include "scheduler/devices/cpu/lane_kernel.h"
#include "scheduler/devices/interpreter/bytecode.h"

namespace wb {

class LaneWatch;

// wb_main of the runtime text over bytecode: runs one lane (contiguous layout) until it ends, its
// slice is spent or the stop word is set. Any thread; different lanes at the same time.
// `trace` (optional): becomes the calls under way at the last trap, if there is one.
// `watch` (optional): sees each instruction, which takes several times as long.
void InterpretLane(const ByteProgram& program, const LaneBuffers& buffers, uint32_t gid,
                   CallTrace* trace = nullptr, LaneWatch* watch = nullptr);

}  // namespace wb
