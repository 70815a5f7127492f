#pragma once

// What a launch may take, and what it came to.

#include <chrono>
#include <cstdint>
#include <optional>

#include "scheduler/devices/lane_fuel.h"

namespace wb {

// What a launch may take, as its planner knows.
struct LaunchTimes {
  std::chrono::nanoseconds ahead{};  // that the launches under way may still take
  std::chrono::nanoseconds left{};   // for this one
};

struct LaunchOutcome {
  std::chrono::nanoseconds busy{};
  std::optional<double> joules;  // drawn meanwhile; unset: nothing measures it
  uint64_t instances = 0;        // ended
  uint64_t fuel = 0;             // of these
  uint64_t brought = 0;          // the part of `fuel` that other devices have run
  uint64_t drained = 0;          // instances that may have waited for room for their output
  uint64_t ran = 0;              // fuel run in the launch, by all instances in its seats
  LaneFuel lane_fuel;
  double useful = 1;  // of FullWidth lanes, the part that had an instance
};

}  // namespace wb
