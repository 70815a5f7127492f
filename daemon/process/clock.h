#pragma once

// The daemon's wall clock.

#include <chrono>
#include <cstdint>

namespace wb {

inline int64_t UnixNow() {  // nanoseconds
  auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

}  // namespace wb
