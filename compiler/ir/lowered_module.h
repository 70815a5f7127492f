#pragma once

// What lowering gives, and what every engine starts from.

#include <cstdint>
#include <vector>

#include "compiler/abi/lane_layout.h"
#include "compiler/ir/ir.h"

namespace wb {

// A module in the form that every engine runs: IR after all passes, and where lane state lies.
// Immutable and shareable.
struct LoweredModule {
  ir::Program program;
  LaneLayout layout;
};

// The initial image as the kernel's `image` buffer takes it (words); the same on every device.
// Its format is IMAGE_* in abi/lane.def: the header, the globals' words, the ranges of memory 0,
// the tables, and with several memories those.
std::vector<uint32_t> EncodeImage(const LoweredModule& module);

}  // namespace wb
