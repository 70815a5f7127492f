#include "scheduler/devices/cuda/cuda_dispatch.h"

#include <algorithm>
#include <chrono>

#include "compiler/base/check.h"
#include "scheduler/devices/cuda/cuda_input.h"

namespace wb {
namespace {

constexpr uint64_t kMostStaging = uint64_t{64} << 20;  // bytes that a dispatch keeps

}  // namespace

Result<std::unique_ptr<CudaDispatch>> CudaDispatch::Create(CudaContextRef context,
                                                           CudaPipelineRef pipeline,
                                                           const DispatchShape& shape,
                                                           HostMemory& memory, Budget budget) {
  std::unique_ptr<CudaDispatch> dispatch(new CudaDispatch);
  dispatch->context_ = std::move(context);
  dispatch->pipeline_ = std::move(pipeline);
  dispatch->shape_ = shape;
  dispatch->host_ = HostLayout::Of(shape);
  dispatch->budget_ = std::move(budget);
  dispatch->params_ = ParamsOf(shape, dispatch->pipeline_->module().layout);
  // The kernel clears the memory of a fresh lane, since only it knows what the former instance
  // reached.
  dispatch->params_.memory_is_zero = 0;
  WB_TRY(dispatch->Allocate(memory));
  return dispatch;
}

Status CudaDispatch::AllocateLanes() {
  if (budget_.known) {
    lanes_ = std::move(budget_.known->memory);
    held_ = std::move(budget_.known->held);
    return {};
  }
  lanes_ = std::make_unique<GpuLanes>();
  lanes_->share = std::move(budget_.lanes);
  if (budget_.mapped) {
    WB_ASSIGN(lanes_->mapped,
              MappedLanes::Create(context_, *budget_.mapped, lanes_->share, budget_.most_bytes));
    return {};
  }
  uint64_t state_bytes = 0;
  WB_CHECK(
      StateBytes(pipeline_->module().layout, MemoryLayout::kInterleaved, shape_, &state_bytes));
  WB_ASSIGN(lanes_->state, CudaBuffer::Allocate(context_, state_bytes));
  return {};
}

Status CudaDispatch::Allocate(HostMemory& memory) {
  WB_TRY(AllocateLanes());
  if (lanes_->mapped) {
    const uint64_t words = lanes_->mapped->plan().lane_words;
    params_.lane_words_lo = static_cast<uint32_t>(words);
    params_.lane_words_hi = static_cast<uint32_t>(words >> 32);
  }
  WB_ASSIGN(inputs_, CudaBuffer::Allocate(context_, host_.bytes));
  WB_ASSIGN(program_, CudaBuffer::Holding(context_, shape_.program));
  WB_ASSIGN(region_, memory.Map(host_.bytes));
  // Copies from pinned memory are faster. Copies from other memory are right, too.
  const std::span<uint8_t> bytes = region_->bytes();
  registered_ = context_->WithIdleGpu([&] {
    return context_->driver().host_register(bytes.data(), bytes.size(), 0);
  }) == 0;
  return {};
}

CudaDispatch::~CudaDispatch() {
  if (context_ == nullptr || !context_->Enter().ok()) return;
  if (moved_ != 0) {
    budget_.kept->Keep(LanePlan::Of(pipeline_->module(), shape_),
                       {std::move(lanes_), std::move(held_)}, moved_,
                       std::chrono::steady_clock::now());
  }
  if (!registered_) return;
  context_->WithIdleGpu(
      [this] { return context_->driver().host_unregister(region_->bytes().data()); });
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

Result<GroupLanes> CudaDispatch::Lanes() {
  const uint64_t words = uint64_t{params_.lane_words_hi} << 32 | params_.lane_words_lo;
  if (staging_.bytes().empty()) {
    WB_ASSIGN(staging_, Mapping::Reserve(words * kRowBytes));
  }
  return GroupLanes(*context_, lanes_->address(), words, lanes_->mapped.get(), staging_.bytes());
}

void CudaDispatch::Return(const GroupLanes& lanes) {
  if (lanes.most_bytes() > kMostStaging) staging_ = {};
}

MovingPlace CudaDispatch::Place(GroupLanes& lanes) {
  const bool is_queued = shape_.seats != 0;
  if (held_.empty() && !is_queued) held_.resize(shape_.lanes);
  return {pipeline_->module(), *this, lanes, is_queued, false, is_queued ? nullptr : &held_};
}

Result<std::vector<std::optional<LaneImage>>> CudaDispatch::ExportLanes(
    std::span<const uint32_t> seats) {
  std::vector<std::optional<LaneImage>> images(seats.size());
  if (!launched_) return images;
  WB_ASSIGN(GroupLanes lanes, Lanes());
  const Status given = WithoutKernel([&]() -> Status {
    WB_ASSIGN(images, ExportFrom(Place(lanes), seats));
    return {};
  });
  Return(lanes);
  WB_TRY(given);
  moved_ += BytesThatEnded(images);
  return images;
}

// The first launch of a dispatch takes all lanes as new, so the imported lanes would be lost. The
// headers are therefore cleared, and the dispatch counts as launched.
Result<std::vector<Status>> CudaDispatch::ImportLanes(std::span<const LanePlace> which) {
  WB_ASSIGN(GroupLanes lanes, Lanes());
  for (const LanePlace& one : which) moved_ += one.image->lent.words.size_bytes();
  std::vector<Status> put;
  const Status done = WithoutKernel([&]() -> Status {
    if (!launched_) WB_TRY(lanes.ClearHeaders(shape_.lanes));
    launched_ = true;
    WB_ASSIGN(put, ImportInto(Place(lanes), which));
    return {};
  });
  Return(lanes);
  WB_TRY(done);
  return put;
}

uint32_t CudaDispatch::Seat(uint32_t seat) const {
  const uint8_t* records = region_->bytes().data() + host_.records_at;
  return reinterpret_cast<const uint32_t*>(
      records)[uint64_t{seat} * params_.record_words + abi::RECORD_SEAT];
}

// There may be millions of queued seats. Lanes take them in order, so the last ones are left the
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
  const std::span<const uint8_t> bytes = region_->bytes();
  WB_CUDA_TRY(context_->driver(), copy_to_device,
              (inputs_.address(), bytes.data(), host_.bytes, context_->upload_stream()));
  records_changed_ = false;
  return {};
}

Status CudaDispatch::Adopt(CudaPipelineRef pipeline) {
  const auto digest_of = [](const LoweredModule& lowered) {
    return lowered.program.module->digest();
  };
  if (digest_of(pipeline->module()) != digest_of(pipeline_->module())) {
    return Status(Reason::kInternal, "A dispatch adopts builds of its own module alone.");
  }
  pipeline_ = std::move(pipeline);
  return {};
}

CudaDispatch::Call CudaDispatch::CallOf(const LaunchLimits& limits) const {
  Call call;
  call.params = params_;
  call.params.lanes_are_new = launched_ ? 0 : 1;
  SetLimits(limits, &call.params);
  // Fresh instances may use what is there in every group.
  if (lanes_->mapped) call.params.capacity_pages = lanes_->mapped->least_pages();
  call.state = lanes_->address();
  call.program = program_.address();
  call.image = pipeline_->image();
  call.records = inputs_.address() + host_.records_at;
  call.columns = inputs_.address() + host_.columns_at;
  call.blob = inputs_.address() + host_.blob_at;
  const auto* kept = dynamic_cast<const CudaInput*>(shape_.kept.get());
  if (kept != nullptr) call.kept = kept->address();
  const CudaKernel& kernel = pipeline_->kernel(limits.occupancy);
  call.function = kernel.function();
  call.block_threads = kernel.BlockFor(limits.occupancy.block_threads);
  call.shared_bytes = kernel.SharedBytes(call.block_threads);
  call.blocks = (shape_.lanes + call.block_threads - 1) / call.block_threads;
  return call;
}

Status CudaDispatch::Download() {
  WB_CUDA_TRY(context_->driver(), copy_to_host,
              (region_->bytes().data() + host_.records_at, inputs_.address() + host_.records_at,
               host_.record_words * 4, context_->download_stream()));
  return {};
}

}  // namespace wb
