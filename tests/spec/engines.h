#pragma once

// The devices that the suite runs on, in process.

#include <memory>
#include <string_view>

#include "scheduler/devices/device.h"

namespace wb::spec {

struct EngineChoice {
  Engine engine = Engine::kCpu;
  MemoryLayout layout = MemoryLayout::kContiguous;
  Floats floats = Floats::kNative;    // kMetal: kernels only, with subnormals flushed
  uint32_t threads = 0;               // 0: one per processor
  bool chunks = false;                // cpu, cuda: as many texts as can be
  bool resident = false;              // cuda: one kernel stays on the GPU
  Effort effort = Effort::kFull;      // of builds
  Windows windows = Windows::kNever;  // cpu, cuda: lanes hold a part of memory first
};

// Metal where there is none of Apple's: what tests/standin/metal makes of this processor.
std::string_view SpecEngineName(Engine engine);  // "cpu", "metal-standin"

Result<std::unique_ptr<Device>> OpenEngine(const EngineChoice& choice);

}  // namespace wb::spec
