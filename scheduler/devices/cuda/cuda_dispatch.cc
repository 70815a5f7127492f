#include "scheduler/devices/cuda/cuda_dispatch.h"

#include <algorithm>

#include "compiler/base/check.h"

namespace wb {

Result<std::unique_ptr<CudaDispatch>> CudaDispatch::Create(CudaContextRef context,
                                                           CudaPipelineRef pipeline,
                                                           const DispatchShape& shape,
                                                           HostMemory& memory, BudgetShare share) {
  std::unique_ptr<CudaDispatch> dispatch(new CudaDispatch);
  dispatch->context_ = std::move(context);
  dispatch->pipeline_ = std::move(pipeline);
  dispatch->shape_ = shape;
  dispatch->host_ = HostLayout::Of(shape);
  dispatch->share_ = std::move(share);
  dispatch->params_ = ParamsOf(shape, dispatch->pipeline_->module().layout);
  // The kernel clears a fresh lane's memory: only it knows what the former one reached.
  dispatch->params_.memory_is_zero = 0;
  WB_TRY(dispatch->Allocate(memory));
  return dispatch;
}

Status CudaDispatch::Allocate(HostMemory& memory) {
  uint64_t state_bytes = 0;
  WB_CHECK(
      StateBytes(pipeline_->module().layout, MemoryLayout::kInterleaved, shape_, &state_bytes));
  WB_ASSIGN(state_, CudaBuffer::Allocate(context_, state_bytes));
  WB_ASSIGN(inputs_, CudaBuffer::Allocate(context_, host_.bytes));
  WB_ASSIGN(program_, CudaBuffer::Holding(context_, shape_.program));
  WB_ASSIGN(region_, memory.Map(host_.bytes));
  // Copies are faster from pinned memory and right from any.
  const std::span<uint8_t> bytes = region_->bytes();
  registered_ = context_->driver().host_register(bytes.data(), bytes.size(), 0) == 0;
  return {};
}

CudaDispatch::~CudaDispatch() {
  if (context_ == nullptr || !context_->Enter().ok()) return;
  if (registered_) context_->driver().host_unregister(region_->bytes().data());
}

std::span<uint32_t> CudaDispatch::records() {
  return View<uint32_t>(*region_, host_.records_at, host_.record_words);
}
std::span<uint32_t> CudaDispatch::columns() {
  return View<uint32_t>(*region_, host_.columns_at, host_.column_words);
}
std::span<uint8_t> CudaDispatch::blob() {
  return View<uint8_t>(*region_, host_.blob_at, host_.blob_bytes);
}

uint32_t CudaDispatch::Seat(uint32_t seat) const {
  const uint8_t* records = region_->bytes().data() + host_.records_at;
  return reinterpret_cast<const uint32_t*>(
      records)[uint64_t{seat} * params_.record_words + abi::RECORD_SEAT];
}

// Queued seats come by the million and are taken in their order: the last ones are left the
// longest.
uint32_t CudaDispatch::CountLeft() const {
  uint32_t left = 0;
  for (uint32_t seat = shape_.Seats(); seat-- > 0 && (left == 0 || shape_.seats == 0);) {
    const uint32_t state = Seat(seat);
    if (state == abi::SEAT_START || state == abi::SEAT_RUNNING) ++left;
  }
  return left;
}

Status CudaDispatch::Upload() {
  if (shape_.seats != 0) MarkQueued(shape_, records());
  const std::span<const uint8_t> bytes = region_->bytes();
  WB_CUDA_TRY(context_->driver(), copy_to_device,
              (inputs_.address(), bytes.data(), host_.bytes, context_->upload_stream()));
  return {};
}

// One that the kernel's registers leave no room for would fail the launch.
uint32_t CudaDispatch::BlockFor(uint32_t wanted, uint32_t usual) const {
  const uint32_t block = IsBlock(wanted) ? wanted : usual;
  return std::min(block,
                  std::max(pipeline_->most_threads() / abi::GROUP_LANES, 1u) * abi::GROUP_LANES);
}

Status CudaDispatch::Launch(const LaunchLimits& limits, uint64_t control, uint32_t block_threads,
                            void* stream) {
  params_.lanes_are_new = launched_ ? 0 : 1;
  SetLimits(limits, &params_);
  uint64_t state = state_.address(), program = program_.address(), image = pipeline_->image();
  uint64_t records = inputs_.address() + host_.records_at;
  uint64_t columns = inputs_.address() + host_.columns_at;
  uint64_t blob = inputs_.address() + host_.blob_at;
  // In the order of wb_entry's parameters (compiler/prelude/cuda/epilogue.cu).
  void* arguments[] = {&state, &records, &program, &columns, &blob, &image, &control, &params_};
  const uint32_t block = BlockFor(limits.residency.block_threads, block_threads);
  const uint32_t blocks = (shape_.lanes + block - 1) / block;
  WB_CUDA_TRY(context_->driver(), launch,
              (pipeline_->function(), blocks, 1, 1, block, 1, 1, 0, stream, arguments, nullptr));
  launched_ = true;
  return {};
}

Status CudaDispatch::Download() {
  WB_CUDA_TRY(context_->driver(), copy_to_host,
              (region_->bytes().data() + host_.records_at, inputs_.address() + host_.records_at,
               host_.record_words * 4, context_->download_stream()));
  return {};
}

}  // namespace wb
