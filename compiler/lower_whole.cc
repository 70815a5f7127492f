#include "compiler/lower_whole.h"

#include <utility>

#include "compiler/passes/passes.h"

namespace wb {

Result<std::shared_ptr<const LoweredModule>> LowerWhole(std::shared_ptr<const Module> module,
                                                        const Stop& stop) {
  WB_ASSIGN(ir::Program program, BuildIr(std::move(module), stop));
  for (ir::Function& function : program.functions) CanonicalizeNans(function);
  ClassifyFunctions(program);
  WB_TRY(CheckFuelRange(program));
  for (ir::Function& function : program.functions) {
    WB_TRY(CheckStop(stop));
    NumberSafepoints(program, function);
    PlanWholeFrame(function);
  }
  auto lowered = std::make_shared<LoweredModule>();
  lowered->layout = PlanLayout(program);
  lowered->program = std::move(program);
  return std::shared_ptr<const LoweredModule>(std::move(lowered));
}

}  // namespace wb
