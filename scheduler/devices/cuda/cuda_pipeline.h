#pragma once

// The kernels of a module on the GPU, and the image its instances begin with.

#include <memory>

#include "compiler/base/mutex.h"
#include "compiler/compiler.h"
#include "scheduler/control/occupancy.h"
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
  PipelineFacts facts() const override { return kernel_->facts(); }  // not of few registers
  // Where the pipeline has none of few registers, or that does not load, it is the other one. On a
  // thread that has entered the context.
  const CudaKernel& kernel(const Occupancy& occupancy) const {
    const CudaKernel* other = occupancy.few_registers ? few_registers() : nullptr;
    return other != nullptr ? *other : *kernel_;
  }

 private:
  CudaPipeline(CudaContextRef context, std::shared_ptr<const LoweredModule> module,
               const char* entry, uint32_t block_threads);
  Result<std::unique_ptr<const CudaKernel>> LoadKernel(ByteView cubins) const;
  const CudaKernel* few_registers() const;

  const CudaContextRef context_;
  const std::shared_ptr<const LoweredModule> module_;
  const char* const entry_;
  const uint32_t block_threads_;
  std::unique_ptr<const CudaKernel> kernel_;
  // Loaded when a launch first asks for it. Most pipelines are never tried with it, and loading it
  // takes as long as the other kernel.
  mutable Mutex mutex_;
  mutable Bytes few_registers_cubin_ WB_GUARDED_BY(mutex_);  // until it is loaded
  mutable std::unique_ptr<const CudaKernel> few_registers_ WB_GUARDED_BY(mutex_);
  CudaBuffer image_;
};
using CudaPipelineRef = std::shared_ptr<const CudaPipeline>;

}  // namespace wb
