#pragma once

// What backtraces may take (the settings [backtraces]). Fuel and bytes decide before a replay
// begins, so that they decide alike on every machine. The time is for what no count foresees.

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace wb {

struct ReplayLimits {
  static constexpr size_t kMostFrames = 64;  // of a backtrace, the innermost

  uint64_t per_job = 3;  // traps of a job that have a backtrace; 0: nothing is replayed
  uint64_t fuel = uint64_t{1} << 26;          // of the instance that trapped
  uint64_t memory_bytes = uint64_t{1} << 30;  // of the process that replays
  uint64_t module_bytes = uint64_t{8} << 20;
  // Of each step of a replay: the start of the process, the module's way into it, the run.
  std::chrono::milliseconds time{10000};
  std::chrono::milliseconds idle{5000};  // the process waits so long for the next trap

  // Of linear memory, of all that run again: the process holds the module and all that lanes
  // reserve, too.
  uint64_t instance_bytes() const { return memory_bytes / 4; }
};

}  // namespace wb
