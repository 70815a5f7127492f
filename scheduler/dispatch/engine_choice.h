#pragma once

// Which class of device runs a job, and why. Pure.

#include <cstdint>
#include <string>

#include "compiler/base/status.h"
#include "scheduler/job/job.h"

namespace wb {

enum class DeviceClass : uint8_t { kCpu, kGpu, kInterpreter };

// The class of device that runs the job's compiled kernel first. A GPU only for jobs that ask for
// it: others get one when measurements say so (placement/decision.h).
DeviceClass CompiledClass(Placement wanted);

struct PlacementFacts {
  Placement wanted = Placement::kAuto;
  bool enabled = true;  // whether the machine has a device of that class
  std::string avoids;   // why this job must not go to it; empty: it may
  Status refused;       // why the compiler has no kernel for the module
  // The class for a job that leaves the choice open.
  DeviceClass compiled = DeviceClass::kCpu;
};

struct PlacementChoice {
  DeviceClass device_class = DeviceClass::kCpu;
  std::string reason;  // one sentence
};

// An error only for a job that insists on its device: the refusal, NO_DEVICE_FITS or
// COMPILE_FAILED.
Result<PlacementChoice> ChoosePlacement(const PlacementFacts& facts);

}  // namespace wb
