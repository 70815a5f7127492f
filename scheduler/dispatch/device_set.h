#pragma once

// DeviceSet: the devices of this machine, as the coordinator sees them.
//
// Only on the coordinator's thread. The devices outlive the set.

#include <string>
#include <vector>

#include "scheduler/dispatch/engine_choice.h"
#include "scheduler/run/device_loop.h"

namespace wb {

class DeviceSet {
 public:
  // `cpu` may be nullptr; `interpreter` may not.
  DeviceSet(DeviceLoop* cpu, std::vector<DeviceLoop*> gpus, DeviceLoop* interpreter);

  DeviceLoop* cpu() const { return cpu_; }  // nullptr: there is none
  const std::vector<DeviceLoop*>& gpus() const { return gpus_; }
  DeviceLoop* interpreter() const { return interpreter_; }
  void AddGpu(DeviceLoop* gpu) { gpus_.push_back(gpu); }

  std::vector<DeviceLoop*> Of(DeviceClass device_class) const;
  std::vector<DeviceLoop*> All() const;
  DeviceLoop* Named(const std::string& id) const;  // the interpreter where no device has that id
  DeviceClass ClassOf(const DeviceLoop* device) const;
  bool IsGpu(const DeviceLoop* device) const;
  bool IsOpen(DeviceClass device_class) const;  // one device of that class is
  void WakeAll() const;

 private:
  DeviceLoop* const cpu_;
  std::vector<DeviceLoop*> gpus_;
  DeviceLoop* const interpreter_;
};

}  // namespace wb
