#pragma once

// What of an instance lies in the lane besides memory and frames: where it lies and what it holds
// at first. Globals: the module's, and behind them those of our own that tell which segments were
// dropped and how large tables and memories (but memory 0) are; then the tables that operators read
// or change. A part of BuildIr.

#include "compiler/base/status.h"
#include "compiler/ir/ir.h"
#include "compiler/passes/state_use.h"

namespace wb {

// A table in the lane grows up to its declared maximum or this many elements, whichever is less
// (one that is larger at first does not grow at all).
inline constexpr uint32_t kMaxGrownElements = 16384;

// Fills global_words, globals_size, tables_size, data, elements, memories, tables and, in the
// image, globals and tables. Element segments are applied in order; one that does not fit sets the
// image's trap. Error: WASM_UNSUPPORTED_FEATURE.
Status PlaceState(const Module& module, const StateUse& use, ir::Program& program);

}  // namespace wb
