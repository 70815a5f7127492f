#include "scheduler/seating.h"

#include <algorithm>

namespace wb {
namespace {

// Bytes that a lane and a seat cost, and how many seats the host-visible bounds let in at all.
struct SeatingCost {
  uint64_t seat_bytes = 0;
  uint64_t most_seats = 0;

  explicit SeatingCost(const JobPlan& plan) {
    const uint64_t head = abi::RECORD_REGISTERS + plan.program.register_words;
    const uint64_t record_bytes = head * 4 + (uint64_t{plan.output_bytes} + 3) / 4 * 4;
    seat_bytes = record_bytes + uint64_t{plan.program.column_words} * 4 + plan.blob.slot_bytes;
    most_seats = kMaxHostBytes / record_bytes;
    const uint64_t blob = kMaxHostBytes - plan.blob.shared_bytes;
    if (plan.blob.slot_bytes > 0) most_seats = std::min(most_seats, blob / plan.blob.slot_bytes);
  }

  // Of a lane that has one seat.
  uint64_t Bytes(const LaneLayout& layout, uint32_t pages, uint32_t stack) const {
    return seat_bytes + layout.LaneWords(pages, stack) * 4;
  }
};

// What is left when every lane has a seat goes to further seats, up to a quarter of the budget.
uint64_t FurtherSeats(const SeatingWish& wish, const SeatingCost& cost, uint64_t lanes,
                      uint64_t budget, uint64_t taken) {
  const uint64_t wanted = std::min({wish.seats, lanes * wish.seats_per_lane, cost.most_seats});
  if (wanted <= lanes) return 0;
  return std::min(wanted - lanes, std::min(budget - taken, budget / 4) / cost.seat_bytes);
}

}  // namespace

std::optional<Seating> ChooseSeating(const JobPlan& plan, const LaneLayout& layout,
                                     const SeatingWish& wish, uint64_t budget_bytes) {
  if (budget_bytes < plan.blob.shared_bytes) return std::nullopt;
  const uint64_t budget = budget_bytes - plan.blob.shared_bytes;
  const SeatingCost cost(plan);
  const uint64_t wanted = std::min<uint64_t>(wish.lanes, cost.most_seats);
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
  const uint64_t taken = lanes * cost.Bytes(layout, pages, stack);
  const uint64_t further = FurtherSeats(wish, cost, lanes, budget, taken);
  return Seating{static_cast<uint32_t>(lanes), static_cast<uint32_t>(lanes + further), pages, stack,
                 plan.blob.shared_bytes + taken + further * cost.seat_bytes};
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
  shape.seats = seating.seats > seating.lanes ? seating.seats : 0;
  shape.capacity_pages = seating.pages;
  shape.max_pages = plan.max_pages;
  shape.max_stack = plan.spec.limits.max_stack;
  shape.capacity_stack = seating.stack;
  shape.max_fuel = plan.spec.limits.max_fuel;
  shape.program = plan.program.words;
  shape.steps = static_cast<uint32_t>(plan.program.steps.size());
  shape.column_words = plan.program.column_words;
  shape.blob_bytes = plan.blob.shared_bytes + seating.seats * plan.blob.slot_bytes;
  shape.register_words = plan.program.register_words;
  shape.output_bytes = plan.output_bytes;
  return shape;
}

}  // namespace wb
