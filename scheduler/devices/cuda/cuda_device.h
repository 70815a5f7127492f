#pragma once

// The cuda engine: kernel text compiled by NVRTC, run on an NVIDIA GPU through its driver. Both are
// opened at run time.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "compiler/base/status.h"
#include "scheduler/devices/compiler_limits.h"
#include "scheduler/devices/cuda/cuda_builder.h"
#include "scheduler/devices/cuda/cuda_libraries.h"
#include "scheduler/devices/cuda/driver.h"
#include "scheduler/devices/device.h"
#include "scheduler/devices/host_memory.h"
#include "scheduler/sensors/sensors.h"

namespace wb {

struct CudaSettings {
  std::string id = "cuda0";
  int ordinal = 0;               // of the GPU, as the driver counts
  uint64_t memory_bytes = 0;     // for lane state; 0: nine tenths of what is free now
  uint32_t block_threads = 128;  // at most, where a launch names none; 32, 64, ... 1024
  // Test mode: the floats that a Mac gets, with subnormals flushed as there.
  bool metal_floats = false;
  // One kernel stays on the GPU and gets its launches there (resident_kernel.h). For a GPU that
  // nothing else uses.
  bool resident = false;
  bool low_priority = false;  // of launches, among those that share the GPU's context or its MPS
  // Lane state may be addresses to which memory is mapped as lanes grow, where the driver and the
  // GPU can do that (DispatchShape::mapped_pages).
  bool maps_memory = true;
  // Texts whose lanes may hold a part of memory 0 (DispatchShape::window).
  Windows windows = Windows::kWhereLarge;
  CudaLibraries libraries;
  std::string nvrtc_program;   // wasmburst-nvrtc; empty: beside this program
  std::string work_directory;  // for compiles; empty: the system's
  CompilerLimits compile;
  // False: no compiler is looked for and Build() fails. info().target is then no more than what a
  // builder must know of the GPU (cuda_builder.h).
  bool builds = true;
  // A text with more bytes of functions is compiled as several, side by side (emit/chunks.h).
  uint64_t chunk_bytes = uint64_t{128} << 10;
  std::shared_ptr<HostMemory> host_memory;  // null: anonymous memory
};

// Of these, what concerns the compiler.
NvrtcSettings NvrtcOf(const CudaSettings& settings);

// CONFIG_INVALID, naming every place looked at, where there is no driver, GPU or compiler.
Result<std::unique_ptr<Device>> CreateCudaDevice(const CudaSettings& settings);

// The same over parts that a test supplies.
struct CudaParts {
  CudaDriverRef driver;
  CudaBuilds builds;
  // The sensors of the GPU at this PCI bus id, or nullptr. May be empty.
  std::function<Result<std::unique_ptr<Sensors>>(const std::string& bus)> sensors = {};
};
Result<std::unique_ptr<Device>> CreateCudaDevice(const CudaSettings& settings, CudaParts parts);

}  // namespace wb
