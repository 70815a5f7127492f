#include "scheduler/devices/cuda/cuda_pipeline.h"

#include <utility>
#include <vector>

#include "scheduler/devices/cuda/cubins.h"

namespace wb {

CudaPipeline::CudaPipeline(CudaContextRef context, std::shared_ptr<const LoweredModule> module,
                           const char* entry, uint32_t block_threads)
    : context_(std::move(context)),
      module_(std::move(module)),
      entry_(entry),
      block_threads_(block_threads) {}

Result<CudaPipelineRef> CudaPipeline::Load(CudaContextRef context,
                                           std::shared_ptr<const LoweredModule> module,
                                           ByteView binary, const char* entry,
                                           uint32_t block_threads) {
  WB_TRY(context->Enter());
  WB_ASSIGN(const std::vector<ByteView> kernels, SplitKernels(binary));
  std::shared_ptr<CudaPipeline> pipeline(
      new CudaPipeline(std::move(context), std::move(module), entry, block_threads));
  WB_ASSIGN(pipeline->kernel_, pipeline->LoadKernel(kernels[0]));
  if (kernels.size() > 1) {
    MutexLock lock(pipeline->mutex_);
    pipeline->few_registers_cubin_.assign(kernels[1].begin(), kernels[1].end());
  }
  WB_ASSIGN(pipeline->image_,
            CudaBuffer::Holding(pipeline->context_, EncodeImage(*pipeline->module_)));
  return CudaPipelineRef(std::move(pipeline));
}

Result<std::unique_ptr<const CudaKernel>> CudaPipeline::LoadKernel(ByteView cubins) const {
  const bool shares = module_->layout.group_memory_at != 0;
  return CudaKernel::Load(
      context_, cubins,
      {entry_, block_threads_, shares ? uint32_t{abi::GROUP_MEMORY_WORDS} * 4 : 0});
}

// One that does not load is not tried again.
const CudaKernel* CudaPipeline::few_registers() const {
  MutexLock lock(mutex_);
  if (few_registers_cubin_.empty()) return few_registers_.get();
  const Bytes cubin = std::exchange(few_registers_cubin_, {});
  Result<std::unique_ptr<const CudaKernel>> kernel = LoadKernel(cubin);
  if (kernel.ok()) few_registers_ = std::move(*kernel);
  return few_registers_.get();
}

}  // namespace wb
