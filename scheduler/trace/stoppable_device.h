#pragma once

// StoppableDevice: a device that one thread starts, uses and ends, and that another may stop.

#include <memory>

#include "compiler/base/mutex.h"
#include "scheduler/devices/started_device.h"

namespace wb {

class StoppableDevice {
 public:
  explicit StoppableDevice(DeviceStarter start) : start_(std::move(start)) {}
  StoppableDevice(const StoppableDevice&) = delete;
  StoppableDevice& operator=(const StoppableDevice&) = delete;

  // Starts one where there is none. Errors: those of the starter; CANCELLED after Stop.
  Status Start();
  void End();  // the next Start makes another
  // Ends what the device does, and its process; every Start fails from then on. Any thread.
  void Stop();

  // Between Start and End, on the thread that calls them.
  Device& operator*() const { return *device_; }
  Device* operator->() const { return device_.get(); }

 private:
  const DeviceStarter start_;
  std::shared_ptr<Device> device_;  // null: none is started

  Mutex mutex_;
  StartedDevice stoppable_ WB_GUARDED_BY(mutex_);  // device_
  bool stopped_ WB_GUARDED_BY(mutex_) = false;
};

}  // namespace wb
