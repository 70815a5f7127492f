#pragma once

// How many instances sit in some seats, and what they have used. Pure.

#include <cstdint>

namespace wb {

// Numbers of an engine, which is not trusted.
inline uint64_t AddBounded(uint64_t a, uint64_t b) { return b > ~a ? ~uint64_t{0} : a + b; }

// The instances in some seats after a launch.
struct Seated {
  uint64_t running = 0;  // left midway, in as many lanes
  uint64_t queued = 0;   // no lane has taken them
  uint64_t fuel = 0;     // that the running ones have used

  Seated& operator+=(const Seated& other) {
    running += other.running;
    queued += other.queued;
    fuel = AddBounded(fuel, other.fuel);
    return *this;
  }
};

}  // namespace wb
