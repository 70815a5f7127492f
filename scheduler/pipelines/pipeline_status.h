#pragma once

// What an operator sees of a pipeline on one device.

#include <chrono>
#include <cstdint>
#include <optional>

#include "compiler/base/digest.h"
#include "scheduler/control/occupancy.h"
#include "scheduler/devices/kernel_build.h"
#include "scheduler/devices/lane_fuel.h"
#include "scheduler/devices/pipeline_facts.h"

namespace wb {

struct PipelineStatus {
  KernelBuild build = KernelBuild::kNone;
  bool is_best = false;
  bool fast32 = false;
  PipelineFacts facts;
  uint32_t processors = 0;  // of the device; 0: it has none to count
  // What launches were tried with and settled on, now or in a daemon before; of several programs of
  // the module that of the last one. nullopt: nothing was settled.
  std::optional<Occupancy> occupancy;
  // Of its launches since the daemon started, whichever jobs' they were.
  uint64_t launches = 0;
  uint64_t fuel = 0;
  std::chrono::nanoseconds busy{};
  LaneFuel lane_fuel;
};

}  // namespace wb
