#pragma once

// How a device is started, in this process or in an engine host.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>

#include "compiler/base/status.h"
#include "scheduler/devices/device.h"

namespace wb {

// How long the process that holds a device has not been heard. Any thread.
struct ShownSilence {
  std::atomic<int64_t> ms{0};  // Silence::length() of engine_host/silence.h
  int64_t longest_ms = 0;
};

struct StartedDevice {
  std::shared_ptr<Device> device;
  int64_t host_pid = 0;  // engine host process, 0 if in process
  // Ends the device now: every call into it returns DEVICE_LOST. Any thread. May be empty.
  std::function<void()> kill = {};
  std::shared_ptr<const ShownSilence> silence = {};  // of its process; may be null
};
// Makes a device ready. It may call `on_lost` when the device ends by itself, from any thread.
using DeviceStarter = std::function<Result<StartedDevice>(std::function<void()> on_lost)>;

}  // namespace wb
