#pragma once

// What CreateScheduler puts together, so that tests put other things together.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "scheduler/base/clock.h"
#include "scheduler/devices/gpu_search.h"
#include "scheduler/pipelines/lowering.h"
#include "scheduler/run/device_loop.h"
#include "scheduler/scheduler.h"
#include "scheduler/trace/tracer.h"

namespace wb {

// The GPUs, all of one kind of engine.
struct GpuParts {
  std::function<DeviceStarter(uint32_t ordinal)> starter;  // empty: there are none
  std::string kind = "cuda";                               // of the ids: "cuda0", "cuda1"
  GpuChoice choice = {{0}, true};

  // The one that this starts.
  static GpuParts One(std::string kind, DeviceStarter start) {
    return {[start = std::move(start)](uint32_t) { return start; }, std::move(kind), {{0}, true}};
  }
};

struct SchedulerParts {
  DeviceStarter cpu;  // empty: no CPU device
  // Without a compiler (CONFIG_INVALID) there is no CPU device, and the log says why; else there is
  // no scheduler then.
  bool cpu_may_lack = false;
  GpuParts gpus;
  DeviceStarter interpreter;  // needed
  CompilerCalls compiler;
  Clock* clock = nullptr;          // outlives the scheduler
  std::unique_ptr<Tracer> tracer;  // null: traps have no backtraces
};

// Of the engine host for replays (scheduler/trace), which holds nothing else.
DeviceStarter ReplayStarter(const SchedulerSettings& settings);

// Of the engine host for profiles, likewise.
DeviceStarter ProfileStarter(const SchedulerSettings& settings);

// Starts the devices. The cache and the limits come from `settings`.
Result<std::unique_ptr<Scheduler>> AssembleScheduler(const SchedulerSettings& settings,
                                                     SchedulerParts parts);

}  // namespace wb
