#pragma once

// What CreateScheduler puts together, so that tests put other things together.

#include <functional>
#include <memory>
#include <string>

#include "scheduler/clock.h"
#include "scheduler/device_loop.h"
#include "scheduler/lowering.h"
#include "scheduler/scheduler.h"

namespace wb {

struct SchedulerParts {
  DeviceStarter cpu;   // empty: no CPU device
  DeviceStarter cuda;  // empty: no GPU
  std::string gpu_id = "cuda0";
  DeviceStarter interpreter;  // needed
  CompilerCalls compiler;
  Clock* clock = nullptr;  // outlives the scheduler
};

// Starts the devices. The cache and the limits come from `settings`.
Result<std::unique_ptr<Scheduler>> AssembleScheduler(const SchedulerSettings& settings,
                                                     SchedulerParts parts);

}  // namespace wb
