#include "compiler/passes/cut/part_border.h"

#include <algorithm>

namespace wb {
namespace {

using ir::Inst;
using ir::Op;
using ir::Var;

template <typename T>
void SortUnique(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

bool Opens(Op op) { return op == Op::kBlock || op == Op::kLoop || op == Op::kIf; }

// Constructs are numbered as they open: those of the part from its first one on. The labels of a
// ladder are inside it, but the innermost, which no row of the ladder branches to.
std::vector<uint32_t> ExitsOf(const ir::Function& function, const RowRange& cut) {
  std::vector<uint32_t> targets;
  uint32_t first = static_cast<uint32_t>(function.constructs.size());
  for (uint32_t row = cut.begin; row < cut.end; ++row) {
    const Inst& inst = function.insts[row];
    if (Opens(inst.op)) first = std::min(first, static_cast<uint32_t>(inst.imm));
    if (inst.op == Op::kBr || inst.op == Op::kBrIf) {
      targets.push_back(static_cast<uint32_t>(inst.imm));
    } else if (inst.op == Op::kBrTable) {
      const std::vector<uint32_t>& table = function.br_tables[inst.imm];
      targets.insert(targets.end(), table.begin(), table.end());
    }
  }
  SortUnique(targets);
  targets.erase(std::lower_bound(targets.begin(), targets.end(), first), targets.end());
  std::erase_if(targets, [&](uint32_t target) {
    return std::find(cut.labels.begin(), cut.labels.end(), target) != cut.labels.end();
  });
  return targets;
}

bool FallsThrough(const Inst& last) {
  return last.op != Op::kBr && last.op != Op::kBrTable && last.op != Op::kTrap;
}

}  // namespace

Constants ConstantsOf(const ir::Function& function) {
  std::vector<uint8_t> definitions(function.vars.size());
  std::fill_n(definitions.begin(), function.num_locals, 2);
  for (const Inst& inst : function.insts) {
    ForEachDefinition(function, inst, [&](Var var) {
      definitions[var] = static_cast<uint8_t>(std::min(definitions[var] + 1, 2));
    });
  }
  Constants constants;
  for (const Inst& inst : function.insts) {
    if (inst.op == Op::kConst && definitions[inst.dst] == 1) constants.emplace(inst.dst, inst);
  }
  return constants;
}

PartBorder BorderOf(const ir::Function& function, const Liveness& liveness,
                    const Constants& constants, const RowRange& cut) {
  std::vector<Var> touched;
  std::vector<Var> written;
  for (uint32_t row = cut.begin; row < cut.end; ++row) {
    const Inst& inst = function.insts[row];
    ForEachUse(function, inst, [&](Var var) { touched.push_back(var); });
    ForEachDefinition(function, inst, [&](Var var) {
      touched.push_back(var);
      written.push_back(var);
    });
  }
  SortUnique(touched);
  SortUnique(written);

  PartBorder border;
  border.exits = ExitsOf(function, cut);
  border.labels = cut.labels;
  border.falls_through = FallsThrough(function.insts[cut.end - 1]);
  const auto is_live = [&](const BitSet& set, Var var) {
    return set.Get(liveness.candidate_of(var));
  };
  for (Var var : touched) {
    bool live = is_live(liveness.before(cut.begin), var);
    for (uint32_t label : border.labels) live = live || is_live(liveness.at_label(label), var);
    if (!live) continue;
    (constants.contains(var) ? border.constants : border.args).push_back(var);
  }
  for (Var var : written) {
    bool live = border.falls_through && is_live(liveness.before(cut.end), var);
    for (uint32_t exit : border.exits) live = live || is_live(liveness.at_label(exit), var);
    if (live) border.results.push_back(var);
  }
  return border;
}

}  // namespace wb
