#pragma once

// The one lane in which an instance runs again, with all that it may come to need, so that it never
// waits for more. Pure.

#include <algorithm>
#include <cstdint>

#include "scheduler/run/seats/seating.h"

namespace wb {

// `memory_bytes`: the most that it is given of each memory; no less than it begins with.
inline Seating OneSeat(const JobPlan& plan, uint64_t memory_bytes) {
  Seating seating;
  seating.lanes = seating.seats = 1;
  const uint64_t most = std::min<uint64_t>(plan.max_pages, memory_bytes / abi::PAGE_BYTES);
  seating.pages = std::max(static_cast<uint32_t>(most), plan.min_pages);
  seating.further_pages = seating.pages;
  seating.stack = plan.spec.limits.max_stack;
  return seating;
}

}  // namespace wb
