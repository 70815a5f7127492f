#pragma once

// The lanes in which an instance runs again: one, or those of its whole group, where the job has
// collectives (compiler/docs/collectives.md). Pure.

#include <cstdint>
#include <optional>

#include "compiler/compiler.h"
#include "scheduler/devices/device.h"
#include "scheduler/job/job_plan.h"
#include "scheduler/run/seats/seating.h"

namespace wb {

// One lane has all that its instance may come to need, so that it never waits for more. Those of a
// group have what fits into `bytes`, each at least `pages` of memory. nullopt: that does not fit.
std::optional<Seating> SeatsToRunAgain(const JobPlan& plan, const LaneLayout& layout,
                                       uint32_t pages, uint64_t bytes);

// Linear memory that an instance has at most, of `bytes` for all that run.
inline uint64_t InstanceBytes(const JobPlan& plan, uint64_t bytes) { return bytes / plan.group; }

// The instance, and those of its group, into seats of a fresh dispatch. Its lane.
uint32_t SeatToRunAgain(const JobPlan& plan, uint64_t instance, Dispatch& dispatch);

// Some instance of the dispatch waits for more than its lane reserves.
bool NeedsMore(Dispatch& dispatch);

}  // namespace wb
