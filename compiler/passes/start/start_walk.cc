#include "compiler/passes/start/start_walk.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "compiler/passes/analysis/callers.h"
#include "compiler/passes/analysis/liveness.h"

namespace wb {
namespace {

using ir::Inst;
using ir::Op;
using ir::Var;

constexpr size_t kMostResults = 64;

bool IsNumber(ValueType type) {
  return type == ValueType::kI32 || type == ValueType::kI64 || type == ValueType::kF32 ||
         type == ValueType::kF64;
}

// Besides calls.
bool MayDiffer(const ir::Program& program, const Inst& inst) {
  switch (inst.op) {
    case Op::kMemoryGrow:
    case Op::kTableSet:
    case Op::kTableFillChunk:
    case Op::kTableCopyChunk:
    case Op::kTableInitChunk:
    case Op::kStagePut:
    case Op::kStageGet:
    case Op::kTogether:
    case Op::kCollect:
    case Op::kGroupAccess:
    case Op::kAsk: return true;
    case Op::kGlobalSet: {  // of our own, or a reference
      const std::vector<Global>& globals = program.module->globals;
      if (inst.imm >= globals.size()) return true;
      const ValueType type = globals[inst.imm].type;
      return !IsNumber(type) && type != ValueType::kV128;
    }
    default: return false;
  }
}

// Its result alone tells that it has run.
bool CanWait(const Inst& inst) {
  if (inst.op == Op::kCopy || inst.op == Op::kSelect) return true;
  return inst.op == Op::kNumeric && FactsOf(inst.opcode).check.empty();
}

class StartWalk {
 public:
  StartWalk(const ir::Program& program, const ir::Function& function,
            const std::vector<bool>& may_differ, const std::vector<bool>& differs)
      : program_(program), function_(function), may_differ_(may_differ) {
    point_.differs = differs;
    point_.differs.resize(function.vars.size());
    waits_for_.resize(function.vars.size());
  }

  StartPoint Run() {
    uint32_t row = 0;
    while (row < function_.insts.size() && Pass(row)) ++row;
    if (stopped_) {
      row = *stopped_;
    } else if (inner_) {
      row = *inner_;
    }
    EndAt(row);
    return std::move(point_);
  }

 private:
  // A block, or what lies in a loop or in the arms of an if.
  struct Open {
    uint32_t row = 0;
    bool is_block = false;
  };
  struct Deferred {
    uint32_t row = 0;
    size_t depth = 0;  // blocks around it
  };

  // False: the point is at the row, or before the loop or `if` that it stands in.
  bool Pass(uint32_t row) {
    const Inst& inst = function_.insts[row];
    if (MayDiffer(program_, inst) || CallMayDiffer(inst)) return false;
    bool reads = false;
    ForEachUse(function_, inst, [&](Var var) { reads = reads || point_.differs[var]; });
    if (reads) return Defer(row, inst);
    bool changes = false;
    ForEachDefinition(function_, inst, [&](Var var) {
      changes = changes || point_.differs[var] || waits_for_[var];
    });
    return !changes && Nest(row, inst);
  }

  bool CallMayDiffer(const Inst& inst) const {
    if (inst.op != Op::kCall) return false;
    const ir::Call& call = function_.calls[inst.imm];
    return call.tail || may_differ_[call.callee - program_.module->imported_functions];
  }

  bool Defer(uint32_t row, const Inst& inst) {
    if (inner_ || !CanWait(inst)) return false;
    ForEachUse(function_, inst, [&](Var var) {
      if (!point_.differs[var]) waits_for_[var] = true;
    });
    point_.differs[inst.dst] = true;
    deferred_.push_back({row, open_.size()});
    return true;
  }

  bool Nest(uint32_t row, const Inst& inst) {
    switch (inst.op) {
      case Op::kBlock:
      case Op::kLoop:
      case Op::kIf:
        open_.push_back({row, inst.op == Op::kBlock});
        if (inst.op != Op::kBlock && !inner_) inner_ = row;
        return true;
      case Op::kEnd: return Close();
      default: return true;
    }
  }

  // A branch may have gone past what was deferred inside.
  bool Close() {
    const auto inside =
        std::upper_bound(deferred_.begin(), deferred_.end(), open_.back().row,
                         [](uint32_t row, const Deferred& deferred) { return row < deferred.row; });
    if (inside != deferred_.end()) {
      stopped_ = inside->row;
      open_.resize(inside->depth);
      return false;
    }
    if (inner_ == open_.back().row) inner_.reset();
    open_.pop_back();
    return true;
  }

  void EndAt(uint32_t row) {
    point_.row = row;
    for (const Open& open : open_) {
      if (open.row < row) point_.open.push_back(open.row);
    }
    for (const Deferred& deferred : deferred_) {
      if (deferred.row < row) point_.deferred.push_back(deferred.row);
    }
    for (uint32_t at = 0; at < row; ++at) {
      const Op op = function_.insts[at].op;
      point_.has_work = point_.has_work || op == Op::kLoop || op == Op::kCall;
    }
    FindResults();
    if (row == function_.insts.size() || function_.insts[row].op != Op::kCall) return;
    const ir::Call& call = function_.calls[function_.insts[row].imm];
    if (!call.tail && call.callee < program_.module->functions.size()) point_.call = &call;
  }

  void FindResults() {
    std::vector<bool> defined(function_.vars.size());
    std::vector<bool> read(function_.vars.size());
    size_t next_deferred = 0;
    for (uint32_t row = 0; row < function_.insts.size(); ++row) {
      const bool waits =
          next_deferred < point_.deferred.size() && point_.deferred[next_deferred] == row;
      if (waits) ++next_deferred;
      const Inst& inst = function_.insts[row];
      if (waits || row >= point_.row) {
        ForEachUse(function_, inst, [&](Var var) { read[var] = true; });
      } else {
        ForEachDefinition(function_, inst, [&](Var var) { defined[var] = true; });
      }
    }
    for (const Var result : function_.results) read[result] = true;
    point_.is_narrow = true;
    for (Var var = 0; var < function_.vars.size(); ++var) {
      if (!defined[var] || !read[var]) continue;
      point_.results.push_back(var);
      point_.is_narrow = point_.is_narrow && IsNumber(function_.vars[var]);
    }
    point_.is_narrow = point_.is_narrow && point_.results.size() <= kMostResults;
  }

  const ir::Program& program_;
  const ir::Function& function_;
  const std::vector<bool>& may_differ_;
  StartPoint point_;
  std::vector<bool> waits_for_;  // by variable: read by a deferred row
  std::vector<Open> open_;
  std::optional<uint32_t> inner_;  // row of the outermost open loop or `if`
  std::optional<uint32_t> stopped_;
  std::vector<Deferred> deferred_;
};

}  // namespace

StartPoint FindStartPoint(const ir::Program& program, const ir::Function& function,
                          const std::vector<bool>& may_differ, const std::vector<bool>& differs) {
  return StartWalk(program, function, may_differ, differs).Run();
}

std::vector<bool> MayDiffer(const ir::Program& program) {
  std::vector<bool> chosen;
  for (const ir::Function& function : program.functions) {
    chosen.push_back(function.request != 0 ||
                     std::any_of(function.insts.begin(), function.insts.end(),
                                 [&](const Inst& inst) { return MayDiffer(program, inst); }));
  }
  return WithCallers(program, std::move(chosen));
}

}  // namespace wb
