#pragma once

// Builds for the cuda engine, and a device of it that builds kernels and runs none, for another
// process that runs them. It needs no driver and no GPU: all that a compiler must know of the GPU
// is its architecture.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "compiler/base/status.h"
#include "scheduler/devices/cuda/cuda_compiler.h"
#include "scheduler/devices/device.h"

namespace wb {

// A compiler for one kind of GPU.
struct CudaBuilds {
  std::string target;                                       // of the compiler
  std::function<Result<Bytes>(const KernelSource&)> build;  // from any thread
  // A quicker one, for texts with fewer bytes than this. Empty: there is none.
  std::function<Result<Bytes>(const KernelSource&)> build_quick = {};
  uint64_t quick_text_below = 0;
  // The best one, for texts with fewer bytes than this; no bytes: the other is. Empty likewise.
  std::function<Result<Bytes>(const KernelSource&)> build_best = {};
  uint64_t best_text_below = 0;
  bool few_registers = false;  // builds may have a second kernel, of few registers
  bool tiled = false;          // ... and tiled ones
  bool hot = false;            // ... and one that keeps hot bytes near

  // What it says of itself, and a build by it: kInternal where `build` is empty.
  void Describe(DeviceInfo& info) const;
  Result<Bytes> Build(const KernelSource& source, Effort effort) const;
};

// "sm_90" for compute capability 9.0. The target of a device that does not build.
std::string ArchitectureName(uint32_t capability);

// NVIDIA's compiler for such GPUs; its processes begin to wait for texts. CONFIG_INVALID with every
// place looked at.
Result<CudaBuilds> FindCudaBuilds(const NvrtcSettings& settings, uint32_t capability);

// Builds for devices whose target is `architecture`. Its other calls are errors (kInternal).
// CONFIG_INVALID: there is no compiler, or no such architecture.
Result<std::unique_ptr<Device>> CreateCudaBuilder(const std::string& id,
                                                  const NvrtcSettings& settings,
                                                  std::string_view architecture);

// The same over a compiler that a test supplies.
std::unique_ptr<Device> CreateCudaBuilder(const std::string& id, CudaBuilds builds);

}  // namespace wb
