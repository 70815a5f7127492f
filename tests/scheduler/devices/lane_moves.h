#pragma once

// Lanes that leave one dispatch midway and go on in another.

#include <cstdint>
#include <memory>
#include <vector>

#include "tests/scheduler/devices/rig.h"

namespace wb::test {

// Instances that are midway, for the same seats elsewhere.
std::vector<LanePlace> ExportAll(Device& device, Dispatch& dispatch);
// The same of one launch on the cpu device, in which no instance may end.
std::vector<LanePlace> LeftAfter(const Work& work, uint64_t slice_fuel);

// A dispatch of `work` for the instances that were exported from `from`. Those that have ended
// there have their records in it, and the others start.
std::unique_ptr<Dispatch> SeatOnward(Device& device, const PipelineRef& pipeline, const Work& work,
                                     Dispatch& from, const std::vector<LanePlace>& places);

}  // namespace wb::test
