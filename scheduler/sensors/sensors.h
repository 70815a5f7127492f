#pragma once

// Sensors: heat, power and load of the hardware behind a device. What a machine does not have, or
// does not let us read, is left out; reading never fails.
//
// Threads: one at a time.

#include <memory>
#include <string>

#include "compiler/base/status.h"
#include "scheduler/clock.h"
#include "scheduler/devices/device.h"

namespace wb {

class Sensors {
 public:
  virtual ~Sensors() = default;
  // Some tens of microseconds to a millisecond. What is counted since the last call (power of
  // processors, utilisation, throttling) is missing from the first.
  virtual Telemetry Read() = 0;
};

// The processors' (Linux: hwmon, thermal zones, powercap, /proc/stat, under `root`; elsewhere
// nothing is found).
std::unique_ptr<Sensors> OpenCpuSensors(const std::string& root, Clock& clock);

// An NVIDIA GPU's, by NVML, opened at run time. `path`: the library, or empty for the loader's
// search. `bus`: the GPU's PCI bus id, "0000:3b:00.0"; empty: the first. CONFIG_INVALID: there is
// no NVML, or it does not know the GPU.
Result<std::unique_ptr<Sensors>> OpenNvidiaSensors(const std::string& path, const std::string& bus);

}  // namespace wb
