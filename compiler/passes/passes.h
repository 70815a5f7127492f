#pragma once

// The passes between a decoded module and IR that engines run, in the order they must run
// (compiler.cc). Each is one function, one file; pure and linear in the size of the code. One more,
// CutFunctions, has a folder and a header of its own (cut/cut_functions.h).

#include <memory>

#include "compiler/abi/lane_layout.h"
#include "compiler/base/status.h"
#include "compiler/base/stop.h"
#include "compiler/ir/ir.h"

namespace wb {

// Makes rows of every body (FunctionBuilder), places the globals and fills the initial image. The
// module must import nothing (BindImports). Errors: WASM_UNSUPPORTED_FEATURE, COMPILE_TIMEOUT.
Result<ir::Program> BuildIr(std::shared_ptr<const Module> module, const Stop& stop = {});

// What runs once when a loop is left, and holds a loop, moves behind the loop that it stands in.
// Rows run in the same order and cost the same. Runs first: it changes which loops hold which.
void MoveLoopTails(ir::Function& function);

// A local that holds unrelated values in turn becomes a variable for each of them. Runs before
// CanonicalizeNans, which judges whole variables.
void SplitLocals(ir::Function& function);

// A NaN that arithmetic made may have any bits until they can be observed. This inserts kCanon
// where they can. Runs before NumberSafepoints, since it moves rows.
void CanonicalizeNans(ir::Function& function);

// Fills bounded, recursive, component, grows_memory and worst_cost over the call graph, and removes
// the entry safepoint of bounded functions. Runs before NumberSafepoints, which does not change
// bounded functions.
void ClassifyFunctions(ir::Program& program);

// The fuel that is left is a signed 32-bit number and is compared at safepoints only. This refuses
// code that could make it overflow between two safepoints (hundreds of thousands of calls one
// behind the other). Needs the classes. Error: WASM_UNSUPPORTED_FEATURE.
Status CheckFuelRange(const ir::Program& program);

// Numbers safepoints in row order, calls to functions that may leave included, and fills the row
// and safepoint intervals of constructs. After this no pass may move rows.
void NumberSafepoints(const ir::Program& program, ir::Function& function);

// Fills `aligned` and `inside` of every function: accesses to memory of which these are known
// before the program runs. Needs all rows in their places; runs before PlanFrame, which makes one
// variable of several.
// COMPILE_TIMEOUT.
Status ProveAccesses(ir::Program& program, const Stop& stop);

// Fills `read_only`: the data of the module that loops read at places of which the bounds are
// known, and that no store is known to write. Needs what ProveAccesses has found.
void ChooseReadOnlyData(ir::Program& program);

// Finds the variables that live across some safepoint, which are the frame. Needs the numbers.
void PlanFrame(ir::Function& function);

// The same, but every local is in the frame, and no two variables become one: for LowerWhole.
void PlanWholeFrame(ir::Function& function);

// Variables of the frame that never live at the same time become one. A part of PlanFrame.
void ShareFrameVariables(ir::Function& function);

// Decides where things lie in a lane. Needs all frames.
LaneLayout PlanLayout(const ir::Program& program);

}  // namespace wb
