#pragma once

// A device whose next loaded kernel misbehaves: the module's own text with a deliberate fault put
// at the kernel's start, compiled by the device itself. Kernels loaded before and after are sound.

#include <atomic>
#include <memory>
#include <string>

#include "scheduler/devices/device.h"
#include "scheduler/run/device_loop.h"

namespace wb::test {

enum class Fault : uint8_t {
  kNone,
  kIllegalAccess,  // writes to an address that is not allocated
  kHang,           // loops without a look at the stop word
};

// What a test and the devices share that it starts one after the other.
struct FaultPlan {
  std::atomic<Fault> next{Fault::kNone};  // of the next Load(), which takes it
  uint32_t instance = 0;                  // the launch in which this one is to start
};

// The text with the fault in it, striking in the launch in which `instance` (column 0) is seated.
// INTERNAL where the text has no such kernel.
Result<std::string> Tampered(std::string text, Fault fault, uint32_t instance);

StartedDevice WithFaults(StartedDevice started, std::shared_ptr<FaultPlan> plan);

}  // namespace wb::test
