#pragma once

// What the process of a device is started with.

#include <chrono>
#include <cstdint>
#include <string>

#include "scheduler/base/scheduler_log.h"
#include "scheduler/devices/compiler_limits.h"
#include "scheduler/devices/cuda/cuda_libraries.h"
#include "scheduler/devices/device.h"
#include "scheduler/devices/metal/metal_options.h"

namespace wb {

struct EngineHostSettings {
  std::string program;  // the wasmburst-engine binary
  Engine engine = Engine::kCpu;
  std::string id;            // "cpu0"
  uint32_t gpu_ordinal = 0;  // of the cuda engine: as the driver counts
  uint32_t threads = 0;
  uint64_t memory_bytes = 0;
  std::string compiler_path;  // of the cpu engine
  CudaLibraries cuda_libraries;
  MetalOptions metal;
  bool cuda_resident = false;
  bool cuda_maps_memory = true;
  bool low_priority = false;  // of the cuda engine's launches (CudaSettings)
  CompilerLimits compile;
  Isolation isolation = Isolation::kOff;         // of the process
  uint32_t compile_parallel = 1;                 // builds that may be under way
  int niceness = 0;                              // more than this process's
  std::chrono::milliseconds max_silence{10000};  // see EngineConnection
  // How long the daemon waits beyond the time that a request was given, before it counts the host
  // as hung and kills it. (silence.h finds a host sooner that does not even say that it lives.)
  std::chrono::nanoseconds patience = std::chrono::seconds(60);
  bool runs_only = false;  // another host builds its kernels
  std::string builds_for;  // it builds for devices of this target and runs nothing; empty: no
  bool traces = false;     // of the interpreter: see InterpreterSettings
  bool inspects = false;   // likewise
  bool profiles = false;   // likewise
  // Of the interpreter's process: LimitMemory (host_process.h). 0: no limit.
  uint64_t max_process_bytes = 0;
  SchedulerLog log = {};  // hears what is in force of it; may be empty
};

}  // namespace wb
