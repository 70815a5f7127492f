#pragma once

// Backoff: how long to wait before trying again what the machine failed to do. Pure.

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace wb {

class Backoff {
 public:
  static constexpr std::chrono::milliseconds kFirst{100};
  static constexpr std::chrono::milliseconds kLongest{5000};
  // Of what a job waits for: about half a minute, then it ends with the machine's fault.
  static constexpr uint32_t kMostTries = 10;

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
