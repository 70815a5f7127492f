#pragma once

// Where a job runs, and why. Pure.

#include <string>

#include "compiler/base/status.h"
#include "scheduler/devices/device.h"
#include "scheduler/job/job.h"

namespace wb {

// The engine that runs the job's compiled kernel first. A GPU only for jobs that ask for it: others
// come to it when measurements say so (placement/decision.h).
Engine CompiledEngine(Placement wanted);

struct PlacementFacts {
  Placement wanted = Placement::kAuto;
  bool enabled = true;  // whether that engine is here
  std::string avoids;   // why this job must not go to it; empty: it may
  Status refused;       // why the compiler has no kernel for the module
  // The one of a job that leaves the choice open.
  Engine compiled = Engine::kCpu;
};

struct PlacementChoice {
  Engine engine = Engine::kCpu;
  std::string reason;  // one sentence
};

// An error only for a job that insists on its engine: the refusal, NO_DEVICE_FITS or
// COMPILE_FAILED.
Result<PlacementChoice> ChoosePlacement(const PlacementFacts& facts);

}  // namespace wb
