#include "compiler/compiler.h"

#include <utility>

#include "compiler/passes/cut/cut_functions.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/start/split_start.h"

namespace wb {

namespace {

template <typename Pass>
Status ForEachFunction(ir::Program& program, const Stop& stop, Pass pass) {
  for (ir::Function& function : program.functions) {
    WB_TRY(CheckStop(stop));
    pass(function);
  }
  return {};
}

}  // namespace

Result<std::shared_ptr<const LoweredModule>> Lower(std::shared_ptr<const Module> module,
                                                   const Imports& imports, const Stop& stop,
                                                   const CutSizes& sizes) {
  WB_ASSIGN(auto bound, BindImports(std::move(module), imports));
  WB_ASSIGN(ir::Program program, BuildIr(std::move(bound), stop));
  // Rows as a module's operators are.
  FindCommonStarts(program);
  if (program.module->common_start) WB_TRY(SplitCommonStart(program));
  // Before all that follows the nesting of loops.
  WB_TRY(ForEachFunction(program, stop, MoveLoopTails));
  // Before NaNs, which are judged by variable: one variable must not hold unrelated values.
  WB_TRY(ForEachFunction(program, stop, SplitLocals));
  // After locals are split, since each variable that is alive at a border passes it.
  WB_TRY(CutFunctions(program, sizes, stop));
  // Before safepoints are numbered, since it inserts rows.
  WB_TRY(ForEachFunction(program, stop, CanonicalizeNans));
  // Before safepoints are numbered, since a call has one only if its callee may leave. The last
  // pass that removes rows.
  ClassifyFunctions(program);
  WB_TRY(CheckFuelRange(program));
  const auto number = [&](ir::Function& function) { NumberSafepoints(program, function); };
  // From here on no row moves.
  WB_TRY(ForEachFunction(program, stop, number));
  // Before frames are planned, which makes one variable of several.
  WB_TRY(ProveAccesses(program, stop));
  ChooseReadOnlyData(program);
  // A frame holds what lives across a safepoint.
  WB_TRY(ForEachFunction(program, stop, PlanFrame));
  auto lowered = std::make_shared<LoweredModule>();
  lowered->layout = PlanLayout(program);
  lowered->program = std::move(program);
  return std::shared_ptr<const LoweredModule>(std::move(lowered));
}

}  // namespace wb
