#pragma once

// What it may take to look at an instance (the settings [inspection]). A caller waits for it, so
// there is more room than for backtraces, which nobody asked for.

#include <chrono>
#include <cstdint>

namespace wb {

struct InspectionLimits {
  uint64_t fuel = uint64_t{1} << 32;          // of the instance
  uint64_t memory_bytes = uint64_t{2} << 30;  // of the process that runs it
  uint64_t dump_bytes = uint64_t{64} << 20;   // of memory, tables and globals that are not zero
  uint64_t lines = 1'000'000;                 // of a trace, the last ones
  uint64_t waiting = 16;                      // that wait for the one under way
  // Of each step: the start of the process, the module's way into it, the run.
  std::chrono::milliseconds time{60000};
  std::chrono::milliseconds idle{5000};  // the process waits so long for the next instance

  // Of linear memory: the process holds the module, and the dump besides.
  uint64_t instance_bytes() const { return memory_bytes / 4; }
};

}  // namespace wb
