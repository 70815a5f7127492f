#pragma once

#include "compiler/base/status.h"
#include "compiler/base/stop.h"
#include "compiler/ir/ir.h"
#include "compiler/passes/cut/plan_cuts.h"

namespace wb {

// A function of very many rows becomes several, since compilers of kernels take more than linear
// time for one. Each part is a synthetic function; the variables that cross its border are its
// parameters and results. Fuel, traps, safepoints and the cost of the stack stay.
//
// Runs after SplitLocals, since variables cross borders, and before CanonicalizeNans and
// ClassifyFunctions, for which parts are functions like others. A function that might be bounded
// stays whole, and so does one whose liveness would take too long. Error: COMPILE_TIMEOUT.
Status CutFunctions(ir::Program& program, const CutSizes& sizes, const Stop& stop = {});

}  // namespace wb
