#include "scheduler/devices/cuda/cuda_pipeline.h"

#include <utility>
#include <vector>

#include "compiler/emit/plan/hot_bytes.h"
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
  WB_ASSIGN(pipeline->kernel_, pipeline->LoadKernel(0, kernels[0]));
  pipeline->Keep(kernels);
  WB_ASSIGN(pipeline->image_,
            CudaBuffer::Holding(pipeline->context_, EncodeImage(*pipeline->module_)));
  return CudaPipelineRef(std::move(pipeline));
}

void CudaPipeline::Keep(const std::vector<ByteView>& kernels) {
  MutexLock lock(mutex_);
  for (size_t which = 1; which < kernels.size(); ++which) {
    cubins_[which].assign(kernels[which].begin(), kernels[which].end());
  }
}

Result<CudaKernelRef> CudaPipeline::LoadKernel(size_t which, ByteView cubins) const {
  uint32_t group_bytes = 0, lane_bytes = 0;
  if (module_->layout.group_memory_at != 0) group_bytes = uint32_t{abi::GROUP_MEMORY_WORDS} * 4;
  if (which == KernelOf({.hot = true})) {
    lane_bytes = HotBytesOf(module_->program, {}).bytes;
  }
  return CudaKernel::Load(context_, cubins,
                          {.entry = entry_,
                           .block_threads = block_threads_,
                           .group_bytes = group_bytes,
                           .lane_bytes = lane_bytes,
                           .tiled = (which & KernelOf({.tiled = true})) != 0});
}

// One that does not load is not tried again.
CudaKernelRef CudaPipeline::Further(size_t which) const {
  MutexLock lock(mutex_);
  if (cubins_[which].empty()) return further_[which];
  const Bytes cubin = std::exchange(cubins_[which], {});
  Result<CudaKernelRef> kernel = LoadKernel(which, cubin);
  if (kernel.ok()) further_[which] = std::move(*kernel);
  return further_[which];
}

CudaKernelRef CudaPipeline::kernel(const Occupancy& occupancy) const {
  const size_t wanted = KernelOf(occupancy);
  for (const size_t which : {wanted, KernelOf({.tiled = occupancy.tiled})}) {
    CudaKernelRef further = which == 0 ? kernel_ : Further(which);
    if (further != nullptr) return further;
  }
  return kernel_;
}

}  // namespace wb
