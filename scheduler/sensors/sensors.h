#pragma once

// Sensors: heat, power and load of the hardware behind a device. What a machine does not have, or
// does not let us read, is left out; reading never fails.
//
// Threads: one at a time.

#include <cstdint>
#include <memory>
#include <string>

#include "compiler/base/status.h"
#include "scheduler/base/clock.h"
#include "scheduler/sensors/telemetry.h"

namespace wb {

class Sensors {
 public:
  virtual ~Sensors() = default;
  // Some tens of microseconds to a millisecond. What is counted since the last call (power of
  // processors, utilisation, throttling) is missing from the first.
  virtual Telemetry Read() = 0;
  // What they are, for people: "SMC: 9 thermometers Tg*, power of the whole Mac".
  virtual std::string Words() const { return ""; }
};

// The processors' (Linux: hwmon, thermal zones, powercap, /proc/stat, under `root`; macOS: the
// SMC's; elsewhere nothing is found).
std::unique_ptr<Sensors> OpenCpuSensors(const std::string& root, Clock& clock);

// An NVIDIA GPU's, by NVML, opened at run time. `path`: the library, or empty for the loader's
// search. `bus`: the GPU's PCI bus id, "0000:3b:00.0"; empty: the first. CONFIG_INVALID: there is
// no NVML, or it does not know the GPU.
Result<std::unique_ptr<Sensors>> OpenNvidiaSensors(const std::string& path, const std::string& bus);

// A Mac's, by its SMC. CONFIG_INVALID: it has none that can be read. On macOS alone, and in tests
// over what stands in for IOKit.
enum class MacPart : uint8_t { kGpu, kProcessors };
Result<std::unique_ptr<Sensors>> OpenSmcSensors(MacPart part);

}  // namespace wb
