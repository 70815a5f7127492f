#pragma once

// The constants of a module that emitted functions read: passive segments, data that counted loops
// read, tables that nothing changes, and the numbers and stack slots of functions that table calls
// reach.

#include <vector>

#include "compiler/emit/text/text.h"
#include "compiler/ir/ir.h"

namespace wb {

// Appends the arrays that the printed functions name. `printed` goes by position in
// program.functions.
void WriteConstantArrays(const ir::Program& program, const std::vector<bool>& printed, Text& text);

}  // namespace wb
