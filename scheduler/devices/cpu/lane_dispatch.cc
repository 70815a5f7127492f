#include "scheduler/devices/cpu/lane_dispatch.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "compiler/base/check.h"
#include "scheduler/devices/cpu/cpu_entry.h"
#include "scheduler/devices/migration/image_words.h"

namespace wb {
namespace {

// Of lanes that are no larger every page is touched: each has a header.
constexpr uint64_t kDenseLaneBytes = 8192;
// In one launch. What lies between two meetings may use a slice of fuel each time.
constexpr uint32_t kMostMeetings = 4096;

}  // namespace

Result<std::unique_ptr<LaneDispatch>> LaneDispatch::Create(LaneKernelRef kernel, MemoryLayout order,
                                                           const DispatchShape& shape,
                                                           HostMemory& memory, BudgetShare share,
                                                           std::optional<KeptMapping::Lanes> known,
                                                           std::shared_ptr<KeptMapping> kept) {
  const LaneLayout& layout = kernel->module().layout;
  uint64_t state_bytes = 0;
  WB_CHECK(StateBytes(layout, order, shape, &state_bytes));
  std::unique_ptr<LaneDispatch> dispatch(new LaneDispatch);
  dispatch->kernel_ = std::move(kernel);
  dispatch->state_.share = std::move(share);
  dispatch->order_ = order;
  dispatch->shape_ = shape;
  dispatch->host_ = HostLayout::Of(shape);
  dispatch->lane_words_ = layout.LaneWords(shape.Reserve(), shape.StackReserve());
  dispatch->kept_ = std::move(kept);
  WB_ASSIGN(dispatch->region_, memory.Map(dispatch->host_.bytes));
  dispatch->order_of_run_.reserve(shape.lanes);
  dispatch->params_ = ParamsOf(shape, layout);
  WB_TRY(dispatch->TakeMemory(state_bytes, std::move(known)));
  return dispatch;
}

Status LaneDispatch::TakeMemory(uint64_t bytes, std::optional<KeptMapping::Lanes> known) {
  if (known) {
    state_.words = std::move(known->memory.words);
    held_ = std::move(known->held);
    ClearHeaders();
    return {};
  }
  WB_ASSIGN(state_.words, Mapping::Reserve(bytes));
  if (lane_words_ * sizeof(uint32_t) <= kDenseLaneBytes) state_.words.ExpectUse();
  params_.memory_is_zero = 1;  // the system's pages are
  return {};
}

// Those that stand there are of other instances.
void LaneDispatch::ClearHeaders() {
  HostLanes lanes(state().data(), lane_words_, order_);
  for (uint32_t lane = 0; lane < shape_.lanes; ++lane) {
    ClearWords(lanes.words(lane), abi::LANE_STAGE);
  }
}

LaneDispatch::~LaneDispatch() {
  if (kept_ == nullptr || moved_ == 0) return;
  kept_->Keep(LanePlan::Of(kernel_->module(), shape_), {std::move(state_), std::move(held_)},
              moved_, std::chrono::steady_clock::now());
}

std::span<uint32_t> LaneDispatch::records() {
  return View<uint32_t>(*region_, host_.records_at, host_.record_words);
}
std::span<uint32_t> LaneDispatch::columns() {
  return View<uint32_t>(*region_, host_.columns_at, host_.column_words);
}
std::span<uint8_t> LaneDispatch::blob() {
  return View<uint8_t>(*region_, host_.blob_at, host_.blob_bytes);
}

std::span<uint32_t> LaneDispatch::state() {
  const std::span<uint8_t> bytes = state_.words.bytes();
  return {reinterpret_cast<uint32_t*>(bytes.data()), bytes.size() / 4};
}

const LaneBuffers& LaneDispatch::Prepare(const LaunchLimits& limits, uint32_t* control) {
  params_.lanes_are_new = launched_ ? 0 : 1;
  launched_ = true;
  watched_lane_ = limits.watched_lane;
  ForgetRun(*this, held_);
  SetLimits(limits, &params_);
  buffers_.state = state().data();
  buffers_.records = records().data();
  buffers_.program = shape_.program.data();
  buffers_.columns = columns().data();
  buffers_.blob = reinterpret_cast<const uint32_t*>(region_->bytes().data() + host_.blob_at);
  buffers_.image = kernel_->image().data();
  buffers_.control = control;
  buffers_.params = &params_;
  const auto* kept = dynamic_cast<const MappedInput*>(shape_.kept.get());
  buffers_.kept = kept != nullptr ? kept->words() : nullptr;
  return buffers_;
}

MovingPlace LaneDispatch::Place(HostLanes& lanes) {
  const bool is_queued = shape_.seats != 0;
  if (held_.empty() && !is_queued) held_.resize(shape_.lanes);
  return {kernel_->module(),           *this, lanes, is_queued, params_.memory_is_zero != 0,
          is_queued ? nullptr : &held_};
}

Result<std::vector<std::optional<LaneImage>>> LaneDispatch::ExportLanes(
    std::span<const uint32_t> seats) {
  HostLanes lanes(state().data(), lane_words_, order_);
  WB_ASSIGN(auto images, ExportFrom(Place(lanes), seats));
  moved_ += BytesThatEnded(images);
  return images;
}

// Headers that were never written are zero here, which is sound.
Result<std::vector<Status>> LaneDispatch::ImportLanes(std::span<const LanePlace> which) {
  HostLanes lanes(state().data(), lane_words_, order_);
  launched_ = true;
  for (const LanePlace& one : which) moved_ += one.image->lent.words.size_bytes();
  return ImportInto(Place(lanes), which);
}

uint32_t LaneDispatch::Seat(uint32_t seat) const {
  const uint8_t* region = region_->bytes().data() + host_.records_at;
  const uint64_t at = uint64_t{seat} * params_.record_words + abi::RECORD_SEAT;
  return reinterpret_cast<const uint32_t*>(region)[at];
}

const std::vector<uint32_t>& LaneDispatch::RunOrder() {
  order_of_run_.clear();
  if (shape_.seats != 0) {
    order_of_run_.resize(CountLeft() == 0 ? 0 : shape_.lanes);
    std::iota(order_of_run_.begin(), order_of_run_.end(), 0u);
    return order_of_run_;
  }
  if (kernel_->module().program.meets) {
    for (uint32_t first = 0; first < shape_.lanes; first += abi::GROUP_LANES) {
      if (GroupRuns(first)) order_of_run_.push_back(first);
    }
    return order_of_run_;
  }
  for (uint32_t wanted : {uint32_t{abi::SEAT_RUNNING}, uint32_t{abi::SEAT_START}}) {
    for (uint32_t lane = 0; lane < shape_.lanes; ++lane) {
      if (Seat(lane) == wanted) order_of_run_.push_back(lane);
    }
  }
  return order_of_run_;
}

bool LaneDispatch::Runs(uint32_t lane) const {
  const uint32_t seat = Seat(lane);
  return seat == abi::SEAT_START || seat == abi::SEAT_RUNNING;
}

bool LaneDispatch::GroupRuns(uint32_t first) const {
  const uint32_t end = std::min(first + abi::GROUP_LANES, shape_.lanes);
  for (uint32_t lane = first; lane < end; ++lane) {
    if (Runs(lane)) return true;
  }
  return false;
}

uint32_t LaneDispatch::CountLeft() const {
  uint32_t left = 0;
  for (uint32_t seat = 0; seat < shape_.Seats(); ++seat) {
    if (Runs(seat)) ++left;
  }
  return left;
}

// Bytes of the former instance's memory that the kernel would clear.
uint64_t LaneDispatch::StaleBytes(const uint32_t* header) const {
  if (header[abi::LANE_CLEAN_PAGES] == 0) return 0;
  const auto spans =
      static_cast<uint32_t>(std::popcount(~(header[abi::LANE_KEPT] & header[abi::LANE_FRESH])));
  return uint64_t{header[abi::LANE_PAGES]} * abi::PAGE_BYTES / 32 * spans;
}

void LaneDispatch::Run(uint32_t lane) {
  if (kernel_->module().program.meets) return RunGroup(lane);
  RunLane(lane, buffers_);
}

void LaneDispatch::RunGroup(uint32_t first) {
  const uint32_t end = std::min(first + abi::GROUP_LANES, shape_.lanes);
  const bool is_watched = watched_lane_ >= first && watched_lane_ < end;
  uint32_t meetings = 0;
  // What lies in a lane is unknown when it is run first, and no more when it is run again.
  abi::Params known = params_;
  known.lanes_are_new = 0;
  LaneBuffers buffers = buffers_;
  do {
    for (uint32_t lane = first; lane < end; ++lane) {
      if (Runs(lane) && !WaitsForGroup(order_, buffers, lane)) RunLane(lane, buffers);
      if (is_watched && !Runs(watched_lane_)) return;
    }
    buffers.params = &known;
  } while (MeetGroup(order_, buffers, first) && (++meetings < kMostMeetings || is_watched) &&
           __atomic_load_n(&buffers_.control[abi::CONTROL_STOP], __ATOMIC_RELAXED) == 0);
}

void LaneDispatch::RunLane(uint32_t lane, const LaneBuffers& buffers) {
  if (order_ == MemoryLayout::kContiguous && shape_.window.is_all() && shape_.seats == 0 &&
      Seat(lane) == abi::SEAT_START) {
    uint32_t* header = buffers_.state + lane * lane_words_;
    if (StaleBytes(header) > Mapping::kMemsetBytes) {
      const LaneLayout& layout = kernel_->module().layout;
      state_.words.Clear((lane * lane_words_ + layout.memory_at) * 4,
                         uint64_t{header[abi::LANE_PAGES]} * abi::PAGE_BYTES);
      header[abi::LANE_CLEAN_PAGES] = 0;
    }
  }
  kernel_->RunLane(buffers, lane);
}

}  // namespace wb
