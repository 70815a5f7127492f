#pragma once

// Which variables are live where, over structured rows: one backward walk, repeated until no loop
// header's set grows. No recursion; rows are not changed.

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compiler/ir/ir.h"

namespace wb {

class BitSet {
 public:
  void Resize(size_t bits) { words_.assign((bits + 63) / 64, 0); }
  void Set(uint32_t bit) { words_[bit / 64] |= uint64_t{1} << (bit % 64); }
  void Reset(uint32_t bit) { words_[bit / 64] &= ~(uint64_t{1} << (bit % 64)); }
  bool Get(uint32_t bit) const { return (words_[bit / 64] >> (bit % 64) & 1) != 0; }
  bool empty() const { return words_.empty(); }
  void Clear();
  void Merge(const BitSet& other);
  bool operator==(const BitSet&) const = default;

 private:
  std::vector<uint64_t> words_;
};

class Liveness {
 public:
  static constexpr uint32_t kNone = 0xffffffffu;

  // Only `candidates` are followed: bit i stands for candidates[i].
  Liveness(const ir::Function& function, const std::vector<ir::Var>& candidates);

  // A set takes one bit per candidate and construct. Beyond a bound callers do without the sets.
  static bool Affordable(const ir::Function& function, size_t candidates);

  // Run keeps what is live before these rows; the number of rows stands for the function's end.
  void Watch(const std::vector<uint32_t>& rows);

  // False: nested loops that branch into one another need more walks than the function's budget
  // allows (AnalysisBudget). The sets are then too small, and callers do without them.
  bool Run();

  // Live where a branch to the construct arrives: behind a block, at a loop's header.
  const BitSet& at_label(uint32_t construct) const { return at_label_[construct]; }
  // Live behind some numbered safepoint (a call's own results excepted), or before one that comes
  // again.
  const BitSet& across_safepoints() const { return across_safepoints_; }
  const BitSet& before(uint32_t watched_row) const { return watched_.at(watched_row); }
  uint32_t candidate_of(ir::Var var) const { return candidate_of_[var]; }

 private:
  void Kill(ir::Var var);
  void Use(ir::Var var);
  void WalkBackward();
  void Keep(size_t row);
  void Visit(const ir::Inst& inst);
  void VisitElse(uint32_t construct);
  void VisitIf(const ir::Inst& inst);
  const BitSet& AtLabel(uint64_t construct);

  const ir::Function& function_;
  size_t bits_;
  std::vector<uint32_t> candidate_of_;
  std::vector<BitSet> at_label_;
  std::vector<std::pair<uint32_t, BitSet>> else_live_;  // construct, what its else arm needs
  std::unordered_map<uint32_t, BitSet> watched_;
  BitSet live_;
  BitSet across_safepoints_;
  bool changed_ = false;
};

// The variables a row reads and writes, those of its call included. A loop reads what is asked of
// it where it is entered.
template <typename Visit>
void ForEachUse(const ir::Function& function, const ir::Inst& inst, Visit visit) {
  for (ir::Var var : {inst.a, inst.b, inst.c}) {
    if (var != ir::kNoVar) visit(var);
  }
  if (inst.op == ir::Op::kCall) {
    for (ir::Var arg : function.calls[inst.imm].args) visit(arg);
  }
  if (inst.op == ir::Op::kLoop) {
    const ir::CountedLoop* loop = function.CountedLoopOf(inst.imm);
    if (loop != nullptr) ir::ForEachTerm(*loop, visit);
  }
}

template <typename Visit>
void ForEachDefinition(const ir::Function& function, const ir::Inst& inst, Visit visit) {
  if (inst.dst != ir::kNoVar) visit(inst.dst);
  if (inst.op == ir::Op::kCall) {
    for (ir::Var result : function.calls[inst.imm].results) visit(result);
  }
}

// Where sets of variables meet: constructs, branches and entries of branch tables.
uint64_t Joins(const ir::Function& function);
// The steps that an analysis may spend on a function, in proportion to its rows. Code that
// compilers emit needs far fewer.
uint64_t AnalysisBudget(const ir::Function& function);

// A row that a resumed function does again, with its operands.
inline bool ComesAgain(const ir::Inst& inst) { return inst.op == ir::Op::kMemoryGrow; }

// The number of the safepoint a row is, 0 if it is none.
uint32_t SafepointOf(const ir::Function& function, const ir::Inst& inst);

}  // namespace wb
