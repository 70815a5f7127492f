#pragma once

// LaunchTotals: what a device's launches have come to since it was opened. Threads: any.

#include <algorithm>

#include "compiler/base/mutex.h"
#include "scheduler/run/device_status.h"
#include "scheduler/run/launches/launch_outcome.h"

namespace wb {

class LaunchTotals {
 public:
  void Record(const LaunchOutcome& outcome) {
    MutexLock lock(mutex_);
    ++launches_;
    sum_.instances += outcome.instances;
    sum_.fuel += outcome.fuel - std::min(outcome.fuel, outcome.brought);
    sum_.busy += outcome.busy;
    sum_.lane_fuel.Add(outcome.lane_fuel);
    if (outcome.joules) sum_.joules = sum_.joules.value_or(0) + *outcome.joules;
  }
  // Fuel run here of instances that go on elsewhere.
  void RecordExported(uint64_t fuel) {
    MutexLock lock(mutex_);
    sum_.fuel += fuel;
  }
  void Show(DeviceStatus* status) const {
    MutexLock lock(mutex_);
    status->bursts = launches_;
    status->instances = sum_.instances;
    status->fuel = sum_.fuel;
    status->busy = sum_.busy;
    status->lane_fuel = sum_.lane_fuel;
    status->joules = sum_.joules;
  }

 private:
  mutable Mutex mutex_;
  uint64_t launches_ WB_GUARDED_BY(mutex_) = 0;
  LaunchOutcome sum_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
