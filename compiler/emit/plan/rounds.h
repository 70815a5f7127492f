#pragma once

// How many rows a device's code has beside a function's own.

#include <cstdint>

#include "compiler/ir/ir.h"

namespace wb {

// Counted loops and straight runs stand there twice, and loops once for each round if they are
// unrolled.
uint64_t RowsOfRounds(const ir::Function& function);

}  // namespace wb
