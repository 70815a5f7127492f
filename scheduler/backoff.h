#pragma once

// Backoff: how long to wait before starting a lost engine again. Pure.

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace wb {

class Backoff {
 public:
  static constexpr std::chrono::milliseconds kFirst{100};
  static constexpr std::chrono::milliseconds kLongest{5000};

  // Doubles from kFirst to kLongest.
  std::chrono::milliseconds Next() {
    const std::chrono::milliseconds wait = std::min(kLongest, kFirst * (int64_t{1} << failures_));
    failures_ = std::min(failures_ + 1, 10);
    return wait;
  }
  void Reset() { failures_ = 0; }

 private:
  int failures_ = 0;
};

}  // namespace wb
