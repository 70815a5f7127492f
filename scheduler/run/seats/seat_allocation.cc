#include "scheduler/run/seats/seat_allocation.h"

#include <algorithm>
#include <utility>

namespace wb {

Result<std::optional<SeatTable>> AllocateSeats(Device& device, const SeatRequest& request) {
  const JobPlan& plan = request.plan;
  uint64_t budget = request.budget;
  while (const auto seating = ChooseSeating(plan, request.layout, request.wish, budget)) {
    if (seating->lanes < request.least_lanes) break;
    DispatchShape shape = ShapeOf(plan, *seating);
    shape.kept = request.kept;
    auto dispatch = device.Allocate(request.pipeline, shape);
    if (dispatch.ok()) {
      return std::optional<SeatTable>(SeatTable(std::move(dispatch).value(), plan, seating->bytes));
    }
    if (dispatch.status().reason() != Reason::kNoDeviceFits) return dispatch.status();
    budget = std::min(budget / 2, seating->bytes / 2);
  }
  return std::optional<SeatTable>();
}

}  // namespace wb
