#pragma once

// BuildTarget: a device, as the builder of its pipelines sees it.
//
// Threads: any.

#include <memory>

#include "compiler/base/status.h"
#include "scheduler/base/clock.h"
#include "scheduler/devices/device.h"

namespace wb {

class BuildTarget {
 public:
  virtual ~BuildTarget() = default;
  virtual DeviceInfo info() const = 0;  // of the device as it last was
  // The device, if it is up by `until`; DEVICE_LOST if not.
  virtual Result<std::shared_ptr<Device>> AwaitDevice(TimePoint until) = 0;
};

}  // namespace wb
