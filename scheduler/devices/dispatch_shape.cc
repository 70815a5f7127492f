#include "scheduler/devices/dispatch_shape.h"

#include <algorithm>
#include <string>

namespace wb {
namespace {

uint32_t Low(uint64_t value) { return static_cast<uint32_t>(value); }
uint32_t High(uint64_t value) { return static_cast<uint32_t>(value >> 32); }

uint32_t TakersOf(const Occupancy& occupancy, const abi::Params& params) {
  if (params.seats == 0) return 0;
  if (occupancy.lanes == 0 || occupancy.lanes >= params.lanes) return params.lanes;
  const uint32_t groups = (occupancy.lanes + abi::GROUP_LANES - 1) / abi::GROUP_LANES;
  return std::min(groups * abi::GROUP_LANES, params.lanes);
}

// Of what the text can do with windows, within addresses of 32 bits, and with all that rows come to
// without a test.
bool IsSound(const MemoryWindow& window, const ir::Program& program, WindowForm form) {
  constexpr uint32_t kGranule = MemoryWindow::kGranule;
  if (window.is_all()) return window.from == 0;
  if (form == WindowForm::kNone || (window.from != 0 && form != WindowForm::kAnywhere))
    return false;
  if (window.from % kGranule != 0 || window.bytes % kGranule != 0) return false;
  const uint64_t first_bytes = uint64_t{program.memories[0].min_pages} * abi::PAGE_BYTES;
  if (uint64_t{window.from} + kGranule > first_bytes || window.end() >= uint64_t{1} << 32)
    return false;
  return program.inside_end == 0 ||
         (window.low() <= program.inside_from && program.inside_end <= window.end());
}

}  // namespace

Status CheckShape(const DispatchShape& shape, const ir::Program& program,
                  const CompileOptions& options) {
  const bool sound = shape.capacity_pages <= 65536 && shape.capacity_pages <= shape.max_pages &&
                     shape.mapped_pages <= shape.capacity_pages &&
                     (shape.window.is_all() || shape.mapped_pages == 0) &&
                     IsSound(shape.window, program, WindowFormOf(program, options)) &&
                     shape.max_stack <= kMaxStackSlots &&
                     (shape.seats == 0 || shape.seats >= shape.lanes) && shape.seats < (1u << 31) &&
                     uint64_t{shape.steps} * abi::STEP_WORDS <= shape.program.size() &&
                     shape.register_words < (1u << 24) && shape.output_bytes < (1u << 30) &&
                     shape.output_buffer >= abi::LEAST_BUFFER && shape.column_words < (1u << 24) &&
                     shape.blob_bytes < (uint64_t{1} << 32);
  if (sound) return {};
  return {Reason::kInvalidArgument,
          "The shape of a dispatch of [" + std::to_string(shape.lanes) + "] lanes is not sound."};
}

Status DoesNotFit(const DispatchShape& shape, uint64_t available_bytes) {
  return {Reason::kNoDeviceFits, "A dispatch of [" + std::to_string(shape.lanes) +
                                     "] lanes with [" + std::to_string(shape.capacity_pages) +
                                     "] pages each does not fit into the [" +
                                     std::to_string(available_bytes) + "] bytes that are free."};
}

Status InputDoesNotFit(const InputBytes& input, uint64_t available_bytes) {
  return {Reason::kNoDeviceFits,
          "An input of [" + std::to_string(input.bytes.size()) + "] bytes does not fit into the [" +
              std::to_string(available_bytes) + "] bytes of the device that are free."};
}

bool StateBytes(const LaneLayout& layout, MemoryLayout order, const DispatchShape& shape,
                uint64_t* bytes) {
  uint64_t lanes = shape.lanes;
  if (order != MemoryLayout::kContiguous) {
    lanes = (lanes + abi::GROUP_LANES - 1) / abi::GROUP_LANES * abi::GROUP_LANES;
  }
  // Frames are found by a word's number of 32 bits.
  if (layout.FramesAt(shape.Reserve()) > 0xffffffffu) return false;
  // A lane has less than 2^49 words, so only the product can be too large.
  const uint64_t lane_bytes = layout.LaneWords(shape.Reserve(), shape.StackReserve()) * 4;
  if (lanes != 0 && lane_bytes > (uint64_t{1} << 62) / lanes) return false;
  *bytes = lanes * lane_bytes;
  return true;
}

abi::Params ParamsOf(const DispatchShape& shape, const LaneLayout& layout) {
  const uint64_t lane_words = layout.LaneWords(shape.Reserve(), shape.StackReserve());
  abi::Params params;
  params.lanes = shape.lanes;
  params.seats = shape.seats;
  params.lanes_are_new = 1;
  params.steps = shape.steps;
  params.record_words = shape.RecordWords();
  params.output_at = abi::RECORD_REGISTERS + shape.register_words;
  params.output_bytes = shape.output_bytes;
  params.output_buffer = shape.OutputBuffer();
  params.capacity_pages = shape.capacity_pages;
  params.further_pages = shape.further_pages;
  params.max_pages = shape.max_pages;
  params.max_stack = shape.max_stack;
  params.frames_at = Low(layout.FramesAt(shape.Reserve()));
  params.capacity_stack = layout.recursive() ? shape.StackReserve() : shape.max_stack;
  params.lane_words_lo = Low(lane_words);
  params.lane_words_hi = High(lane_words);
  params.span_shift = layout.span_shift;
  params.data_from = layout.data_from;
  params.data_end = layout.data_end;
  params.window_from = shape.window.from;
  params.window_bytes = shape.window.bytes;
  params.max_fuel_lo = Low(shape.max_fuel);
  params.max_fuel_hi = High(shape.max_fuel);
  return params;
}

void SetLimits(const LaunchLimits& limits, abi::Params* params) {
  params->quantum = std::clamp(limits.quantum, 1u, 1u << 30);
  params->slice_lo = Low(limits.slice_fuel);
  params->slice_hi = High(limits.slice_fuel);
  params->slice_step = limits.slice_step;
  params->most_idle = limits.most_idle;
  params->takers = TakersOf(limits.occupancy, *params);
  params->group_wait = std::min(limits.group_wait, (1u << 31) / params->quantum);
}

bool IsBlock(uint32_t threads) {
  return threads != 0 && threads <= 1024 && threads % abi::GROUP_LANES == 0;
}

}  // namespace wb
