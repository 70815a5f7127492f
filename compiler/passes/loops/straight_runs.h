#pragma once

// Finds rows of a function one behind the other with so many accesses to memory that one test at
// their head costs less than the tests of each (ir/straight_run.h). Pure, in proportion to the
// rows.

#include <vector>

#include "compiler/ir/ir.h"
#include "compiler/passes/analysis/known_bits.h"
#include "compiler/passes/loops/counted_loops.h"

namespace wb {

// As far as the budget allows, which is lowered by what was taken. `is_called`: by a function; rows
// of others count in loops only, since they run once. `facts`: of each variable. The function has
// its counted loops. Sets no field of the function.
std::vector<ir::StraightRun> FindStraightRuns(const ir::Function& function, bool is_called,
                                              const std::vector<KnownBits>& facts,
                                              LoopBudget* budget);

}  // namespace wb
