#include "scheduler/run/seats/seating.h"

#include <algorithm>

namespace wb {
namespace {

// Bytes that a lane and a seat cost, and how many seats the host-visible bounds let in at all.
struct SeatingCost {
  uint64_t seat_bytes = 0;
  uint64_t most_seats = 0;

  explicit SeatingCost(const JobPlan& plan) {
    const uint64_t head = abi::RECORD_REGISTERS + plan.program.register_words;
    const uint64_t record_bytes = head * 4 + (uint64_t{std::min(plan.output_buffer, plan.output_bytes)} + 3) / 4 * 4;
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

// What a lane reserves, begins with, and is counted for.
struct Reserve {
  uint32_t pages = 0;
  uint32_t mapped_pages = 0;  // 0: all
  uint32_t counted_pages = 0;
};

// Pages that so many lanes have addresses for. A page of each lane of a group goes for rounding.
uint32_t AddressPages(const LaneLayout& layout, uint64_t lanes, uint32_t stack, uint32_t most) {
  const uint64_t all = (lanes + abi::GROUP_LANES - 1) / abi::GROUP_LANES * abi::GROUP_LANES;
  const uint64_t words = kMostMappedBytes / sizeof(uint32_t) / all;
  const uint64_t besides = layout.LaneWords(1, stack);
  if (words <= besides) return 0;
  return static_cast<uint32_t>(std::min<uint64_t>(most, (words - besides) / layout.MemoryWords(1)));
}

// Room to grow as much again; where frames lie behind the reserve they share no granule with it. A
// module with several memories finds them by the reserve, which so cannot grow.
std::optional<Reserve> MappedReserve(const JobPlan& plan, const LaneLayout& layout,
                                     const SeatingCost& cost, uint64_t lanes, uint64_t budget,
                                     uint32_t least, uint32_t stack) {
  if (layout.memories != 1) return std::nullopt;
  Reserve reserve;
  reserve.mapped_pages = std::max(least, 1u);
  reserve.counted_pages = reserve.mapped_pages * 2 + (layout.recursive() ? 1 : 0);
  if (reserve.counted_pages >= plan.max_pages) return std::nullopt;
  lanes = std::min(lanes, budget / cost.Bytes(layout, reserve.counted_pages, stack));
  if (lanes == 0) return std::nullopt;
  reserve.pages = AddressPages(layout, lanes, stack, plan.max_pages);
  if (reserve.pages <= reserve.counted_pages) return std::nullopt;
  return reserve;
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
  const auto lanes_of = [&](uint32_t pages) { return budget / cost.Bytes(layout, pages, stack); };
  Reserve reserve{plan.max_pages, 0, plan.max_pages};
  std::optional<Reserve> mapped;
  if (wish.maps_memory && lanes_of(plan.max_pages) < enough) {
    mapped = MappedReserve(plan, layout, cost, wanted, budget, least, stack);
  }
  if (mapped) reserve = *mapped;
  while (!mapped && reserve.pages > least && lanes_of(reserve.pages) < enough) {
    reserve.pages = reserve.counted_pages = std::max(least, reserve.pages / 2);
  }
  const uint64_t lanes = std::min(wanted, lanes_of(reserve.counted_pages));
  if (lanes == 0) return std::nullopt;
  const uint64_t taken = lanes * cost.Bytes(layout, reserve.counted_pages, stack);
  const uint64_t further = FurtherSeats(wish, cost, lanes, budget, taken);
  return Seating{static_cast<uint32_t>(lanes),
                 static_cast<uint32_t>(lanes + further),
                 reserve.pages,
                 stack,
                 plan.blob.shared_bytes + taken + further * cost.seat_bytes,
                 reserve.mapped_pages};
}

uint32_t GrownPages(uint32_t pages, uint32_t max_pages) {
  return static_cast<uint32_t>(
      std::min<uint64_t>(max_pages, std::max<uint64_t>(uint64_t{pages} * 2, 1)));
}

uint32_t PagesBeyond(uint32_t pages, uint32_t reached, uint32_t max_pages) {
  do {
    pages = GrownPages(pages, max_pages);
  } while (pages <= reached && pages < max_pages);
  return pages;
}

uint32_t GrownStack(uint32_t slots, uint32_t max_stack) {
  return static_cast<uint32_t>(std::min<uint64_t>(max_stack, uint64_t{slots} * 4));
}

DispatchShape ShapeOf(const JobPlan& plan, const Seating& seating) {
  DispatchShape shape;
  shape.lanes = seating.lanes;
  shape.seats = seating.seats > seating.lanes ? seating.seats : 0;
  shape.capacity_pages = seating.pages;
  shape.mapped_pages = seating.mapped_pages;
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
  shape.output_buffer = plan.output_buffer;
  return shape;
}

}  // namespace wb
