#include "scheduler/control/launch_tally.h"

namespace wb {
namespace {

double Seconds(std::chrono::nanoseconds time) { return static_cast<double>(time.count()) / 1e9; }

}  // namespace

void LaunchTally::Add(const OccupancyLaunch& launch) {
  fuel_ += launch.fuel;
  in_turn_ += Seconds(launch.busy);
  side_by_side_ += Seconds(launch.abreast > 1 ? launch.air / launch.abreast : launch.busy);
  ++launches_;
}

bool LaunchTally::IsLong() const { return in_turn_ >= Seconds(kLeastTime); }

bool LaunchTally::IsSure() const {
  return std::max(in_turn_, side_by_side_) <= std::min(in_turn_, side_by_side_) * (1 + kAlike);
}

}  // namespace wb
