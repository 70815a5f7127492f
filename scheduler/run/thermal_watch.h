#pragma once

// ThermalWatch: reads a device's sensors, asks the governor when the device rests, and says so; and
// what the device draws while it works.
//
// Threads: any for the first three, the device's own for the others.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "compiler/base/mutex.h"
#include "scheduler/base/clock.h"
#include "scheduler/control/energy_meter.h"
#include "scheduler/control/thermal_governor.h"
#include "scheduler/devices/device.h"
#include "scheduler/job/waits.h"
#include "scheduler/run/device_status.h"

namespace wb {

class ThermalWatch {
 public:
  explicit ThermalWatch(const ThermalSettings& settings) : governor_(settings) {}

  // An operator looks at the device: for a while its sensors are read while it is idle, too.
  void Watch(TimePoint now);
  void Show(DeviceStatus* status) const;
  std::optional<WaitReason> Wait(const std::string& device, TimePoint now) const;  // while it rests

  // A device has started: its sensors are read.
  void Start(Device& device, TimePoint now);
  // Whether the device may be given work. `idle`: no launch is in flight.
  bool MayWork(Device& device, TimePoint now, bool idle);
  // Why the device has begun to rest, once, where that rest is long enough to tell the jobs.
  std::optional<std::string> TakeNews();
  // A launch has ended. Its own time counts, not what it waited behind others.
  void RecordWork(std::chrono::nanoseconds busy, TimePoint now);
  // A launch has begun after a time without any. Where the sensors measure energy they are read, so
  // that a long idle time is not taken for work.
  void BeginWork(Device& device, TimePoint now);
  // Of a launch that RecordWork was told, after its results were delivered: the power that the
  // device drew meanwhile, for which the sensors may be read. Unset: nothing measures it.
  std::optional<double> WattsOfWork(Device& device, TimePoint now);
  // What is left of the burst, where a rest follows it.
  std::optional<std::chrono::nanoseconds> TimeLeft(TimePoint now) const;
  bool IsResting() const { return !rest_.IsOver(); }
  const Rest& rest() const { return rest_; }
  Telemetry telemetry() const {  // of the last look at the sensors
    MutexLock lock(mutex_);
    return telemetry_;
  }
  // The next time at which the governor or the sensors are asked.
  TimePoint NextLook(TimePoint now, bool has_device) const;

 private:
  bool HasSensors() const;
  bool IsWatched(TimePoint now) const;
  void Sample(Device& device, TimePoint now, std::chrono::nanoseconds oldest);

  // Of the device's thread.
  ThermalGovernor governor_;
  EnergyMeter energy_;
  Rest rest_;  // as the governor said last
  std::optional<std::string> news_;
  bool worked_ = false;          // since its sensors were read
  TimePoint sampled_{};          // when its sensors were read last
  uint32_t silent_samples_ = 0;  // in a row, that gave nothing

  mutable Mutex mutex_;
  Telemetry telemetry_ WB_GUARDED_BY(mutex_);
  std::string words_ WB_GUARDED_BY(mutex_);  // of the rest; empty: none
  TimePoint rest_end_ WB_GUARDED_BY(mutex_){};
  TimePoint watched_until_ WB_GUARDED_BY(mutex_){};
};

}  // namespace wb
