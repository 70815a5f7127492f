#pragma once

// Where the index spaces of one part lie in those of the whole. A part of Link.

#include <cstdint>
#include <vector>

#include "compiler/wasm/module.h"

namespace wb {

struct IndexMaps {
  // By index in the part, imports first.
  std::vector<uint32_t> functions, tables, memories, globals;
  // What is added to an index in the part.
  uint32_t types = 0, elements = 0, data = 0, vectors = 0;
};

// The operator with the indices of the whole.
Instruction Translated(const Instruction& instruction, const IndexMaps& maps);

}  // namespace wb
