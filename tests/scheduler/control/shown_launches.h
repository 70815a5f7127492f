#pragma once

// Launches that show a rate, and sums over them.

#include <chrono>

#include "scheduler/control/launch_tally.h"

namespace wb::test {

// Full, alone on the device for so long, at so many instructions a second.
inline OccupancyLaunch LaunchAt(double rate, std::chrono::nanoseconds time) {
  OccupancyLaunch launch;
  launch.lanes = 1000;
  launch.fuel = rate * std::chrono::duration<double>(time).count();
  launch.busy = launch.air = time;
  launch.full = true;
  return launch;
}

// Of one launch of 100 ms.
inline LaunchTally TallyAt(double rate) {
  LaunchTally tally;
  tally.Add(LaunchAt(rate, std::chrono::milliseconds(100)));
  return tally;
}

}  // namespace wb::test
