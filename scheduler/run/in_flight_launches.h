#pragma once

// InFlightLaunches: the launches of a device that were begun and not awaited, in the order in which
// they run. Pure; of the device's own thread.

#include <chrono>
#include <deque>
#include <vector>

#include "scheduler/devices/device.h"
#include "scheduler/run/device_job.h"

namespace wb {

// Of a job's own seats, or of a batch.
struct InFlightLaunch {
  DeviceJob* job = nullptr;  // whose turn it was
  SeatSets::Entry* seats = nullptr;
  SharedBatch* batch = nullptr;
  LaunchLimits limits;

  Dispatch& dispatch() const {
    return batch != nullptr ? batch->seats.dispatch() : seats->seats.dispatch();
  }
  // Of instances under which an engine died: no other launch is begun beside it.
  bool IsSuspect() const { return seats != nullptr && seats->seat_class.deaths > 0; }
  std::vector<DeviceJob*> Jobs() const;  // with instances in it
};

class InFlightLaunches {
 public:
  void Add(const InFlightLaunch& launch) { launches_.push_back(launch); }
  void RemoveOldest() { launches_.pop_front(); }
  void RemoveNewest() { launches_.pop_back(); }
  bool empty() const { return launches_.empty(); }
  const InFlightLaunch& oldest() const { return launches_.front(); }

  // Another launch may be begun beside these.
  bool MayAdd(const DeviceInfo& info) const;
  std::chrono::nanoseconds Time() const;       // that they may take together
  std::vector<const ActiveJob*> Jobs() const;  // with instances in any of them, sorted

 private:
  std::deque<InFlightLaunch> launches_;
};

}  // namespace wb
