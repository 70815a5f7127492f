#pragma once

// What a device's compiler may take for one text.

#include <chrono>
#include <cstdint>

#include "scheduler/sandbox/policy.h"

namespace wb {

struct CompilerLimits {
  std::chrono::milliseconds max_time{120000};
  uint64_t max_memory_bytes = uint64_t{4} << 30;  // Metal's compiler is not bounded by it
  Isolation isolation = Isolation::kOff;          // of the compiler's process
};

}  // namespace wb
