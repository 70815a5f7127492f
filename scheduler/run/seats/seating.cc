#include "scheduler/run/seats/seating.h"

#include <algorithm>

namespace wb {
namespace {

constexpr uint32_t kFurtherShare = 8;  // of the pages by which memory 0 may grow

// Bytes that a lane and a seat cost, and how many seats the host-visible bounds let in at all.
struct SeatingCost {
  uint64_t seat_bytes = 0;
  uint64_t most_seats = 0;

  explicit SeatingCost(const JobPlan& plan) {
    const uint64_t head = abi::RECORD_REGISTERS + plan.program.register_words;
    const uint64_t record_bytes =
        head * 4 + (uint64_t{std::min(plan.output_buffer, plan.output_bytes)} + 3) / 4 * 4;
    seat_bytes = record_bytes + uint64_t{plan.program.column_words} * 4 + plan.blob.slot_bytes;
    most_seats = kMaxHostBytes / record_bytes;
    const uint64_t blob = kMaxHostBytes - plan.blob.shared_bytes;
    if (plan.blob.slot_bytes > 0) most_seats = std::min(most_seats, blob / plan.blob.slot_bytes);
  }

  // Of a lane that has one seat.
  uint64_t Bytes(const LaneLayout& layout, const MemoryReserve& reserve, uint32_t stack) const {
    return seat_bytes + layout.LaneWords(reserve, stack) * 4;
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
  uint32_t further_pages = 0;
  MemoryWindow window = {};
};

// Pages that so many lanes have addresses for. A page of each lane of a group goes for rounding.
uint32_t AddressPages(const LaneLayout& layout, uint64_t lanes, uint32_t stack, uint32_t most) {
  const uint64_t all = (lanes + abi::GROUP_LANES - 1) / abi::GROUP_LANES * abi::GROUP_LANES;
  const uint64_t words = kMostMappedBytes / sizeof(uint32_t) / all;
  const uint64_t besides = layout.LaneWords({1}, stack);
  if (words <= besides) return 0;
  return static_cast<uint32_t>(std::min<uint64_t>(most, (words - besides) / kWordsPerPage));
}

// Room to grow as much again; where frames lie behind the reserve they share no granule with it. A
// module with several memories finds them by what is reserved, which so cannot grow.
std::optional<Reserve> MappedReserve(const JobPlan& plan, const LaneLayout& layout,
                                     const SeatingCost& cost, uint64_t lanes, uint64_t budget,
                                     uint32_t least, uint32_t stack) {
  if (!layout.memories.empty()) return std::nullopt;
  Reserve reserve;
  reserve.mapped_pages = std::max(least, 1u);
  reserve.counted_pages = reserve.mapped_pages * 2 + (layout.recursive() ? 1 : 0);
  if (reserve.counted_pages >= plan.max_pages) return std::nullopt;
  lanes = std::min(lanes, budget / cost.Bytes(layout, {reserve.counted_pages}, stack));
  if (lanes == 0) return std::nullopt;
  reserve.pages = AddressPages(layout, lanes, stack, plan.max_pages);
  if (reserve.pages <= reserve.counted_pages) return std::nullopt;
  return reserve;
}

// What lanes reserve where not enough of them fit with more. Pure.
class ReserveChoice {
 public:
  ReserveChoice(const JobPlan& plan, const LaneLayout& layout, const SeatingWish& wish)
      : least_further_(wish.further_pages),
        has_further_(!layout.memories.empty()),
        begins_(has_further_ ? layout.memories[0].min_pages : plan.min_pages),
        least_(std::min(std::max(begins_, wish.pages), plan.max_pages)) {}

  uint32_t least() const { return least_; }  // pages of memory 0
  bool IsLeast(const Reserve& reserve) const {
    return reserve.pages == least_ && (!has_further_ || reserve.further_pages <= least_further_);
  }
  // Half as much, and no less than is wanted at least.
  Reserve Halved(const Reserve& reserve) const {
    Reserve half;
    half.pages = half.counted_pages = std::max(least_, reserve.pages / 2);
    if (!has_further_) return half;
    half.further_pages = reserve.further_pages / 2;
    if (half.pages < reserve.pages) {
      half.further_pages = std::min(half.further_pages, (half.pages - begins_) / kFurtherShare);
    }
    half.further_pages = std::max(half.further_pages, least_further_);
    return half;
  }

  // Lanes that hold a part. Other memories may grow by an eighth of what it has.
  Reserve InWindow(const MemoryWindow& window, uint32_t max_pages) const {
    const uint32_t pages = (window.bytes + abi::PAGE_BYTES - 1) / abi::PAGE_BYTES;
    const uint32_t further = std::max(least_further_, (pages + kFurtherShare - 1) / kFurtherShare);
    return {max_pages, 0, max_pages, has_further_ ? further : 0, window};
  }

 private:
  const uint32_t least_further_;
  const bool has_further_;
  const uint32_t begins_;
  const uint32_t least_;
};

}  // namespace

std::optional<Seating> ChooseSeating(const JobPlan& plan, const LaneLayout& layout,
                                     const SeatingWish& wish, uint64_t budget_bytes) {
  if (budget_bytes < plan.blob.shared_bytes) return std::nullopt;
  const uint64_t budget = budget_bytes - plan.blob.shared_bytes;
  const SeatingCost cost(plan);
  const uint64_t wanted = std::min<uint64_t>(wish.lanes, cost.most_seats);
  const uint64_t enough = std::min<uint64_t>(wanted, wish.enough_lanes);
  const ReserveChoice choice(plan, layout, wish);
  const uint32_t stack =
      std::min(std::max(kFirstStackSlots, wish.stack), plan.spec.limits.max_stack);
  const auto lane_bytes = [&](const Reserve& of) {
    return cost.Bytes(layout, {of.counted_pages, of.further_pages, plan.max_pages, of.window},
                      stack);
  };
  const auto lanes_of = [&](const Reserve& of) { return budget / lane_bytes(of); };
  Reserve reserve{plan.max_pages, 0, plan.max_pages, plan.max_pages};
  std::optional<Reserve> mapped;
  if (wish.maps_memory && lanes_of(reserve) < enough) {
    mapped = MappedReserve(plan, layout, cost, wanted, budget, choice.least(), stack);
  }
  if (mapped) reserve = *mapped;
  while (!mapped && !choice.IsLeast(reserve) && lanes_of(reserve) < enough) {
    reserve = choice.Halved(reserve);
  }
  if (!wish.window.is_all() && lanes_of(reserve) < enough) {
    const Reserve part = choice.InWindow(wish.window, plan.max_pages);
    if (lanes_of(part) > lanes_of(reserve)) reserve = part;
  }
  const uint64_t lanes = std::min(wanted, lanes_of(reserve)) / wish.group * wish.group;
  if (lanes == 0) return std::nullopt;
  const uint64_t taken = lanes * lane_bytes(reserve);
  const uint64_t further = FurtherSeats(wish, cost, lanes, budget, taken);
  return Seating{static_cast<uint32_t>(lanes),
                 static_cast<uint32_t>(lanes + further),
                 reserve.pages,
                 stack,
                 plan.blob.shared_bytes + taken + further * cost.seat_bytes,
                 reserve.mapped_pages,
                 layout.memories.empty() ? ~0u : reserve.further_pages,
                 reserve.window};
}

SeatClass GrownClass(SeatClass seat_class, const DispatchShape& shape, const Module& module,
                     std::span<const uint32_t> record) {
  const uint32_t wanted = record[abi::RECORD_WANTED_PAGES];
  const uint32_t memory = wanted >> abi::WANTED_MEMORY_SHIFT;
  if (module.memories.size() > 1) {
    seat_class.further_pages = std::max(seat_class.further_pages, shape.further_pages);
  }
  if (memory != 0 && memory < module.memories.size()) {
    const uint32_t pages = wanted - (memory << abi::WANTED_MEMORY_SHIFT);
    const uint32_t beyond = pages - std::min(pages, module.memories[memory].limits.min);
    if (shape.window.is_all()) {
      seat_class.pages = std::max(seat_class.pages, shape.capacity_pages);
    }
    seat_class.further_pages = GrownPages(std::max(shape.further_pages, beyond), shape.max_pages);
  } else if (shape.mapped_pages == 0) {
    seat_class.pages = GrownPages(std::max(shape.capacity_pages, wanted), shape.max_pages);
  } else {  // a reserve of addresses says nothing of what it had
    seat_class.pages = PagesBeyond(shape.FirstPages(), std::max(record[abi::RECORD_PAGES], wanted),
                                   shape.max_pages);
  }
  return seat_class;
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
  shape.further_pages = seating.further_pages;
  shape.mapped_pages = seating.mapped_pages;
  shape.window = seating.window;
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
