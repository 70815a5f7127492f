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
// that is worth a module of its own.
std::vector<StartLevel> FindStart(const ir::Program& program, const std::vector<bool>& may_differ,
                                  uint32_t function);

}  // namespace wb
