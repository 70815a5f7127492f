#include "compiler/emit/function/expressions.h"

#include <utility>

#include "compiler/emit/text/names.h"

namespace wb {

using ir::Inst;
using ir::Op;
using ir::Var;

namespace {

constexpr size_t kMaxInlineBytes = 160;

bool EndsRun(const ir::Function& function, const Inst& inst) {
  switch (inst.op) {
    case Op::kSafepoint:
    case Op::kAsk:
    case Op::kBlock:
    case Op::kLoop:
    case Op::kIf:
    case Op::kElse:
    case Op::kEnd:
    case Op::kBr:
    case Op::kBrIf:
    case Op::kBrTable:
    case Op::kMemoryGrow: return true;
    case Op::kCall: return function.calls[inst.imm].safepoint != 0;
    default: return false;
  }
}

// Rows that are printed outside the guard of the straight code before them: a name that they read
// must not be declared inside the guard.
bool StartsRun(const ir::Function& function, const Inst& inst) {
  if (inst.op == Op::kIf) {
    const ir::Construct& construct = function.constructs[inst.imm];
    return construct.first_safepoint <= construct.last_safepoint;
  }
  if (inst.op == Op::kMemoryGrow) return true;
  return inst.op == Op::kCall && function.calls[inst.imm].safepoint != 0;
}

}  // namespace

Expressions::Expressions(const ir::Function& function, Text& text)
    : function_(function),
      text_(text),
      facts_(function.vars.size()),
      waiting_(function.vars.size()),
      readers_(function.vars.size()) {
  CountUses();
  for (Var var : function.frame_vars) facts_[var].function_scope = !facts_[var].constant;
}

void Expressions::CountUse(Var var, uint32_t run) {
  if (var == ir::kNoVar) return;
  Facts& facts = facts_[var];
  ++facts.uses;
  if (facts.run != run) facts.single_run = false;
}

void Expressions::CountDefinition(Var var, uint32_t run) {
  if (var == ir::kNoVar) return;
  Facts& facts = facts_[var];
  ++facts.definitions;
  facts.run = run;
}

void Expressions::CountUses() {
  uint32_t run = 0;
  for (Var local = 0; local < function_.num_locals; ++local) CountDefinition(local, run);
  for (uint32_t row = 0; row < function_.insts.size(); ++row) {
    const Inst& inst = function_.insts[row];
    if (StartsRun(function_, inst) || function_.IsBorderOfRun(row)) ++run;
    for (Var var : {inst.a, inst.b, inst.c}) CountUse(var, run);
    if (inst.op == Op::kLoop) {
      const ir::CountedLoop* loop = function_.CountedLoopOf(inst.imm);
      if (loop != nullptr) ir::ForEachTerm(*loop, [&](Var var) { CountUse(var, ~0u - 2); });
    }
    if (inst.op == Op::kCall) {
      for (Var arg : function_.calls[inst.imm].args) CountUse(arg, run);
      for (Var result : function_.calls[inst.imm].results) {
        // Assigned inside the call's own braces.
        CountDefinition(result, EndsRun(function_, inst) ? ~0u : run);
      }
    }
    CountDefinition(inst.dst, inst.op == Op::kMemoryGrow ? ~0u : run);  // likewise
    if (inst.op == Op::kConst) {
      facts_[inst.dst].constant = true;
      facts_[inst.dst].bits = inst.imm;
    }
    if (EndsRun(function_, inst)) ++run;
  }
  for (Var result : function_.results) CountUse(result, ~0u - 1);
  for (Var var = 0; var < facts_.size(); ++var) {
    Facts& facts = facts_[var];
    facts.constant = facts.constant && facts.definitions == 1;
    facts.function_scope = var >= function_.num_locals && !facts.constant && facts.uses != 0 &&
                           (facts.definitions != 1 || !facts.single_run);
  }
}

std::vector<Var> Expressions::FunctionScopeVars() const {
  std::vector<Var> vars;
  for (Var var = function_.num_locals; var < facts_.size(); ++var) {
    if (facts_[var].function_scope) vars.push_back(var);
  }
  return vars;
}

std::string Expressions::Name(const ir::Function& function, Var var) {
  return (var < function.num_locals ? "l" : "t") + std::to_string(var);
}

std::string Expressions::ConstantText(const ir::Function& function, Var var, uint64_t imm) {
  if (function.vars[var] == ValueType::kV128) return VectorText(function.vectors[imm]);
  return LiteralText(function.vars[var], imm);
}

std::string Expressions::Use(Var var) {
  if (facts_[var].constant) return ConstantText(function_, var, facts_[var].bits);
  Waiting& waiting = waiting_[var];
  if (!waiting.active) {
    if (facts_[var].definitions != 1 || var < function_.num_locals) taken_reads_.push_back(var);
    return Name(function_, var);
  }
  waiting.active = false;
  taken_reads_.insert(taken_reads_.end(), waiting.reads.begin(), waiting.reads.end());
  return std::move(waiting.value);
}

std::string Expressions::UseOften(Var var) {
  if (waiting_[var].active) {
    waiting_[var].active = false;
    Print(var, waiting_[var].value);
  }
  return Use(var);
}

std::string Expressions::UseCondition(Var var) {
  if (facts_[var].constant) return (facts_[var].bits & 0xffffffffu) != 0 ? "true" : "false";
  Waiting& waiting = waiting_[var];
  if (waiting.active && !waiting.condition.empty()) {
    waiting.active = false;
    taken_reads_.insert(taken_reads_.end(), waiting.reads.begin(), waiting.reads.end());
    return std::move(waiting.condition);
  }
  return Use(var) + " != 0u";
}

std::optional<std::string> Expressions::UseProduct(Var var) {
  Waiting& waiting = waiting_[var];
  if (!waiting.active || waiting.factors.empty()) return std::nullopt;
  waiting.active = false;
  taken_reads_.insert(taken_reads_.end(), waiting.reads.begin(), waiting.reads.end());
  return std::move(waiting.factors);
}

void Expressions::SayProduct(Var var, std::string factors) {
  if (waiting_[var].active) waiting_[var].factors = std::move(factors);
}

void Expressions::DefinePure(Var var, std::string value, const std::vector<Var>& reads,
                             std::string condition) {
  std::vector<Var> all = std::exchange(taken_reads_, {});
  const Facts& facts = facts_[var];
  if (facts.uses == 0) return;
  if (facts.function_scope || facts.uses != 1 || value.size() > kMaxInlineBytes) {
    Print(var, value);
    return;
  }
  all.insert(all.end(), reads.begin(), reads.end());
  for (Var read : all) readers_[read].push_back(var);
  waiting_[var] = {std::move(value), std::move(condition), "", std::move(all), true};
}

void Expressions::DefineNow(Var var, const std::string& value) {
  taken_reads_.clear();
  if (facts_[var].uses == 0) return;
  Print(var, value);
}

void Expressions::BeforeAssign(Var var) {
  taken_reads_.clear();
  for (Var reader : std::exchange(readers_[var], {})) {
    if (!waiting_[reader].active) continue;
    waiting_[reader].active = false;
    Print(reader, waiting_[reader].value);
  }
}

void Expressions::Print(Var var, const std::string& value) {
  if (facts_[var].definitions != 1) BeforeAssign(var);
  std::string name = Name(function_, var);
  if (facts_[var].function_scope || var < function_.num_locals) {
    if (value != name) text_.Line(name, " = ", value, ";");  // else: a copy there and back
  } else {
    text_.Line(TypeText(function_.vars[var]), " ", name, " = ", value, ";");
  }
}

}  // namespace wb
