#pragma once

// Functions with all that may call them, directly or not, through tables too: what is true of a
// function is then true of whatever comes to it.

#include <vector>

#include "compiler/ir/ir.h"

namespace wb {

// `chosen` by function of the program, before and after.
std::vector<bool> WithCallers(const ir::Program& program, std::vector<bool> chosen);

}  // namespace wb
