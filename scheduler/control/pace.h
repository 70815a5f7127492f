#pragma once

// Pace: how long the next launch of a job may last. Pure.
//
// A launch does not refill its lanes. Where a few long instances keep it going while others of the
// job wait for seats, processors idle until its end; so the next one is shorter, and longer again
// when that does not happen any more. The same where lanes wait until their output is drained.

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace wb {

class Pace {
 public:
  static constexpr std::chrono::nanoseconds kShortest = std::chrono::milliseconds(10);

  explicit Pace(std::chrono::nanoseconds longest) : longest_(longest), next_(longest) {}

  std::chrono::nanoseconds next() const { return next_; }

  struct Launch {
    uint32_t seats_left = 0;     // of a device that runs
    uint32_t threads = 1;        // of them at a time,
    uint64_t waiting = 0;        // while so many instances of the job have no seat
    bool refills_lanes = false;  // seats are queued
    bool drained = false;        // an instance's output was drained after it
  };
  void Record(const Launch& launch) {
    const bool few = launch.seats_left > 0 && launch.seats_left < launch.threads;
    const bool idled = launch.drained || (few && launch.waiting > 0 && !launch.refills_lanes);
    next_ =
        idled ? std::max(std::min(kShortest, longest_), next_ / 2) : std::min(longest_, next_ * 2);
  }

 private:
  std::chrono::nanoseconds longest_;
  std::chrono::nanoseconds next_;
};

}  // namespace wb
