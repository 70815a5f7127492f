#pragma once

#include <cstdint>

#include "compiler/ir/ir.h"

namespace wb {

// A bounded function costs at most so much fuel, callees included.
inline constexpr uint64_t kMaxBoundedCost = 4096;

// The most expensive path through a body without loops, or through one round of the loop of a bulk
// operator. Callees that are classified as bounded count; unbounded ones pass a safepoint and count
// nothing.
uint64_t WorstCost(const ir::Program& program, const ir::Function& function);

}  // namespace wb
