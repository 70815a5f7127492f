#pragma once

// How many lanes and seats a dispatch gets and how much memory and stack each lane reserves. Pure.

#include <cstdint>
#include <optional>
#include <span>

#include "compiler/compiler.h"
#include "scheduler/devices/device.h"
#include "scheduler/job/backlog.h"
#include "scheduler/job/job_plan.h"

namespace wb {

// Stack reserve of an instance's first attempt: most recursion is not deep.
inline constexpr uint32_t kFirstStackSlots = 2048;

struct SeatingWish {
  uint32_t lanes = 1;         // wanted at most, at least 1
  uint32_t enough_lanes = 1;  // with fewer the device would idle: memory reserve gives way first
  uint32_t pages = 0;         // reserve wanted at least; raised to what memory 0 begins with
  uint32_t stack = 0;         // 8-byte slots wanted at least; raised to kFirstStackSlots
  uint64_t seats = 1;         // wanted at most, all lanes together
  uint32_t seats_per_lane = 1;
  bool maps_memory = false;    // the device can map a lane's memory as it grows
  uint32_t further_pages = 0;  // wanted at least for each other memory, beyond its beginning
  uint32_t group = 1;          // lanes come in multiples of it
  // What lanes may hold of memory 0 where not enough lanes would run that hold all.
  MemoryWindow window;
};

struct Seating {
  uint32_t lanes = 0;
  uint32_t seats = 0;  // at least as many
  uint32_t pages = 0;  // of memory 0
  uint32_t stack = 0;  // 8-byte slots that frames have room for
  uint64_t bytes = 0;  // of the device's memory, host-visible parts included
  // Not 0: `pages` are addresses, of which so many are memory at first; `bytes` count twice as
  // many.
  uint32_t mapped_pages = 0;
  uint32_t further_pages = ~0u;  // as in DispatchShape
  MemoryWindow window;           // likewise
};

// Addresses of a dispatch whose memory is mapped as its lanes grow.
inline constexpr uint64_t kMostMappedBytes = uint64_t{1} << 40;

// The most memory that lets enough lanes run: a reserve costs address space, which is given back
// to pages only when a guest touches it, so the full reserve is tried first and halved down to what
// is wanted at least. Where memory can be mapped as lanes grow, a full reserve that does not fit is
// addresses, as many as there may be, and lanes begin with what is wanted at least.
// Memories besides the first grow less: they are of libraries, above all of the system layer. Where
// the full reserve does not fit, each may grow by an eighth of what memory 0 may grow by.
// nullopt: not even one lane, or group of lanes, fits into `budget_bytes`.
std::optional<Seating> ChooseSeating(const JobPlan& plan, const LaneLayout& layout,
                                     const SeatingWish& wish, uint64_t budget_bytes);

// The class of an instance of this class that needed more memory than the shape reserves, by its
// record. Neither reserve becomes less, since the instance may have used all of both.
SeatClass GrownClass(SeatClass seat_class, const DispatchShape& shape, const Module& module,
                     std::span<const uint32_t> record);

// Reserve of the next attempt of an instance that needed more than `pages`.
uint32_t GrownPages(uint32_t pages, uint32_t max_pages);

// The same for one that had memory mapped as it grew: more than the `reached` pages that it had,
// and of the same steps from `pages` on, so that there are few different reserves.
uint32_t PagesBeyond(uint32_t pages, uint32_t reached, uint32_t max_pages);

// The same for one that needed more than `slots` of stack.
uint32_t GrownStack(uint32_t slots, uint32_t max_stack);

DispatchShape ShapeOf(const JobPlan& plan, const Seating& seating);

}  // namespace wb
