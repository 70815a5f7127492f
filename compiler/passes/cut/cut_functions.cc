#include "compiler/passes/cut/cut_functions.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compiler/passes/analysis/liveness.h"
#include "compiler/passes/analysis/worst_cost.h"
#include "compiler/passes/cut/part_border.h"
#include "compiler/passes/cut/part_rows.h"

namespace wb {
namespace {

using ir::Inst;
using ir::Op;
using ir::Var;

bool HasLoop(const ir::Function& function) {
  return std::any_of(function.insts.begin(), function.insts.end(), [](const Inst& inst) {
    return inst.op == Op::kLoop || inst.op == Op::kPayVar || inst.op == Op::kPayPer16;
  });
}

// By function of the program: it has a loop, or calls one that has, however far down.
std::vector<bool> AreUnbounded(const ir::Program& program) {
  std::vector<bool> unbounded(program.functions.size());
  std::vector<std::vector<uint32_t>> callers(program.functions.size());
  std::vector<uint32_t> open;
  for (uint32_t i = 0; i < program.functions.size(); ++i) {
    const ir::Function& function = program.functions[i];
    for (const ir::Call& call : function.calls) {
      callers[call.callee - program.module->imported_functions].push_back(i);
    }
    if (!HasLoop(function)) continue;
    unbounded[i] = true;
    open.push_back(i);
  }
  while (!open.empty()) {
    const uint32_t callee = open.back();
    open.pop_back();
    for (const uint32_t caller : callers[callee]) {
      if (unbounded[caller]) continue;
      unbounded[caller] = true;
      open.push_back(caller);
    }
  }
  return unbounded;
}

struct FunctionCut {
  RowRange rows;
  PartBorder border;
};

class FunctionCutter {
 public:
  // `cuts`: by rising begin, an outer one before those inside it.
  FunctionCutter(const ir::Function& whole, std::vector<FunctionCut> cuts,
                 const Constants& constants, uint32_t next_index)
      : whole_(whole), cuts_(std::move(cuts)), constants_(constants), next_index_(next_index) {
    for (const FunctionCut& cut : cuts_) {
      if (!cut.rows.labels.empty()) ladders_.emplace(cut.rows.labels.back(), &cut.rows);
    }
  }

  // The rest first, then the parts by their indices.
  std::vector<ir::Function> Run() {
    open_.emplace_back(whole_);
    for (uint32_t row = 0; row < whole_.insts.size(); ++row) {
      for (; next_cut_ < cuts_.size() && cuts_[next_cut_].rows.begin == row; ++next_cut_)
        OpenPart();
      Visit(whole_.insts[row]);
      while (open_.size() > 1 && open_.back().end() == row + 1) ClosePart();
    }
    parts_.push_back(open_.back().Finish());
    std::sort(parts_.begin(), parts_.end(),
              [](const ir::Function& a, const ir::Function& b) { return a.index < b.index; });
    return std::move(parts_);
  }

 private:
  void OpenPart() {
    const FunctionCut& cut = cuts_[next_cut_];
    open_.emplace_back(whole_, next_index_++, cut.rows, cut.border, constants_);
  }

  void ClosePart() {
    const PartBorder border = open_.back().border();
    parts_.push_back(open_.back().Finish());
    open_.pop_back();
    const uint32_t offset = parts_.back().insts.front().offset;
    if (border.takes_label()) open_.back().ReachLabel(border.labels.back());
    open_.back().CallPart(parts_.back(), border, offset, constructs_.back());
  }

  void Visit(const Inst& inst) {
    const uint32_t construct = static_cast<uint32_t>(inst.imm);
    if (inst.op == Op::kEnd) {
      constructs_.pop_back();
      EndLabel(inst);
    }
    if (const auto ladder = ladders_.find(construct);
        inst.op == Op::kBlock && ladder != ladders_.end()) {
      open_.back().OpenLadder(*ladder->second, constructs_.back());
    }
    open_.back().Take(inst, constructs_.back());
    const bool opens = inst.op == Op::kBlock || inst.op == Op::kLoop || inst.op == Op::kIf;
    if (opens) constructs_.push_back(static_cast<uint32_t>(inst.imm));
  }

  // Where a block ends that is a label of the ladder in the open part, the row belongs to both.
  void EndLabel(const Inst& end) {
    const std::vector<uint32_t>& labels = open_.back().border().labels;
    const auto label = std::find(labels.begin(), labels.end(), static_cast<uint32_t>(end.imm));
    if (label == labels.begin() || label == labels.end()) return;
    PartRows& caller = open_[open_.size() - 2];
    caller.ReachLabel(*(label - 1));
    caller.Take(end, constructs_.back());
  }

  const ir::Function& whole_;
  const std::vector<FunctionCut> cuts_;
  const Constants& constants_;
  uint32_t next_index_;
  size_t next_cut_ = 0;
  std::vector<PartRows> open_;
  std::vector<ir::Function> parts_;
  std::unordered_map<uint32_t, const RowRange*> ladders_;  // by the outermost label
  std::vector<uint32_t> constructs_ = {0};                 // of the whole function, around the row
};

// Parts read each other's values by what is live at their borders. Nothing where that would take
// too long to find out: the function stays whole. So do rows whose border too much would cross.
std::vector<ir::Function> Cuts(const ir::Function& function, const CutSizes& sizes,
                               uint32_t next_index) {
  std::vector<RowRange> cuts = PlanCuts(function, sizes);
  if (cuts.empty()) return {};
  if (!Liveness::Affordable(function, function.vars.size())) return {};
  std::vector<Var> all(function.vars.size());
  std::iota(all.begin(), all.end(), 0);
  Liveness liveness(function, all);
  std::vector<uint32_t> borders;
  for (const RowRange& cut : cuts) borders.insert(borders.end(), {cut.begin, cut.end});
  liveness.Watch(borders);
  if (!liveness.Run()) return {};
  const Constants constants = ConstantsOf(function);
  std::vector<FunctionCut> parts;
  for (RowRange& cut : cuts) {
    PartBorder border = BorderOf(function, liveness, constants, cut);
    if (border.is_narrow()) parts.push_back({std::move(cut), std::move(border)});
  }
  if (parts.empty()) return {};
  return FunctionCutter(function, std::move(parts), constants, next_index).Run();
}

uint32_t WordsOf(const std::vector<ValueType>& types) {
  return std::accumulate(types.begin(), types.end(), uint32_t{0},
                         [](uint32_t sum, ValueType type) { return sum + TypeWords(type); });
}

// A part that lies on a cycle of calls is a root: its arguments and results need the stage.
void MakeRoomInStage(const ir::Function& part, ir::Program& program) {
  const std::vector<ValueType> params(part.vars.begin(), part.vars.begin() + part.num_params);
  program.stage_words =
      std::max({program.stage_words, WordsOf(params), WordsOf(ir::ResultTypes(part))});
}

}  // namespace

Status CutFunctions(ir::Program& program, const CutSizes& sizes, const Stop& stop) {
  const size_t functions = program.functions.size();
  const std::vector<bool> unbounded = AreUnbounded(program);
  for (size_t i = 0; i < functions; ++i) {
    WB_TRY(CheckStop(stop));
    const ir::Function& function = program.functions[i];
    if (function.synthetic || CutWeight(function) <= sizes.whole) continue;
    // It may be bounded, and then stays whole: what a part costs at worst counts wherever the part
    // is left to, so the function could seem to cost more than it does, and whether it is bounded
    // must not depend on cuts.
    if (!unbounded[i] && WorstCost(program, function) <= kMaxBoundedCost) continue;
    const uint32_t next =
        program.module->imported_functions + static_cast<uint32_t>(program.functions.size());
    std::vector<ir::Function> cut = Cuts(function, sizes, next);
    if (cut.empty()) continue;
    for (size_t part = 1; part < cut.size(); ++part) {
      MakeRoomInStage(cut[part], program);
      program.functions.push_back(std::move(cut[part]));
    }
    program.functions[i] = std::move(cut.front());
  }
  return {};
}

}  // namespace wb
