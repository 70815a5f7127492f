#pragma once

// ResidentChange: what a call has changed of an instance's state (LaneImage::is_change), and the
// state that comes of it. Pure.

#include <cstdint>
#include <span>
#include <vector>

#include "compiler/base/status.h"
#include "scheduler/job/resident/resident_state.h"

namespace wb {

struct ResidentChange {
  std::vector<uint32_t> words;  // those of the image, its header as in a state at rest
  // Where the bits of each memory lie; behind them are those of its changed blocks, and these.
  std::vector<ResidentMemory> memories;
};

// INVALID_ARGUMENT: no sound engine exports it of an instance that began with `base`.
Result<ResidentChange> ChangeOf(const LoweredModule& module, const ResidentState& base,
                                LaneImage image);

// The blocks that are not zero are those of the base, so that the words stay where they are.
bool FitsInto(const ResidentState& base, const ResidentChange& change);
// Of one that fits: makes the base's words those of the state that it came to.
void ChangeInPlace(const ResidentState& base, const ResidentChange& change,
                   std::span<uint32_t> words);
ResidentState Changed(const ResidentState& base, const ResidentChange& change);

}  // namespace wb
