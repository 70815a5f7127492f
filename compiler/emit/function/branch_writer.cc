#include "compiler/emit/function/branch_writer.h"

#include <map>
#include <vector>

namespace wb {

using ir::Inst;

std::string BranchWriter::Jump(uint32_t target) {
  if (flat_.HasState(target)) return flat_.JumpTo(target);
  const JumpTarget& inner = context_.targets.Innermost();
  if (inner.construct == target) return inner.loops ? "continue;" : "break;";
  if (flat_.BreakEnds(target)) return "break;";
  return context_.targets.JumpTo(context_.targets.DepthOf(target));
}

void BranchWriter::Branch(uint32_t target) {
  context_.guards.EnsureGuard();
  context_.text.Line(Jump(target));
  context_.targets.SetReachable(false);
}

void BranchWriter::BranchIf(const Inst& inst) {
  context_.guards.EnsureGuard();
  const std::string condition = context_.expressions.UseCondition(inst.a);
  const uint32_t target = static_cast<uint32_t>(inst.imm);
  if (!flat_.IsFlat(target) && structured_.IsSkip(target)) {
    structured_.Skip(condition);
  } else {
    context_.text.Line("if (", condition, ") { ", Jump(target), " }");
  }
}

void BranchWriter::BranchTable(const Inst& inst) {
  context_.guards.EnsureGuard();
  const std::vector<uint32_t>& targets = context_.form.function.br_tables[inst.imm];
  std::map<uint32_t, std::vector<uint32_t>> cases;  // by target
  for (uint32_t i = 0; i + 1 < targets.size(); ++i) {
    if (targets[i] != targets.back()) cases[targets[i]].push_back(i);
  }
  const std::string index = context_.expressions.Use(inst.a);
  if (cases.empty()) {
    Branch(targets.back());
    return;
  }
  context_.text.Open("switch (", index, ")");
  for (const auto& [target, indices] : cases) {
    std::string labels;
    for (uint32_t i : indices) labels += "case " + std::to_string(i) + "u: ";
    context_.text.Line(labels, "{ ", Jump(target), " }");
  }
  context_.text.Line("default: { ", Jump(targets.back()), " }");
  context_.text.Close();
  context_.text.Line("break;");
  context_.targets.SetReachable(false);
}

}  // namespace wb
