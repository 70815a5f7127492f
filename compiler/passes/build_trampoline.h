#pragma once

// The function that calls the callee of a number, for table calls with many callees. A part of
// BuildIr.

#include "compiler/ir/ir.h"

namespace wb {

// Parameters: the number (i32), then those of the type; results: those of the type. A balanced tree
// of tests with a direct call in each leaf, in proportion to the callees; a number that is none of
// theirs calls some other callee. No fuel, no entry safepoint, no stack: the caller has checked the
// callee's room (kCheckRoom). `tail`: by tail calls.
ir::Function BuildTrampoline(const ir::Program& program, const ir::Lookup& lookup, bool tail);

}  // namespace wb
