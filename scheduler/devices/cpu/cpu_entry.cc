#include "scheduler/devices/cpu/cpu_entry.h"

#include "compiler/abi/lane.h"

#include <metal_stdlib>

namespace wb {
namespace {

// Set while a lane runs: the runtime text has no place for it in its arguments.
thread_local const ModuleCode* current = nullptr;

}  // namespace

#define WB_MEMORY_AT (current->memory_at)
#define WB_GLOBALS_AT (current->globals_at)
#define WB_WINDOWED (current->windowed)
#define WB_PRIMITIVES (current->asks ? 1u : 0u)
#define WB_COLLECTIVES 1u
#define WB_LOCKSTEP 0u
#define WB_GROUP_AT (current->group_at)
#define WB_GROUP_MEMORY_AT (current->group_memory_at)

namespace contiguous_entry {
#include "scheduler/devices/cpu/cpu_entry.inc"
}  // namespace contiguous_entry

namespace interleaved_entry {
#define WB_AS_CPP_INTERLEAVED
#include "scheduler/devices/cpu/cpu_entry.inc"
}  // namespace interleaved_entry

namespace tiled_entry {
#define WB_AS_CPP_TILED
#include "scheduler/devices/cpu/cpu_entry.inc"
}  // namespace tiled_entry

#include "compiler/runtime/as_cpp_end.inc"

void RunEntry(MemoryLayout layout, const ModuleCode& code, const LaneBuffers& buffers,
              uint32_t gid) {
  current = &code;
  switch (layout) {
    case MemoryLayout::kContiguous: return contiguous_entry::Run(buffers, gid);
    case MemoryLayout::kHot:
    case MemoryLayout::kInterleaved: return interleaved_entry::Run(buffers, gid);
    case MemoryLayout::kTiled: return tiled_entry::Run(buffers, gid);
  }
}

bool WaitsForGroup(MemoryLayout layout, const LaneBuffers& buffers, uint32_t gid) {
  switch (layout) {
    case MemoryLayout::kContiguous: return contiguous_entry::Waits(buffers, gid);
    case MemoryLayout::kHot:
    case MemoryLayout::kInterleaved: return interleaved_entry::Waits(buffers, gid);
    case MemoryLayout::kTiled: return tiled_entry::Waits(buffers, gid);
  }
  return false;
}

bool MeetGroup(MemoryLayout layout, const LaneBuffers& buffers, uint32_t first) {
  switch (layout) {
    case MemoryLayout::kContiguous: return contiguous_entry::Meet(buffers, first);
    case MemoryLayout::kHot:
    case MemoryLayout::kInterleaved: return interleaved_entry::Meet(buffers, first);
    case MemoryLayout::kTiled: return tiled_entry::Meet(buffers, first);
  }
  return false;
}

}  // namespace wb
