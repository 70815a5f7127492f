#include "compiler/passes/analysis/liveness.h"

#include <algorithm>

namespace wb {

using ir::ConstructKind;
using ir::Inst;
using ir::Op;
using ir::Var;

namespace {
constexpr uint64_t kMaxBits = uint64_t{1} << 29;
}  // namespace

void BitSet::Clear() { std::fill(words_.begin(), words_.end(), 0); }

void BitSet::Merge(const BitSet& other) {
  for (size_t i = 0; i < other.words_.size(); ++i) words_[i] |= other.words_[i];
}

uint32_t SafepointOf(const ir::Function& function, const Inst& inst) {
  if (inst.op == Op::kSafepoint || inst.op == Op::kAsk || ComesAgain(inst))
    return static_cast<uint32_t>(inst.imm);
  if (inst.op == Op::kCall) return function.calls[inst.imm].safepoint;
  return 0;
}

uint64_t Joins(const ir::Function& function) {
  uint64_t joins = function.constructs.size();
  for (const Inst& inst : function.insts) {
    if (inst.op == Op::kBr || inst.op == Op::kBrIf) ++joins;
  }
  for (const auto& targets : function.br_tables) joins += targets.size();
  return joins;
}

uint64_t AnalysisBudget(const ir::Function& function) {
  constexpr uint64_t kBase = uint64_t{1} << 22;
  constexpr uint64_t kPerRow = uint64_t{1} << 12;
  return kBase + kPerRow * function.insts.size();
}

bool Liveness::Affordable(const ir::Function& function, size_t candidates) {
  return uint64_t{function.constructs.size()} * candidates <= kMaxBits;
}

Liveness::Liveness(const ir::Function& function, const std::vector<Var>& candidates)
    : function_(function),
      bits_(candidates.size()),
      candidate_of_(function.vars.size(), kNone),
      at_label_(function.constructs.size()) {
  for (uint32_t i = 0; i < candidates.size(); ++i) candidate_of_[candidates[i]] = i;
  live_.Resize(bits_);
  across_safepoints_.Resize(bits_);
}

void Liveness::Watch(const std::vector<uint32_t>& rows) {
  for (uint32_t row : rows) watched_[row];
}

void Liveness::Keep(size_t row) {
  if (watched_.empty()) return;
  const auto watched = watched_.find(static_cast<uint32_t>(row));
  if (watched != watched_.end()) watched->second = live_;
}

bool Liveness::Run() {
  const uint64_t walk = function_.insts.size() + Joins(function_) * ((bits_ + 63) / 64);
  const uint64_t budget = AnalysisBudget(function_);
  uint64_t spent = 0;
  do {
    spent += walk;
    if (spent > budget) return false;
    changed_ = false;
    WalkBackward();
  } while (changed_);
  return true;
}

void Liveness::Kill(Var var) {
  if (candidate_of_[var] != kNone) live_.Reset(candidate_of_[var]);
}

void Liveness::Use(Var var) {
  if (candidate_of_[var] != kNone) live_.Set(candidate_of_[var]);
}

void Liveness::WalkBackward() {
  live_.Clear();
  for (Var result : function_.results) Use(result);
  at_label_[0] = live_;
  Keep(function_.insts.size());
  for (size_t row = function_.insts.size(); row-- > 0;) {
    Visit(function_.insts[row]);
    Keep(row);
  }
}

const BitSet& Liveness::AtLabel(uint64_t construct) {
  BitSet& set = at_label_[construct];
  if (set.empty()) set.Resize(bits_);  // a loop header not seen yet
  return set;
}

// Above this row is the end of the then arm. What the else arm needs is kept until kIf.
void Liveness::VisitElse(uint32_t construct) {
  else_live_.push_back({construct, live_});
  live_ = AtLabel(construct);
}

void Liveness::VisitIf(const Inst& inst) {
  if (!else_live_.empty() && else_live_.back().first == inst.imm) {
    live_.Merge(else_live_.back().second);
    else_live_.pop_back();
  } else {
    live_.Merge(AtLabel(inst.imm));
  }
  Use(inst.a);
}

void Liveness::Visit(const Inst& inst) {
  switch (inst.op) {
    case Op::kEnd:
      if (function_.constructs[inst.imm].kind != ConstructKind::kLoop) at_label_[inst.imm] = live_;
      break;
    case Op::kElse: VisitElse(static_cast<uint32_t>(inst.imm)); break;
    case Op::kIf: VisitIf(inst); break;
    case Op::kLoop:
      ForEachUse(function_, inst, [&](Var var) { Use(var); });
      if (!(AtLabel(inst.imm) == live_)) {
        at_label_[inst.imm] = live_;
        changed_ = true;
      }
      break;
    case Op::kBr: live_ = AtLabel(inst.imm); break;
    case Op::kBrIf:
      live_.Merge(AtLabel(inst.imm));
      Use(inst.a);
      break;
    case Op::kBrTable:
      live_.Clear();
      for (uint32_t target : function_.br_tables[inst.imm]) live_.Merge(AtLabel(target));
      Use(inst.a);
      break;
    case Op::kTrap: live_.Clear(); break;
    default:
      ForEachDefinition(function_, inst, [&](Var var) { Kill(var); });
      if (SafepointOf(function_, inst) != 0) across_safepoints_.Merge(live_);
      ForEachUse(function_, inst, [&](Var var) { Use(var); });
      if (ComesAgain(inst)) across_safepoints_.Merge(live_);
      break;
  }
}

}  // namespace wb
