#pragma once

// The kernels of a module on the GPU, and the image its instances begin with.

#include <array>
#include <memory>

#include "compiler/base/mutex.h"
#include "compiler/compiler.h"
#include "scheduler/control/occupancy.h"
#include "scheduler/devices/cuda/cubins.h"
#include "scheduler/devices/cuda/cuda_kernel.h"
#include "scheduler/devices/device.h"

namespace wb {

class CudaPipeline final : public Pipeline {
 public:
  // `binary`: cubins.h; `entry`: the kernel's name in it; `block_threads`: at most. COMPILE_FAILED
  // when the bytes are no kernel of ours.
  static Result<std::shared_ptr<const CudaPipeline>> Load(
      CudaContextRef context, std::shared_ptr<const LoweredModule> module, ByteView binary,
      const char* entry, uint32_t block_threads);

  const LoweredModule& module() const { return *module_; }
  uint64_t image() const { return image_.address(); }
  PipelineFacts facts() const override { return kernel_->facts(); }  // of the usual kernel
  // Where the pipeline has none for it, or that does not load, it is another one that lies as
  // wished for, or the usual one. On a thread that has entered the context.
  CudaKernelRef kernel(const Occupancy& occupancy) const;

 private:
  CudaPipeline(CudaContextRef context, std::shared_ptr<const LoweredModule> module,
               const char* entry, uint32_t block_threads);
  void Keep(const std::vector<ByteView>& kernels);
  Result<CudaKernelRef> LoadKernel(size_t which, ByteView cubins) const;
  CudaKernelRef Further(size_t which) const;

  const CudaContextRef context_;
  const std::shared_ptr<const LoweredModule> module_;
  const char* const entry_;
  const uint32_t block_threads_;
  CudaKernelRef kernel_;
  // The others, by KernelOf. Each is loaded when a launch first asks for it. Most pipelines are
  // never tried with it, and loading it takes as long as the usual kernel.
  mutable Mutex mutex_;
  mutable std::array<Bytes, kMostKernels> cubins_ WB_GUARDED_BY(mutex_);  // until it is loaded
  mutable std::array<CudaKernelRef, kMostKernels> further_ WB_GUARDED_BY(mutex_);
  CudaBuffer image_;
};
using CudaPipelineRef = std::shared_ptr<const CudaPipeline>;

}  // namespace wb
