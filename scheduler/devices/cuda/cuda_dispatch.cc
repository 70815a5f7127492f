#include "scheduler/devices/cuda/cuda_dispatch.h"

#include <algorithm>
#include <chrono>

#include "compiler/base/check.h"
#include "scheduler/devices/cuda/cuda_input.h"
#include "scheduler/devices/cuda/lanes/lane_growth.h"

namespace wb {
namespace {

constexpr uint64_t kMostStaging = uint64_t{64} << 20;  // bytes that a dispatch keeps

}  // namespace

Result<std::unique_ptr<CudaDispatch>> CudaDispatch::Create(CudaContextRef context,
                                                           CudaPipelineRef pipeline,
                                                           const DispatchShape& shape,
                                                           HostMemory& memory, Budget budget) {
  std::unique_ptr<CudaDispatch> dispatch(
      new CudaDispatch(std::move(context), std::move(pipeline), shape, std::move(budget)));
  WB_TRY(dispatch->Allocate(memory));
  return dispatch;
}

CudaDispatch::CudaDispatch(CudaContextRef context, CudaPipelineRef pipeline,
                           const DispatchShape& shape, Budget budget)
    : context_(std::move(context)),
      pipeline_(std::move(pipeline)),
      shape_(shape),
      budget_(std::move(budget)),
      params_(ParamsOf(shape, pipeline_->module().layout)) {
  // The kernel clears the memory of a fresh lane, since only it knows what the former instance
  // reached.
  params_.memory_is_zero = 0;
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
  lane_words_ = uint64_t{params_.lane_words_hi} << 32 | params_.lane_words_lo;
  WB_ASSIGN(program_, CudaBuffer::Holding(context_, shape_.program));
  WB_ASSIGN(seats_, CudaSeats::Create(context_, shape_, memory));
  return {};
}

CudaDispatch::~CudaDispatch() {
  if (!context_->Enter().ok() || moved_ == 0) return;
  budget_.kept->Keep(LanePlan::Of(pipeline_->module(), shape_),
                     {std::move(lanes_), std::move(held_)}, moved_,
                     std::chrono::steady_clock::now());
}

Result<GroupLanes> CudaDispatch::Lanes() {
  if (staging_.bytes().empty()) {
    WB_ASSIGN(staging_, Mapping::Reserve(lane_words_ * kRowBytes));
  }
  return GroupLanes(*context_, *lanes_, lane_words_, staging_.bytes());
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
  const Status given = context_->WithoutKernel([&]() -> Status {
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
  const Status done = context_->WithoutKernel([&]() -> Status {
    if (!launched_) WB_TRY(lanes.ClearHeaders(shape_.lanes));
    launched_ = true;
    WB_ASSIGN(put, ImportInto(Place(lanes), which));
    return {};
  });
  Return(lanes);
  WB_TRY(done);
  return put;
}

Result<uint32_t> CudaDispatch::GiveMemory() {
  if (lanes_->mapped == nullptr) return 0u;
  return GrowWaitingLanes(*context_, shape_, *lanes_->mapped, *seats_);
}

// Where no lane was ever run or moved in, nothing is lost with what stands there.
Result<bool> CudaDispatch::Arrange(const Occupancy& occupancy, void* stream) {
  const CudaKernelRef kernel = pipeline_->kernel(occupancy);
  if (lanes_->LieFor(*kernel)) return false;
  std::vector<MemoryRows> memories;
  if (launched_ || !held_.empty()) {
    memories = lanes_->Memories(pipeline_->module().layout, shape_, lane_words_);
  }
  WB_TRY(lanes_->ReorderFor(kernel, memories, stream));
  return true;
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
  call.records = seats_->records_address();
  call.columns = seats_->columns_address();
  call.blob = seats_->blob_address();
  const auto* kept = dynamic_cast<const CudaInput*>(shape_.kept.get());
  if (kept != nullptr) call.kept = kept->address();
  Occupancy occupancy = limits.occupancy;
  occupancy.tiled = lanes_->order() == MemoryLayout::kTiled;
  occupancy.hot = occupancy.hot && !occupancy.tiled;
  const CudaKernelRef kernel = pipeline_->kernel(occupancy);
  call.function = kernel->function();
  call.block_threads = kernel->BlockFor(limits.occupancy.block_threads);
  call.shared_bytes = kernel->SharedBytes(call.block_threads);
  call.blocks = (shape_.lanes + call.block_threads - 1) / call.block_threads;
  return call;
}

}  // namespace wb
