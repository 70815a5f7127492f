#pragma once

// Which blocks are printed as `if`: those that a single branch leaves, a br_if among their own
// rows. What stands between it and the block's end is then what the `if` holds, and no jump is
// printed.

#include <cstdint>
#include <vector>

#include "compiler/ir/ir.h"

namespace wb {

// Per construct whether it is such a block. `resumable`: the function's text is entered at
// safepoints, so none may lie behind the br_if.
std::vector<bool> PlanSkips(const ir::Function& function, bool resumable);

}  // namespace wb
