#pragma once

// The function that calls the callee of a number, for table calls with many callees. A part of
// BuildIr.

#include "compiler/ir/ir.h"

namespace wb {

// Its parameters are the number (i32), then those of the type; its results are those of the type.
// It is a balanced tree of tests with a direct call in each leaf, in proportion to the callees. A
// number of no callee calls some callee. It costs no fuel and no stack and has no entry safepoint:
// the caller has checked the callee's room (kCheckRoom). `tail`: it makes tail calls.
ir::Function BuildTrampoline(const ir::Program& program, const ir::Lookup& lookup, bool tail);

}  // namespace wb
