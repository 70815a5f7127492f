#pragma once

#include <memory>

#include "scheduler/scheduler.h"
#include "scheduler/trace/inspector.h"

namespace wb {

// An inspector whose instances run in an engine host of their own, as the scheduler's do: of
// `settings` only what concerns engine hosts counts. It starts none yet.
std::unique_ptr<Inspector> CreateInspector(const SchedulerSettings& settings,
                                           const InspectionLimits& limits,
                                           std::shared_ptr<LoweredModules> modules);

}  // namespace wb
