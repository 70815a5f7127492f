#pragma once

// Where a job runs, and why. Pure.

#include <string>

#include "compiler/base/status.h"
#include "scheduler/devices/device.h"
#include "scheduler/job.h"

namespace wb {

struct PlacementFacts {
  Placement wanted = Placement::kAuto;
  bool cpu_enabled = true;
  std::string avoids_cpu;  // why this job must not go to the CPU device; empty: it may
  Status refused;          // why the compiler has no kernel for the module
};

struct PlacementChoice {
  Engine engine = Engine::kCpu;
  std::string reason;  // one sentence
};

// An error only for a job that insists on the CPU: the refusal, NO_DEVICE_FITS or COMPILE_FAILED.
Result<PlacementChoice> ChoosePlacement(const PlacementFacts& facts);

}  // namespace wb
