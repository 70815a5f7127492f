#include "scheduler/seating.h"

#include <algorithm>

namespace wb {
namespace {

// Bytes that one lane costs, and how many lanes the host-visible bounds let in at all.
struct LaneCost {
  uint64_t record_bytes = 0;
  uint64_t input_bytes = 0;
  uint64_t most_lanes = 0;

  LaneCost(const JobPlan& plan) {  // NOLINT(google-explicit-constructor)
    const uint64_t head = abi::RECORD_REGISTERS + plan.program.register_words;
    record_bytes = head * 4 + (uint64_t{plan.output_bytes} + 3) / 4 * 4;
    input_bytes = uint64_t{plan.program.column_words} * 4 + plan.blob.slot_bytes;
    most_lanes = kMaxHostBytes / record_bytes;
    const uint64_t blob = kMaxHostBytes - plan.blob.shared_bytes;
    if (plan.blob.slot_bytes > 0) most_lanes = std::min(most_lanes, blob / plan.blob.slot_bytes);
  }

  uint64_t Bytes(const LaneLayout& layout, uint32_t pages, uint32_t stack) const {
    return record_bytes + input_bytes + layout.LaneWords(pages, stack) * 4;
  }
};

}  // namespace

std::optional<Seating> ChooseSeating(const JobPlan& plan, const LaneLayout& layout,
                                     const SeatingWish& wish, uint64_t budget_bytes) {
  if (budget_bytes < plan.blob.shared_bytes) return std::nullopt;
  const uint64_t budget = budget_bytes - plan.blob.shared_bytes;
  const LaneCost cost(plan);
  const uint64_t wanted = std::min<uint64_t>(wish.lanes, cost.most_lanes);
  const uint64_t enough = std::min<uint64_t>(wanted, wish.enough_lanes);
  const uint32_t least = std::min(std::max(plan.min_pages, wish.pages), plan.max_pages);
  const uint32_t stack =
      std::min(std::max(kFirstStackSlots, wish.stack), plan.spec.limits.max_stack);
  uint32_t pages = plan.max_pages;
  while (pages > least && budget / cost.Bytes(layout, pages, stack) < enough) {
    pages = std::max(least, pages / 2);
  }
  const uint64_t lanes = std::min(wanted, budget / cost.Bytes(layout, pages, stack));
  if (lanes == 0) return std::nullopt;
  return Seating{static_cast<uint32_t>(lanes), pages, stack,
                 plan.blob.shared_bytes + lanes * cost.Bytes(layout, pages, stack)};
}

uint32_t GrownPages(uint32_t pages, uint32_t max_pages) {
  return static_cast<uint32_t>(
      std::min<uint64_t>(max_pages, std::max<uint64_t>(uint64_t{pages} * 2, 1)));
}

uint32_t GrownStack(uint32_t slots, uint32_t max_stack) {
  return static_cast<uint32_t>(std::min<uint64_t>(max_stack, uint64_t{slots} * 4));
}

DispatchShape ShapeOf(const JobPlan& plan, const Seating& seating) {
  DispatchShape shape;
  shape.lanes = seating.lanes;
  shape.capacity_pages = seating.pages;
  shape.max_pages = plan.max_pages;
  shape.max_stack = plan.spec.limits.max_stack;
  shape.capacity_stack = seating.stack;
  shape.max_fuel = plan.spec.limits.max_fuel;
  shape.program = plan.program.words;
  shape.steps = static_cast<uint32_t>(plan.program.steps.size());
  shape.column_words = plan.program.column_words;
  shape.blob_bytes = plan.blob.shared_bytes + seating.lanes * plan.blob.slot_bytes;
  shape.register_words = plan.program.register_words;
  shape.output_bytes = plan.output_bytes;
  return shape;
}

}  // namespace wb
