#pragma once

// The interpreter engine: the IR itself, on the same lane state and with the same runtime text as
// the compiled engines. It answers while a pipeline builds, and runs modules that cannot be
// compiled.

#include <cstdint>
#include <memory>
#include <string>

#include "compiler/base/status.h"
#include "scheduler/devices/device.h"
#include "scheduler/devices/host_memory.h"

namespace wb {

struct InterpreterSettings {
  std::string id = "interpreter0";
  uint32_t threads = 0;                     // 0: one per processor
  uint64_t memory_bytes = 0;                // for lane state; 0: half of physical memory
  std::shared_ptr<HostMemory> host_memory;  // null: anonymous memory
  // Launches report the calls under way at their last trap. The device then has one thread.
  bool traces = false;
  // Launches report where their instances' fuel went, too (fuel_profile.h), and take longer. Only
  // with `traces`.
  bool profiles = false;
  // For tests: an access of which something wrong is known (compiler/docs/accesses.md) stops the
  // process. Engines that rely on it would read other bytes.
  bool asserts_facts = false;
};

// One that is also an InspectingDevice. It has one thread, and its programs hold every local
// (compiler/lower_whole.h), so that lanes do not move between it and other devices.
std::unique_ptr<Device> CreateInspectingInterpreter(const InterpreterSettings& settings);

// Build returns the module's binary and ignores the kernel text; Load translates the module given.
std::unique_ptr<Device> CreateInterpreterDevice(const InterpreterSettings& settings);

}  // namespace wb
