#pragma once

// OccupancyTrial: launches with one occupancy, until they have shown how fast it is or that they
// show nothing. Pure.

#include <chrono>
#include <cstdint>

#include "scheduler/control/launch_tally.h"
#include "scheduler/control/occupancy.h"

namespace wb {

class OccupancyTrial {
 public:
  // Of a launch; where more run abreast than kLaunches each is as much shorter.
  static constexpr std::chrono::nanoseconds kTime = std::chrono::milliseconds(100);
  static constexpr double kHopeless = 0.7;    // of the best: half a trial is enough to see it
  static constexpr uint32_t kLaunches = 2;    // that a trial takes, times so many abreast
  static constexpr uint32_t kMost = 8;        // likewise, where they do not last alike
  static constexpr uint32_t kMostUnfit = 12;  // times so many abreast that show nothing

  struct Plan {
    Occupancy occupancy;   // of the whole device
    uint32_t abreast = 1;  // launches that fill the device together; at least 1
    std::chrono::nanoseconds time = kTime;
    uint32_t most_unfit = kMostUnfit;
    double best_rate = 0;  // that is known: a trial that is hopeless beside it ends early; 0: none
  };
  OccupancyTrial() = default;
  explicit OccupancyTrial(const Plan& plan) : plan_(plan) {}

  enum class Verdict : uint8_t { kGoesOn, kShown, kShowsNothing };
  // `is_steady`: it ran beside its like alone. Not to be called after another verdict than kGoesOn.
  Verdict Add(const OccupancyLaunch& launch, bool is_steady);

  const Occupancy& occupancy() const { return plan_.occupancy; }
  // What the next launch may last: longer after some that showed nothing, since lanes become fewer
  // only slowly where instances are long.
  std::chrono::nanoseconds longest() const;
  const LaunchTally& tally() const { return tally_; }  // of those that were steady

 private:
  bool IsEnough() const;

  Plan plan_;
  LaunchTally tally_;
  uint32_t unfit_ = 0;  // launches that showed nothing
  uint32_t noted_ = 0;  // all launches
};

}  // namespace wb
