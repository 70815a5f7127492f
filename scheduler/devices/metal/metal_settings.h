#pragma once

// What a Metal device is told when it is opened.

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "scheduler/devices/compiler_limits.h"
#include "scheduler/devices/host_memory.h"
#include "scheduler/devices/metal/metal_options.h"

namespace wb {

struct MetalSettings {
  std::string id = "metal0";
  std::string gpu;                // by name; empty: the one with the most memory
  bool any_gpu = false;           // also older ones than Apple7 (M1), which were not tried
  uint32_t threads = 0;           // 0: as many as the GPU is thought to hold (gpu_width.h)
  uint64_t memory_bytes = 0;      // for lane state; 0: half of what Metal recommends
  uint64_t max_buffer_bytes = 0;  // 0: as Metal says
  MetalOptions options;
  // How long a slice may be overdue before the GPU is given up.
  std::chrono::milliseconds patience{30000};
  std::string work_directory;  // for archives; empty: the system's
  CompilerLimits compile;
  std::shared_ptr<HostMemory> host_memory;  // null: anonymous memory
};

}  // namespace wb
