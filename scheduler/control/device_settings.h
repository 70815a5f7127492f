#pragma once

// What an operator sets of a device.

#include <chrono>
#include <cstdint>

#include "scheduler/control/thermal_governor.h"

namespace wb {

struct DeviceSettings {
  std::chrono::milliseconds burst_max_duration{500};
  std::chrono::milliseconds cooldown{0};    // after a burst, as thermal_governor.h says
  uint32_t burst_instances = 1024;          // seats of one dispatch; 0: the device's threads
  uint64_t slice_fuel = uint64_t{1} << 62;  // of an instance in one launch
  // The rest of what thermal_governor.h says.
  DevicePolicy policy = DevicePolicy::kBurst;
  float temp_high = 80;
  float temp_low = 70;
  float power_share = 0.8F;
  float quiet_share = 0.25F;
  std::chrono::milliseconds longest_rest{60000};
  uint32_t input_percent = 50;  // of a device's memory, for inputs that it keeps
  bool shares_launches = true;  // small jobs that may (batch_key.h) share one dispatch
  bool tunes_occupancy = true;  // of GPUs: how many lanes run at a time is measured, else all do

  ThermalSettings Thermal() const {
    return {policy,   burst_max_duration, cooldown,    temp_high,
            temp_low, power_share,        quiet_share, longest_rest};
  }
};

}  // namespace wb
