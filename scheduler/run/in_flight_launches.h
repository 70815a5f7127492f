#pragma once

// InFlightLaunches: the launches of a device that were begun and not awaited, in the order in which
// they run. Pure; of the device's own thread. InFlightBoard: these as other threads see them.

#include <chrono>
#include <deque>
#include <utility>
#include <vector>

#include "compiler/base/mutex.h"
#include "scheduler/base/clock.h"
#include "scheduler/devices/device.h"
#include "scheduler/run/device_job.h"
#include "scheduler/run/device_status.h"

namespace wb {

// Of a job's own seats, or of a batch.
struct InFlightLaunch {
  DeviceJob* job = nullptr;  // whose turn it was
  SeatSets::Entry* seats = nullptr;
  SharedBatch* batch = nullptr;
  LaunchLimits limits;
  TimePoint begun{};

  const SeatTable& table() const { return batch != nullptr ? batch->seats : seats->seats; }
  Dispatch& dispatch() const {
    return batch != nullptr ? batch->seats.dispatch() : seats->seats.dispatch();
  }
  // Of instances under which an engine died: no other launch is begun beside it.
  bool IsSuspect() const { return seats != nullptr && seats->seat_class.deaths > 0; }
  std::vector<DeviceJob*> Jobs() const;  // with instances in it
};

// A launch, but for its age and the names of its jobs: these are looked up when somebody asks.
struct LaunchOnBoard {
  TimePoint begun{};
  LaunchInFlight launch;
  std::vector<ActiveJobRef> jobs;  // the first LaunchInFlight::kMostShown of them
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
  std::vector<LaunchOnBoard> ForBoard() const;

 private:
  std::deque<InFlightLaunch> launches_;
};

// Threads: any.
class InFlightBoard {
 public:
  void Publish(std::vector<LaunchOnBoard> launches) {
    MutexLock lock(mutex_);
    launches_.swap(launches);  // those before go after the lock
  }
  void Show(TimePoint now, DeviceStatus* status) const {
    MutexLock lock(mutex_);
    for (const LaunchOnBoard& shown : launches_) {
      LaunchInFlight launch = shown.launch;
      launch.age = now - shown.begun;
      for (const ActiveJobRef& job : shown.jobs) {
        launch.shown.push_back({job->plan.spec.name, job->plan.spec.tenant});
      }
      status->in_flight.push_back(std::move(launch));
    }
  }

 private:
  mutable Mutex mutex_;
  std::vector<LaunchOnBoard> launches_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
