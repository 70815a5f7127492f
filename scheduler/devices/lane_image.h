#pragma once

// LaneImage: all of an instance that was left midway, in one form for every device: what one gives
// out another takes in. It names no address of the dispatch that it came from, so reserves, layout
// and the number of lanes may differ.
//
// What shapes it is the module, the compiler's version, the lane program and the record; of
// CompileOptions nothing: `layout` is how words are found, `floats` how numbers are computed, and
// frames hold their bits with canonical NaNs in every form; flattening, copies and inlining change
// no frame. But a kernel with floats kFast32 computes something else, which a device cannot see:
// whoever moves lanes keeps those apart from exact ones (InstanceRef::moved).
//
// Words of `state`:
//   words of frames behind the memory (recursive modules; else 0)
//   the lane from its base up to the memory: header, stage, globals, tables, and the frames of a
//     module without recursion. Of the header what belongs to a dispatch is zero; rooms, here and
//     in links, are as of a stack reserve of kMaxStackSlots
//   the frames behind the memory
//   per memory, from the first one on: for each 4 KiB of its current size a bit, 32 to a word, and
//     then those of them that are not all zeros

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "compiler/base/digest.h"
#include "compiler/base/status.h"
#include "compiler/compiler.h"
#include "scheduler/devices/shape.h"

namespace wb {

struct LaneImage {
  Digest form;                   // of what it fits: FormOf
  std::vector<uint32_t> record;  // of its seat, the output as far as it is written
  std::vector<uint32_t> state;

  uint64_t bytes() const { return (record.size() + state.size()) * sizeof(uint32_t); }
};

Digest FormOf(const LoweredModule& module, const DispatchShape& shape);

// The most bytes that the image of an instance can have of which `record` tells, between launches.
uint64_t MostImageBytes(const LaneLayout& layout, const DispatchShape& shape,
                        std::span<const uint32_t> record);

}  // namespace wb
