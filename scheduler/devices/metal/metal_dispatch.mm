#include "scheduler/devices/metal/metal_dispatch.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "compiler/base/check.h"
#include "scheduler/devices/metal/metal_input.h"

namespace wb {
namespace {

constexpr NSUInteger kMostGroupThreads = 128;

uint64_t WholePages(uint64_t bytes) {
  const auto page = static_cast<uint64_t>(getpagesize());
  return (bytes + page - 1) / page * page;
}

// nil where Metal cannot wrap the region. The region lives as long as the buffer, which a command
// buffer may hold.
MetalBuffer Wrap(const MetalGpu& gpu, const std::shared_ptr<HostRegion>& region) {
  const std::span<uint8_t> bytes = region->bytes();
  const uint64_t length = WholePages(bytes.size());  // mappings are whole pages
  const auto page = static_cast<uintptr_t>(getpagesize());
  if (reinterpret_cast<uintptr_t>(bytes.data()) % page != 0 || length > gpu.longest_buffer()) {
    return {};
  }
  std::shared_ptr<HostRegion> held = region;
  return MetalBuffer::Owned([gpu.device() newBufferWithBytesNoCopy:bytes.data()
                                                            length:length
                                                           options:MTLResourceStorageModeShared
                                                       deallocator:^(void*, NSUInteger) {
                                                         (void)held;
                                                       }]);
}

}  // namespace

Result<MetalPipelineRef> MetalPipeline::Create(const MetalGpu& gpu,
                                               std::shared_ptr<const LoweredModule> module,
                                               MetalKernel kernel) {
  std::shared_ptr<MetalPipeline> pipeline(new MetalPipeline);
  const NSUInteger most = [kernel.get() maxTotalThreadsPerThreadgroup];
  pipeline->group_threads_ =
      std::min(most, kMostGroupThreads) / abi::GROUP_LANES * abi::GROUP_LANES;
  if (pipeline->group_threads_ == 0) {
    return Status(Reason::kCompileFailed, "The kernel needs so many registers that only [" +
                                              std::to_string(most) +
                                              "] threads of it fit into a threadgroup.");
  }
  WB_ASSIGN(pipeline->image_, gpu.Holding(EncodeImage(*module)));
  pipeline->module_ = std::move(module);
  pipeline->kernel_ = std::move(kernel);
  return MetalPipelineRef(std::move(pipeline));
}

Result<std::unique_ptr<MetalDispatch>> MetalDispatch::Create(const MetalGpu& gpu,
                                                             MetalPipelineRef pipeline,
                                                             const DispatchShape& shape,
                                                             HostMemory& memory,
                                                             BudgetShare share) {
  std::unique_ptr<MetalDispatch> dispatch(new MetalDispatch);
  dispatch->pipeline_ = std::move(pipeline);
  dispatch->shape_ = shape;
  dispatch->host_ = HostLayout::Of(shape);
  dispatch->share_ = std::move(share);
  dispatch->params_ = ParamsOf(shape, dispatch->pipeline_->module().layout);
  // The kernel clears the memory of a fresh lane, since only it knows what the former instance
  // reached.
  dispatch->params_.memory_is_zero = 0;
  WB_TRY(dispatch->Allocate(gpu, memory));
  if (dispatch->IsQueued()) dispatch->params_.seats = shape.Seats();
  return dispatch;
}

Status MetalDispatch::Allocate(const MetalGpu& gpu, HostMemory& memory) {
  WB_TRY(AllocateState(gpu));
  WB_ASSIGN(program_, gpu.Holding(shape_.program));
  WB_ASSIGN(std::unique_ptr<HostRegion> region, memory.Map(host_.bytes));
  region_ = std::move(region);
  wrapped_ = Wrap(gpu, region_);
  if (!wrapped_) {
    WB_ASSIGN(copied_, gpu.Shared(host_.bytes));
  }
  return {};
}

// As few parts as possible, each of whole groups.
Status MetalDispatch::AllocateState(const MetalGpu& gpu) {
  const LaneLayout& layout = pipeline_->module().layout;
  DispatchShape group = shape_;
  group.lanes = abi::GROUP_LANES;
  group.seats = 0;
  uint64_t group_bytes = 0;
  WB_CHECK(StateBytes(layout, MemoryLayout::kInterleaved, group, &group_bytes));
  const uint64_t groups = gpu.longest_buffer() / group_bytes;
  if (groups == 0) return DoesNotFit(group, gpu.longest_buffer());
  const uint64_t most = groups * abi::GROUP_LANES;
  for (uint64_t first = 0; first < shape_.lanes; first += most) {
    Part part;
    part.lanes = static_cast<uint32_t>(std::min(most, shape_.lanes - first));
    const uint64_t bytes = (part.lanes + abi::GROUP_LANES - 1) / abi::GROUP_LANES * group_bytes;
    WB_ASSIGN(part.state, gpu.Shared(bytes));
    parts_.push_back(std::move(part));
  }
  return {};
}

std::span<uint32_t> MetalDispatch::records() {
  return View<uint32_t>(*region_, host_.records_at, host_.record_words);
}
std::span<uint32_t> MetalDispatch::columns() {
  return View<uint32_t>(*region_, host_.columns_at, host_.column_words);
}
std::span<uint8_t> MetalDispatch::blob() {
  return View<uint8_t>(*region_, host_.blob_at, host_.blob_bytes);
}

MetalDispatch::SeatsLeft MetalDispatch::CountLeft() const {
  const void* bytes = wrapped_ ? region_->bytes().data() : [copied_.get() contents];
  const auto* record =
      reinterpret_cast<const uint32_t*>(static_cast<const uint8_t*>(bytes) + host_.records_at);
  SeatsLeft left;
  for (uint32_t seat = 0; seat < shape_.Seats(); ++seat, record += params_.record_words) {
    const uint32_t state = __atomic_load_n(&record[abi::RECORD_SEAT], __ATOMIC_RELAXED);
    const uint32_t waits = __atomic_load_n(&record[abi::RECORD_OUT_WAITS], __ATOMIC_RELAXED);
    const bool is_left = state == abi::SEAT_START || state == abi::SEAT_RUNNING;
    if (is_left) ++left.all;
    if (is_left && (state == abi::SEAT_START || waits == 0)) ++left.runs;
  }
  return left;
}

MetalLanes MetalDispatch::Lanes() const {
  MetalLanes lanes(uint64_t{params_.lane_words_hi} << 32 | params_.lane_words_lo);
  for (const Part& part : parts_) lanes.Add([part.state.get() contents], part.lanes);
  return lanes;
}

Result<std::vector<std::optional<LaneImage>>> MetalDispatch::ExportLanes(
    std::span<const uint32_t> seats) {
  if (!launched_) return std::vector<std::optional<LaneImage>>(seats.size());
  MetalLanes lanes = Lanes();
  return ExportFrom(Place(lanes), seats);
}

// The first launch of a dispatch takes all lanes as new, so the imported lanes would be lost. The
// headers are therefore cleared, and the dispatch counts as launched.
Result<std::vector<Status>> MetalDispatch::ImportLanes(std::span<const LanePlace> which) {
  MetalLanes lanes = Lanes();
  if (!launched_) lanes.ClearHeaders();
  launched_ = true;
  return ImportInto(Place(lanes), which);
}

void MetalDispatch::Begin() {
  if (copied_) std::memcpy([copied_.get() contents], region_ -> bytes().data(), host_.bytes);
}

void MetalDispatch::End() {
  if (!copied_) return;
  const auto* from = static_cast<const uint8_t*>([copied_.get() contents]);
  std::memcpy(region_->bytes().data() + host_.records_at, from + host_.records_at,
              host_.record_words * sizeof(uint32_t));
}

void MetalDispatch::Encode(id<MTLCommandBuffer> commands, const LaunchLimits& limits,
                           id<MTLBuffer> control) {
  params_.lanes = shape_.lanes;
  SetLimits(limits, &params_);
  params_.lanes_are_new = launched_ ? 0 : 1;
  launched_ = true;
  if (IsQueued()) {
    // A lane counts itself idle once in a slice. The count of seats that were looked at is of the
    // whole launch.
    id<MTLBlitCommandEncoder> blit = [commands blitCommandEncoder];
    [blit fillBuffer:control
               range:NSMakeRange(abi::CONTROL_IDLE * sizeof(uint32_t), sizeof(uint32_t))
               value:0];
    [blit endEncoding];
  }
  id<MTLComputeCommandEncoder> encoder = [commands computeCommandEncoder];
  [encoder setComputePipelineState:pipeline_->kernel()];
  // By the numbers of wb_main's parameters (compiler/runtime/entry.metal).
  [encoder setBuffer:inputs() offset:host_.records_at atIndex:1];
  [encoder setBuffer:program_.get() offset:0 atIndex:2];
  [encoder setBuffer:inputs() offset:host_.columns_at atIndex:3];
  [encoder setBuffer:inputs() offset:host_.blob_at atIndex:4];
  [encoder setBuffer:pipeline_->image() offset:0 atIndex:5];
  [encoder setBuffer:control offset:0 atIndex:6];
  const auto* kept = dynamic_cast<const MetalInput*>(shape_.kept.get());
  [encoder setBuffer:kept != nullptr ? kept->buffer() : program_.get() offset:0 atIndex:8];
  const NSUInteger threads = pipeline_->group_threads();
  uint32_t takers = params_.takers;
  for (const Part& part : parts_) {
    params_.lanes = part.lanes;
    params_.takers = std::min(takers, part.lanes);
    takers -= params_.takers;
    [encoder setBuffer:part.state.get() offset:0 atIndex:0];
    [encoder setBytes:&params_ length:sizeof(params_) atIndex:7];
    [encoder dispatchThreadgroups:MTLSizeMake((part.lanes + threads - 1) / threads, 1, 1)
            threadsPerThreadgroup:MTLSizeMake(threads, 1, 1)];
  }
  [encoder endEncoding];
}

}  // namespace wb
