#pragma once

// A program with a common start (compiler/docs/common_start.md). Runs right behind BuildIr, on rows
// as it makes them.

#include "compiler/base/status.h"
#include "compiler/ir/ir.h"

namespace wb {

// Fills Program::starts. Nothing of a module that has a common start itself, whose instances
// compute in groups, or with a segment that does not fit.
void FindCommonStarts(ir::Program& program);

// Makes of a module with Module::common_start the program that it says: the functions on the way
// end at the start's point, or begin there. Functions that nothing calls any more lose their rows.
// Error: WASM_MALFORMED when the module's start is not one that FindCommonStarts finds.
Status SplitCommonStart(ir::Program& program);

}  // namespace wb
