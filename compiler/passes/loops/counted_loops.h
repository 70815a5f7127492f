#pragma once

// Finds innermost loops whose rounds can be counted before they begin, and where their accesses to
// memory then lie (ir/counted_loop.h). Pure; a function's loops together take time in proportion to
// its rows.

#include <cstdint>
#include <vector>

#include "compiler/ir/ir.h"
#include "compiler/passes/analysis/known_bits.h"

namespace wb {

// What counted loops may add to a module's text and to the work of a device's compiler.
struct LoopBudget {
  uint64_t rows = 0;           // of loops: each stands in the text twice
  uint64_t unrolled_rows = 0;  // rows times rounds of loops that are unrolled
  uint64_t data_words = 0;     // of the module's data that stand in the text
  uint64_t trace_steps = 0;    // of rounds with loops inside, whether or not they are counted then
  uint64_t straight_rows = 0;  // of straight runs: each stands in the text twice
};
LoopBudget BudgetOf(const ir::Program& program);

// Of loops that have something to gain, as far as the budget allows, which is lowered by what was
// taken. `facts`: of each variable. `image`: the program's. Sets no field of the function.
std::vector<ir::CountedLoop> FindCountedLoops(const ir::Function& function, const ir::Image& image,
                                              const std::vector<KnownBits>& facts,
                                              LoopBudget* budget);

}  // namespace wb
