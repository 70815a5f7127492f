#pragma once

// What an activation of a function has besides its code: parameters, results, its slots, and the
// frame that it is saved in.

#include "compiler/ir/ir.h"
#include "scheduler/devices/interpreter/bytecode.h"
#include "scheduler/devices/interpreter/slots.h"

namespace wb {

// Writes all of `out` but what the rows give: code, offsets, calls, targets, safepoints and loops.
// `slots` are those of the function.
void LayOutActivation(const ir::Function& function, const Slots& slots, ByteFunction& out);

}  // namespace wb
