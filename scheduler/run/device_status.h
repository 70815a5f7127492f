#pragma once

// What an operator sees of a device.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scheduler/control/thermal_governor.h"
#include "scheduler/devices/device.h"
#include "scheduler/devices/kernel_build.h"
#include "scheduler/job/device_gate.h"

namespace wb {

// A launch that was begun and has not ended.
struct LaunchInFlight {
  static constexpr size_t kMostShown = 8;  // jobs
  struct Job {
    std::string name;    // JobSpec::name
    std::string tenant;  // JobSpec::tenant
  };

  uint64_t lanes = 0;                      // that have memory
  uint64_t seated = 0;                     // of these, that had an instance when it began
  KernelBuild build = KernelBuild::kNone;  // that runs it
  std::chrono::nanoseconds age{};          // since it was begun
  std::chrono::nanoseconds longest{};      // that it may run, by its limits
  uint64_t jobs = 0;                       // with instances in it
  std::vector<Job> shown;                  // the first kMostShown of them
};

struct DeviceStatus {
  DeviceInfo info;
  bool healthy = true;
  std::string state;  // "idle", "bursting", "cooling", "restarting", "not responding"
  std::string rest;   // why and until when, while it is cooling
  DevicePolicy policy = DevicePolicy::kBurst;
  Telemetry telemetry;  // of the last look at its sensors
  uint64_t bursts = 0;  // launches
  uint64_t instances = 0;
  uint64_t fuel = 0;
  uint64_t restarts = 0;
  std::chrono::nanoseconds busy{};
  LaneFuel lane_fuel;                     // in its launches, where it measures it
  std::optional<double> joules;           // that it drew in launches; unset: nothing measures it
  int64_t host_pid = 0;                   // engine host process, 0 if in process
  uint64_t jobs = 0;                      // that are here
  std::vector<LaunchInFlight> in_flight;  // the first runs, the others wait behind it
  // Whether it takes instances, for how long that has been so, and how long seated instances may
  // stay.
  Gate gate = Gate::kOpen;
  std::chrono::nanoseconds gate_age{};
  std::optional<std::chrono::nanoseconds> drain_left;
  std::string trouble;  // while it is lost or silent: why, and what comes next; empty: none
};

// What an order to a device came to.
struct GateChange {
  DeviceStatus status;
  bool changed = false;  // else it was so already
};

}  // namespace wb
