#pragma once

// Metal floats, computed while the processor flushes subnormals, against its own arithmetic while
// it does not.

#include <cstdint>
#include <string>

#include "tests/compiler/floats/metal_rows.h"

namespace wb {

struct Agreement {
  uint64_t cases = 0;
  uint64_t differences = 0;
  std::string first;  // of them: operands, results

  void Add(const Agreement& other);
};

// All pairs of the types' corners, then `cases` of Operands.
Agreement CheckRow(const MetalRow& row, uint64_t cases, uint64_t seed);

// A row of one f32 operand on every `stride`-th bit pattern from `first` to `last`.
Agreement CheckPatterns(const MetalRow& row, uint64_t first, uint64_t last, uint64_t stride);

}  // namespace wb
