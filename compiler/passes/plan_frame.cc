#include <algorithm>
#include <cstdint>
#include <vector>

#include "compiler/passes/analysis/liveness.h"
#include "compiler/passes/passes.h"

namespace wb {
namespace {

using ir::ConstructKind;
using ir::Inst;
using ir::Op;
using ir::Var;

constexpr uint32_t kNotSeen = 0xffffffffu;

// The variables that can live across a safepoint at all: those with a safepoint between their first
// and their last row. A use inside a loop that began after the first row lasts to the loop's end.
class CandidateScan {
 public:
  explicit CandidateScan(const ir::Function& function)
      : function_(function),
        first_(function.vars.size(), kNotSeen),
        last_(function.vars.size(), 0) {}

  std::vector<Var> Run() {
    std::fill_n(first_.begin(), function_.num_locals, 0);
    for (const Inst& inst : function_.insts) {
      if (inst.op == Op::kLoop) open_loops_.push_back(static_cast<uint32_t>(inst.imm));
      const bool leaves = SafepointOf(function_, inst) != 0;
      if (leaves && ComesAgain(inst)) ++passed_;  // what it reads lives across it
      ForEachUse(function_, inst, [&](Var var) { Touch(var); });
      if (leaves && !ComesAgain(inst)) ++passed_;
      ForEachDefinition(function_, inst, [&](Var var) { Touch(var); });
      if (inst.op == Op::kEnd && function_.constructs[inst.imm].kind == ConstructKind::kLoop) {
        open_loops_.pop_back();
      }
    }
    for (Var result : function_.results) Touch(result);
    std::vector<Var> candidates;
    for (Var var = 0; var < first_.size(); ++var) {
      if (first_[var] != kNotSeen && last_[var] > first_[var]) candidates.push_back(var);
    }
    return candidates;
  }

 private:
  void Touch(Var var) {
    if (first_[var] == kNotSeen) first_[var] = passed_;
    last_[var] = std::max(last_[var], passed_);
    auto loop =
        std::lower_bound(open_loops_.begin(), open_loops_.end(), first_[var],
                         [&](uint32_t construct, uint32_t first) {
                           // safepoints passed when the loop begins
                           return function_.constructs[construct].first_safepoint - 1 < first;
                         });
    if (loop != open_loops_.end()) {
      last_[var] = std::max(last_[var], function_.constructs[*loop].last_safepoint);
    }
  }

  const ir::Function& function_;
  std::vector<uint32_t> first_;  // safepoints passed at the first row, per variable
  std::vector<uint32_t> last_;
  std::vector<uint32_t> open_loops_;
  uint32_t passed_ = 0;
};

// All candidates, where finding out would cost too much: the frame is correct, only larger.
std::vector<Var> LiveAcrossSafepoints(const ir::Function& function,
                                      const std::vector<Var>& candidates) {
  if (!Liveness::Affordable(function, candidates.size())) return candidates;
  Liveness liveness(function, candidates);
  if (!liveness.Run()) return candidates;
  std::vector<Var> live;
  for (uint32_t i = 0; i < candidates.size(); ++i) {
    if (liveness.across_safepoints().Get(i)) live.push_back(candidates[i]);
  }
  return live;
}

struct SelfCall {
  uint32_t row = 0;
  const ir::Call* call = nullptr;
};

std::vector<SelfCall> SelfCallsOf(const ir::Function& function) {
  std::vector<SelfCall> calls;
  for (uint32_t row = 0; row < function.insts.size(); ++row) {
    const Inst& inst = function.insts[row];
    if (inst.op != Op::kCall || !function.CallsItself(function.calls[inst.imm])) continue;
    calls.push_back({row, &function.calls[inst.imm]});
  }
  return calls;
}

// All of the frame, where finding out would cost too much.
void FindKeptAtSelfCalls(ir::Function& function) {
  const std::vector<SelfCall> calls = SelfCallsOf(function);
  function.kept_at_self_calls.clear();
  if (calls.empty()) return;
  function.kept_at_self_calls = function.frame_vars;
  if (!Liveness::Affordable(function, function.frame_vars.size())) return;
  Liveness liveness(function, function.frame_vars);
  std::vector<uint32_t> rows;
  for (const SelfCall& call : calls) rows.push_back(call.row + 1);
  liveness.Watch(rows);
  if (!liveness.Run()) return;
  std::erase_if(function.kept_at_self_calls, [&](Var var) {
    return std::none_of(calls.begin(), calls.end(), [&](const SelfCall& at) {
      const std::vector<Var>& results = at.call->results;
      return liveness.before(at.row + 1).Get(liveness.candidate_of(var)) &&
             std::find(results.begin(), results.end(), var) == results.end();
    });
  });
}

void CountFrameWords(ir::Function& function) {
  function.frame_words = 1;
  for (Var var : function.frame_vars) function.frame_words += TypeWords(function.vars[var]);
}

}  // namespace

void PlanFrame(ir::Function& function) {
  if (function.bounded) return;
  std::vector<Var> candidates = CandidateScan(function).Run();
  function.frame_vars = LiveAcrossSafepoints(function, candidates);
  ShareFrameVariables(function);
  CountFrameWords(function);
  FindKeptAtSelfCalls(function);
}

void PlanWholeFrame(ir::Function& function) {
  if (function.bounded) return;
  function.frame_vars.clear();
  for (Var local = 0; local < function.num_locals; ++local) function.frame_vars.push_back(local);
  for (Var var : LiveAcrossSafepoints(function, CandidateScan(function).Run())) {
    if (var >= function.num_locals) function.frame_vars.push_back(var);
  }
  CountFrameWords(function);
  FindKeptAtSelfCalls(function);
}

}  // namespace wb
