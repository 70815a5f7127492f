#include "scheduler/devices/cuda/cuda_pipeline.h"

namespace wb {
namespace {

// Numbers of the driver's interface (cuda.h).
constexpr int kLocalBytes = 3;
constexpr int kRegisters = 4;
constexpr int kFirstOfContext = 700;  // results from here on: the context is dead

}  // namespace

Result<CudaPipelineRef> CudaPipeline::Load(CudaContextRef context,
                                           std::shared_ptr<const LoweredModule> module,
                                           ByteView cubin) {
  WB_TRY(context->Enter());
  std::shared_ptr<CudaPipeline> pipeline(new CudaPipeline(std::move(context), std::move(module)));
  WB_TRY(pipeline->Fill(cubin));
  return CudaPipelineRef(std::move(pipeline));
}

Status CudaPipeline::Fill(ByteView cubin) {
  const CudaDriver& driver = context_->driver();
  // The driver is not told how long the image is, but a cubin says it itself: it is ELF.
  int result = driver.module_load(&handle_, cubin.data(), 0, nullptr, nullptr);
  if (result == 0) result = driver.module_function(&function_, handle_, "wb_entry");
  if (result != 0 && result < kFirstOfContext) {
    return {Reason::kCompileFailed,
            "The kernel could not be loaded: " + driver.Error("module_load", result).message()};
  }
  if (result != 0) return driver.Error("module_load", result);
  int registers = 0, local_bytes = 0;
  WB_CUDA_TRY(driver, function_attribute, (&registers, kRegisters, function_));
  WB_CUDA_TRY(driver, function_attribute, (&local_bytes, kLocalBytes, function_));
  registers_ = static_cast<uint32_t>(registers);
  local_bytes_ = static_cast<uint32_t>(local_bytes);
  WB_ASSIGN(image_, CudaBuffer::Holding(context_, EncodeImage(*module_)));
  return {};
}

CudaPipeline::~CudaPipeline() {
  if (handle_ != nullptr && context_->Enter().ok()) context_->driver().module_unload(handle_);
}

}  // namespace wb
