#pragma once

// What profiles may take (the settings [profiles]). Fuel bounds each instance, so that it decides
// alike on every machine. The time is for the sample as a whole.

#include <chrono>
#include <cstdint>

namespace wb {

struct ProfileLimits {
  static constexpr uint64_t kMostInstances = 1024;  // of a sample

  uint64_t instances = 16;                    // of a sample whose caller leaves it open
  uint64_t fuel = uint64_t{1} << 28;          // of each instance, which is cut there
  uint64_t memory_bytes = uint64_t{1} << 30;  // of the process that replays
  std::chrono::milliseconds time{10000};      // of a sample
  // Of a profile that a job asked for: the time that its launches took, in percent.
  uint64_t share_percent = 10;

  // Of linear memory: the process holds the module and all that a lane reserves, too.
  uint64_t instance_bytes() const { return memory_bytes / 4; }
};

}  // namespace wb
