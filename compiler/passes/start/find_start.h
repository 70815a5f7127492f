#pragma once

// The functions that a common start goes through, from the exported one in. Pure.

#include <cstdint>
#include <vector>

#include "compiler/ir/ir.h"
#include "compiler/passes/start/start_walk.h"

namespace wb {

struct StartLevel {
  uint32_t function = 0;
  StartPoint point;  // of all levels but the last, at the call of the next one's function
};

// Instances that call the function first run up to the last level's point alike. Empty: nothing
// that is worth a module of its own, or it would take more rows than `budget` has left, which is
// for all functions that are asked about.
std::vector<StartLevel> FindStart(const ir::Program& program, const std::vector<bool>& may_differ,
                                  uint32_t function, uint64_t* budget);
// Rows for a program's functions: many exports may go into the same one.
uint64_t StartBudget(const ir::Program& program);

}  // namespace wb
