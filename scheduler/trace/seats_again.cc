#include "scheduler/trace/seats_again.h"

#include <algorithm>

#include "scheduler/run/seats/record.h"
#include "scheduler/trace/one_seat.h"

namespace wb {

std::optional<Seating> SeatsToRunAgain(const JobPlan& plan, const LaneLayout& layout,
                                       uint32_t pages, uint64_t bytes) {
  if (plan.group == 1) return OneSeat(plan, bytes);
  SeatingWish wish;
  wish.lanes = wish.enough_lanes = wish.group = plan.group;
  wish.seats = plan.group;
  wish.pages = pages;
  std::optional<Seating> seating;
  for (wish.stack = plan.spec.limits.max_stack; !seating; wish.stack /= 2) {
    seating = ChooseSeating(plan, layout, wish, bytes);
    if (wish.stack <= kFirstStackSlots) break;
  }
  return seating;
}

uint32_t SeatToRunAgain(const JobPlan& plan, uint64_t instance, Dispatch& dispatch) {
  FillShared(plan, dispatch);
  const uint64_t first = instance / plan.group * plan.group;
  const uint64_t end = std::min(first + plan.group, plan.spec.instances);
  for (uint64_t one = first; one < end; ++one) {
    FillSeat(plan, one, static_cast<uint32_t>(one - first), dispatch);
  }
  return static_cast<uint32_t>(instance - first);
}

bool NeedsMore(Dispatch& dispatch) {
  for (uint32_t seat = 0; seat < dispatch.shape().Seats(); ++seat) {
    const uint32_t state = RecordAt(dispatch, seat)[abi::RECORD_SEAT];
    if (state == abi::SEAT_NEEDS_MEMORY || state == abi::SEAT_NEEDS_STACK) return true;
  }
  return false;
}

}  // namespace wb
