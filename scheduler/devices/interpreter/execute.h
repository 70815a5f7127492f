#pragma once

#include <cstdint>

#include "scheduler/devices/call_trace.h"
#include "scheduler/devices/cpu/lane_kernel.h"
#include "scheduler/devices/interpreter/bytecode.h"
#include "scheduler/devices/interpreter/fuel_recorder.h"

namespace wb {

class LaneWatch;

// Who sees what a lane does; each may be null.
struct LaneObservers {
  CallTrace* trace = nullptr;  // becomes the calls under way at the last trap, if there is one
  // The lane's call was left for a primitive. Kept from one run of this lane to the next.
  // Null: traps of primitives are not seen. Lanes have a seat each.
  bool* has_left = nullptr;
  LaneWatch* watch = nullptr;        // sees each instruction, which takes several times as long
  FuelRecorder* recorder = nullptr;  // set for a program that profiles, and for no other
};

// wb_main of the runtime text over bytecode: runs one lane (contiguous layout) until it ends, its
// slice is spent or the stop word is set. Any thread; different lanes at the same time.
void InterpretLane(const ByteProgram& program, const LaneBuffers& buffers, uint32_t gid,
                   const LaneObservers& observers = {});

}  // namespace wb
