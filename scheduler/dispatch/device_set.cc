#include "scheduler/dispatch/device_set.h"

#include <algorithm>
#include <utility>

#include "compiler/base/check.h"

namespace wb {

DeviceSet::DeviceSet(DeviceLoop* cpu, std::vector<DeviceLoop*> gpus, DeviceLoop* interpreter)
    : cpu_(cpu), gpus_(std::move(gpus)), interpreter_(interpreter) {
  WB_CHECK(interpreter_ != nullptr);
}

std::vector<DeviceLoop*> DeviceSet::Of(DeviceClass device_class) const {
  switch (device_class) {
    case DeviceClass::kCpu: return cpu_ == nullptr ? std::vector<DeviceLoop*>() : std::vector{cpu_};
    case DeviceClass::kGpu: return gpus_;
    case DeviceClass::kInterpreter: return {interpreter_};
  }
  return {};
}

std::vector<DeviceLoop*> DeviceSet::All() const {
  std::vector<DeviceLoop*> all = gpus_;
  if (cpu_ != nullptr) all.push_back(cpu_);
  all.push_back(interpreter_);
  return all;
}

DeviceLoop* DeviceSet::Named(const std::string& id) const {
  for (DeviceLoop* device : All()) {
    if (device->id() == id) return device;
  }
  return interpreter_;
}

DeviceClass DeviceSet::ClassOf(const DeviceLoop* device) const {
  if (device == interpreter_) return DeviceClass::kInterpreter;
  return device == cpu_ ? DeviceClass::kCpu : DeviceClass::kGpu;
}

bool DeviceSet::IsGpu(const DeviceLoop* device) const {
  return std::find(gpus_.begin(), gpus_.end(), device) != gpus_.end();
}

bool DeviceSet::IsOpen(DeviceClass device_class) const {
  const std::vector<DeviceLoop*> devices = Of(device_class);
  return std::any_of(devices.begin(), devices.end(),
                     [](const DeviceLoop* device) { return device->IsOpen(); });
}

void DeviceSet::WakeAll() const {
  for (DeviceLoop* device : All()) device->Wake();
}

}  // namespace wb
