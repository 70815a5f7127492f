#pragma once

// The kernel of compiler/runtime/entry.metal as a part of this program, so that no module's binary
// has to be compiled with one: it ends at wb_call (TextWithoutKernel in
// compiler/runtime/runtime.h).

#include <cstdint>

#include "compiler/compiler.h"
#include "scheduler/devices/cpu/lane_kernel.h"

namespace wb {

// What a module's binary gives, and what the runtime text has as constants of the module.
struct ModuleCode {
  void* call = nullptr;  // its `wb_module_call`
  uint32_t memory_at = 0;
  uint32_t globals_at = 0;
  bool asks = false;      // it has primitives
  uint32_t windowed = 0;  // its WindowForm
  uint32_t group_at = 0;
  uint32_t group_memory_at = 0;
};

// Runs lane `gid` until it ends, its slice is spent or the stop word is set. Any thread, several at
// once for different lanes. `code` is of a text with this layout.
void RunEntry(MemoryLayout layout, const ModuleCode& code, const LaneBuffers& buffers,
              uint32_t gid);

// Whether the instance of a lane that has one waits at a collective for its group.
bool WaitsForGroup(MemoryLayout layout, const LaneBuffers& buffers, uint32_t gid);
// Has the group of lanes from `first` on meet, a multiple of 32, while none of them runs. True: all
// of its instances that have not ended were at collectives, and go on when they are run next
// (compiler/runtime/collectives.metal). Any thread.
bool MeetGroup(MemoryLayout layout, const LaneBuffers& buffers, uint32_t first);

}  // namespace wb
