#include <algorithm>
#include <string>

#include "compiler/passes/passes.h"

namespace wb {
namespace {

using ir::Inst;
using ir::Op;

constexpr uint64_t kMaxBetweenSafepoints = uint64_t{1} << 29;

// At least what any path through the body costs without a safepoint, callees that cannot leave
// included: every row counts once.
uint64_t CostOfAllRows(const ir::Program& program, const ir::Function& function) {
  uint64_t cost = 0;
  for (const Inst& inst : function.insts) {
    switch (inst.op) {
      case Op::kPay: cost += inst.imm; break;
      case Op::kPayVar: cost += inst.imm; break;
      case Op::kPayPer16: cost += abi::BULK_CHUNK_BYTES / 16; break;
      case Op::kCall: cost += program.function(function.calls[inst.imm].callee).worst_cost; break;
      default: break;
    }
  }
  return cost;
}

Status TooDear(const ir::Function& function) {
  return Status(Reason::kWasmUnsupportedFeature,
                "Code of function [" + std::to_string(function.index) +
                    "] may use more fuel between two safepoints than a lane counts.",
                {{"offset", std::to_string(function.code_offset)},
                 {"function", std::to_string(function.index)}});
}

}  // namespace

// Returning through a chain of calls passes no safepoint, so the whole chain counts. Without
// recursion each function counts once. With recursion the stack budget ends the chain, so the cost
// counts per stack slot.
Status CheckFuelRange(const ir::Program& program) {
  uint64_t once = 0;
  for (const ir::Function& function : program.functions) {
    if (function.bounded || function.synthetic) continue;  // paid for by callers
    const uint64_t cost = CostOfAllRows(program, function);
    if (function.recursive) {
      const uint64_t activations = kMaxStackSlots / std::max(function.stack_slots, 1u) + 1;
      if (cost > kMaxBetweenSafepoints / activations) return TooDear(function);
    } else {
      once += cost;
      if (once > kMaxBetweenSafepoints) return TooDear(function);
    }
  }
  return {};
}

}  // namespace wb
