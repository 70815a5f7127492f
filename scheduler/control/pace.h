#pragma once

// Pace: how long the next launch of a job may last. Pure.
//
// A launch does not refill its lanes. Where a few long instances keep it going while others of the
// job wait for seats, processors idle until its end; so the next one is shorter, and longer again
// when that does not happen any more.

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace wb {

class Pace {
 public:
  static constexpr std::chrono::nanoseconds kShortest = std::chrono::milliseconds(10);

  explicit Pace(std::chrono::nanoseconds longest) : longest_(longest), next_(longest) {}

  std::chrono::nanoseconds next() const { return next_; }

  // A launch has ended with `seats_left` of a device that runs `threads` of them at a time, and
  // `waiting` instances of the job have no seat.
  void Record(uint32_t seats_left, uint32_t threads, uint64_t waiting) {
    const bool idled = seats_left > 0 && seats_left < threads && waiting > 0;
    next_ =
        idled ? std::max(std::min(kShortest, longest_), next_ / 2) : std::min(longest_, next_ * 2);
  }

 private:
  std::chrono::nanoseconds longest_;
  std::chrono::nanoseconds next_;
};

}  // namespace wb
