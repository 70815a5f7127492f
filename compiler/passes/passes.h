#pragma once

// The passes between a decoded module and IR that engines run, in the order they must run
// (compiler.cc). Each is one function, one file; pure and linear in the size of the code.

#include <memory>

#include "compiler/abi/lane_layout.h"
#include "compiler/base/status.h"
#include "compiler/base/stop.h"
#include "compiler/ir/ir.h"

namespace wb {

// Every body to rows (FunctionBuilder), globals' places, the initial image.
// The module imports nothing (BindImports). Errors: WASM_UNSUPPORTED_FEATURE, COMPILE_TIMEOUT.
Result<ir::Program> BuildIr(std::shared_ptr<const Module> module, const Stop& stop = {});

// Gives locals that hold unrelated values in turn a variable for each. Before CanonicalizeNans,
// which judges whole variables.
void SplitLocals(ir::Function& function);

// A NaN that arithmetic made may have any bits until they can be observed; this inserts kCanon
// where they can. Before NumberSafepoints, since it moves rows.
void CanonicalizeNans(ir::Function& function);

// Fills bounded, recursive, component, grows_memory and worst_cost over the call graph, and removes
// the entry safepoint of bounded functions. Before NumberSafepoints, which leaves bounded functions
// alone.
void ClassifyFunctions(ir::Program& program);

// Fuel left is a signed 32-bit number and is compared at safepoints only: refuses code that could
// run it round between two of them (hundreds of thousands of calls in a row). Needs the classes.
// Error: WASM_UNSUPPORTED_FEATURE.
Status CheckFuelRange(const ir::Program& program);

// Numbers safepoints in row order, calls to functions that may leave included, and fills the row
// and safepoint intervals of constructs. After this no pass may move rows.
void NumberSafepoints(const ir::Program& program, ir::Function& function);

// The variables that live across some safepoint, and so the frame. Needs the numbers.
void PlanFrame(ir::Function& function);

// One variable for those of the frame that never live at the same time. A part of PlanFrame.
void ShareFrameVariables(ir::Function& function);

// Where things lie in a lane. Needs all frames.
LaneLayout PlanLayout(const ir::Program& program);

}  // namespace wb
