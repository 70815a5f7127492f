#include "compiler/passes/loops/stable_values.h"

#include "compiler/passes/analysis/liveness.h"

namespace wb {

using ir::Inst;
using ir::Op;
using ir::Var;

bool AddsByOr(const KnownBits& a, const KnownBits& b) {
  return a.has_value() && b.has_value() && (a.zeros | b.zeros) == ~0u;
}

StableValues::StableValues(const ir::Function& function, const std::vector<KnownBits>& facts)
    : function_(function), facts_(facts), values_(function.vars.size()) {
  std::vector<uint32_t> definitions(function.vars.size(), 0);
  // A local that is no parameter begins with 0.
  for (Var local = function.num_params; local < function.num_locals; ++local) ++definitions[local];
  for (const Inst& inst : function.insts) {
    ForEachDefinition(function, inst, [&](Var var) { ++definitions[var]; });
  }
  for (Var param = 0; param < function.num_params; ++param) {
    const bool stable = definitions[param] == 0 && function.vars[param] == ValueType::kI32;
    if (stable) values_[param] = LinearForm::Entry(param);
  }
  uint32_t loops = 0;
  for (const Inst& inst : function.insts) {
    if (inst.op == Op::kLoop) ++loops;
    if (inst.op == Op::kEnd && function.constructs[inst.imm].kind == ir::ConstructKind::kLoop) {
      --loops;
    }
    const Var var = inst.dst;
    if (var == ir::kNoVar || var < function.num_params || definitions[var] != 1) continue;
    if (function.vars[var] != ValueType::kI32) continue;
    values_[var] = SumOf(inst);
    // Outside of loops the one row that defines it runs once.
    if (!values_[var].known && loops == 0) values_[var] = LinearForm::Entry(var);
  }
}

LinearForm StableValues::SumOf(const Inst& inst) const {
  if (facts_[inst.dst].has_value() && facts_[inst.dst].is_constant()) {
    return LinearForm::Constant(facts_[inst.dst].ones);
  }
  if (inst.op == Op::kCopy) return values_[inst.a];
  if (inst.op != Op::kNumeric || inst.b == ir::kNoVar) return LinearForm::Unknown();
  const LinearForm &a = values_[inst.a], &b = values_[inst.b];
  if (!a.is_constant() && !b.is_constant()) return LinearForm::Unknown();
  switch (inst.opcode) {
    case Opcode::kI32Add: return Plus(a, b);
    case Opcode::kI32Sub: return b.is_constant() ? Minus(a, b) : LinearForm::Unknown();
    case Opcode::kI32Or:
      return AddsByOr(facts_[inst.a], facts_[inst.b]) ? Plus(a, b) : LinearForm::Unknown();
    default: return LinearForm::Unknown();
  }
}

}  // namespace wb
