#include "compiler/passes/analysis/worst_cost.h"

#include <algorithm>
#include <vector>

namespace wb {
namespace {

using ir::Inst;
using ir::Op;

constexpr uint64_t kNotReached = 0;  // path costs are stored plus one

uint64_t MostPaid(const ir::Program& program, const ir::Function& function, const Inst& inst) {
  switch (inst.op) {
    case Op::kPay:
    case Op::kPayVar: return inst.imm;
    case Op::kPayPer16: return abi::BULK_CHUNK_BYTES / 16;
    case Op::kCall: return program.function(function.calls[inst.imm].callee).worst_cost;
    default: return 0;
  }
}

}  // namespace

uint64_t WorstCost(const ir::Program& program, const ir::Function& function) {
  std::vector<uint64_t> end_cost(function.constructs.size(), kNotReached);
  std::vector<uint64_t> if_cost(function.constructs.size(), kNotReached);
  uint64_t cost = 1;  // plus one
  auto reach = [&](uint64_t construct) {
    end_cost[construct] = std::max(end_cost[construct], cost);
  };
  for (const Inst& inst : function.insts) {
    if (cost != kNotReached) cost += MostPaid(program, function, inst);
    switch (inst.op) {
      case Op::kIf: if_cost[inst.imm] = cost; break;
      case Op::kElse:
        reach(inst.imm);
        cost = if_cost[inst.imm];
        if_cost[inst.imm] = kNotReached;
        break;
      case Op::kEnd: cost = std::max({cost, end_cost[inst.imm], if_cost[inst.imm]}); break;
      case Op::kBr:
        reach(inst.imm);
        cost = kNotReached;
        break;
      case Op::kBrIf: reach(inst.imm); break;
      case Op::kBrTable:
        for (uint32_t target : function.br_tables[inst.imm]) reach(target);
        cost = kNotReached;
        break;
      case Op::kTrap:
        end_cost[0] = std::max(end_cost[0], cost);
        cost = kNotReached;
        break;
      default: break;
    }
  }
  return std::max(cost, end_cost[0]) - 1;
}

}  // namespace wb
