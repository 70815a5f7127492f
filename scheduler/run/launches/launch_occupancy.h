#pragma once

// LaunchOccupancy: how many lanes a job's own launches fill (occupancy_tuner.h), and what each
// launch shows of it. Only on the device's own thread.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "scheduler/control/occupancy_tuner.h"
#include "scheduler/devices/device.h"
#include "scheduler/run/launches/launch_outcome.h"
#include "scheduler/run/seats/seat_sets.h"

namespace wb {

class LaunchOccupancy {
 public:
  // May be null: then launches fill all of the device.
  void SetTuner(std::shared_ptr<OccupancyTuner> tuner) { tuner_ = std::move(tuner); }
  // What the pipeline's launches have settled on, once.
  std::optional<OccupancyChoice> TakeChoice();

  void BeginDispatch(const SeatSets::Entry& entry);   // the job's first, without instances
  OccupancyTuner::Wish Next(SeatSets::Entry* entry);  // for its next launch
  void Begin(SeatSets::Entry* entry, bool alone);     // its launch; no other is in flight
  void Passed(std::chrono::nanoseconds busy) { busy_ += busy; }  // a launch has ended
  // What a launch showed. `before`: of the instances that were seated when it began.
  void Record(const SeatSets::Entry& entry, const LaunchLimits& limits, const LaunchReport& report,
              const Seated& before, const LaunchOutcome& outcome);

 private:
  std::shared_ptr<OccupancyTuner> tuner_;
  std::chrono::nanoseconds busy_{};  // of the job's launches here
};

}  // namespace wb
