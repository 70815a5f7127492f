#pragma once

// OccupancySpace: the numbers of lanes and the blocks that launches on a GPU may have, and which of
// them are next to each other. Pure.
//
// Every processor has as many lanes as the others, and so has every launch of those that run
// abreast; blocks are such that lanes are a whole number of them. Occupancies are of the whole
// device, with the usual kernel; one without a number of lanes means all lanes.

#include <cstdint>
#include <vector>

#include "scheduler/control/occupancy.h"

namespace wb {

class OccupancySpace {
 public:
  // A GPU of so many processors, which hold so many lanes in all.
  OccupancySpace(uint32_t processors, uint32_t threads);

  // From here on launches are of dispatches of so many lanes each, so many of them abreast (at
  // least 1): together they have all lanes that there are.
  void SetLaunches(uint32_t lanes, uint32_t abreast);
  bool IsLike(uint32_t lanes, uint32_t abreast) const;  // about as many lanes together
  uint32_t abreast() const { return abreast_; }

  // About so many lanes; all where that is too few to be tried.
  Occupancy Of(uint32_t lanes) const;
  // What one of so many launches fills, each of a dispatch of so many lanes. The kernel stays.
  Occupancy PartOf(const Occupancy& whole, uint32_t lanes, uint32_t abreast) const;

  // All where there is none, or where that is nearly all.
  Occupancy Fewest() const;
  Occupancy TwiceOf(const Occupancy& occupancy) const;
  Occupancy HalfOf(const Occupancy& occupancy) const;
  // Between it, half of it and twice of it; the fewest first.
  std::vector<Occupancy> AroundOf(const Occupancy& occupancy) const;
  std::vector<Occupancy> OtherBlocksOf(const Occupancy& occupancy) const;

 private:
  bool IsFewer(uint32_t lanes) const;  // than nearly all

  uint32_t processors_;
  uint32_t threads_;
  uint32_t lanes_ = 0;  // of all launches that run abreast
  uint32_t abreast_ = 1;
};

}  // namespace wb
