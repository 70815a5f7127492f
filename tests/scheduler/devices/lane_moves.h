#pragma once

// Lanes that leave one dispatch midway and go on in another.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tests/scheduler/devices/rig.h"

namespace wb::test {

// An instance that comes to a seat.
struct Arrival {
  uint32_t seat = 0;
  uint32_t input = 0;                      // of the work's only column
  std::shared_ptr<const LaneImage> image;  // null: it starts
};
// A dispatch of `work`, whose column may be empty, for these; all other seats are empty.
std::unique_ptr<Dispatch> SeatArrivals(Device& device, const PipelineRef& pipeline, Work work,
                                       const std::vector<Arrival>& arrivals);
std::span<uint32_t> RecordIn(Dispatch& dispatch, uint32_t seat);
// A launch that only its slice ends.
LaunchLimits SliceOf(uint64_t fuel);

// Instances that are midway, for the same seats elsewhere.
std::vector<LanePlace> ExportAll(Device& device, Dispatch& dispatch);
// The same of one launch on the cpu device, in which no instance may end.
std::vector<LanePlace> LeftAfter(const Work& work, uint64_t slice_fuel);

// A dispatch of `work` for the instances that were exported from `from`. Those that have ended
// there have their records in it, and the others start.
std::unique_ptr<Dispatch> SeatOnward(Device& device, const PipelineRef& pipeline, const Work& work,
                                     Dispatch& from, const std::vector<LanePlace>& places);

}  // namespace wb::test
