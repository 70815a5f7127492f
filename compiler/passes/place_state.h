#pragma once

// Where the state of an instance besides memory and frames lies in the lane, and what it holds at
// first. The module's globals come first. Behind them lie globals of our own, which tell which
// segments were dropped and how large the tables and the memories other than memory 0 are. Then
// come the tables that operators read or change. A part of BuildIr.

#include "compiler/base/status.h"
#include "compiler/ir/ir.h"
#include "compiler/passes/rows/state_use.h"

namespace wb {

// A table in the lane grows up to its declared maximum or this many elements, whichever is less. A
// table that is larger at first does not grow at all.
inline constexpr uint32_t kMaxGrownElements = 16384;

// Fills global_words, globals_size, tables_size, data, elements, memories, tables and, in the
// image, globals and tables. Element segments are applied in order; one that does not fit sets the
// image's trap. Error: WASM_UNSUPPORTED_FEATURE.
Status PlaceState(const Module& module, const StateUse& use, ir::Program& program);

}  // namespace wb
