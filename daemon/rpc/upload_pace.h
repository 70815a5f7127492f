#pragma once

// Whether an upload comes fast enough to keep its place, of which there are few. Pure.

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace wb {

class UploadPace {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::seconds kPatience{30};
  static constexpr size_t kLeastBytes = 64 << 10;  // in that time
  static constexpr uint64_t kBytesPerSecond = uint64_t{1}
                                              << 20;  // over the whole, beyond that time

  explicit UploadPace(Time now) : start_(now), progress_(now) {}

  void Came(size_t bytes, Time now) {
    all_ += bytes;
    since_progress_ += bytes;
    if (since_progress_ < kLeastBytes) return;
    since_progress_ = 0;
    progress_ = now;
  }

  // It has paused for too long, or would take too long for what it has brought.
  bool IsTooSlow(Time now) const {
    const std::chrono::seconds earned(all_ / kBytesPerSecond);
    return now - progress_ >= kPatience || now - start_ >= kPatience + earned;
  }

 private:
  const Time start_;
  Time progress_;
  uint64_t all_ = 0;
  size_t since_progress_ = 0;
};

}  // namespace wb
