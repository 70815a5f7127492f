#include "compiler/passes/loops/round_trace.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace wb {
namespace {

using ir::Construct;
using ir::ConstructKind;
using ir::Inst;
using ir::Op;
using ir::RoundStep;
using ir::Var;

using Known = std::unordered_map<Var, KnownBits>;  // where more is known than the facts say

class Tracer {
 public:
  Tracer(const ir::Function& function, uint32_t construct, const std::vector<KnownBits>& facts,
         uint64_t* budget)
      : function_(function),
        outer_(construct),
        loop_(function.constructs[construct]),
        facts_(facts),
        budget_(budget) {}

  std::optional<RoundTrace> Run() {
    row_ = loop_.begin + 1;
    while (row_ < loop_.end) {
      if (trace_.steps.size() >= RoundTrace::kMostSteps || *budget_ == 0) return std::nullopt;
      Charge(1);
      if (!Visit(function_.insts[row_])) return std::nullopt;
    }
    if (!open_.empty()) return std::nullopt;
    DropBlocks();
    return std::move(trace_);
  }

 private:
  // A construct of which a part is behind the trace's end.
  struct Open {
    uint32_t construct = 0;
    size_t step = 0;
    bool stays = false;  // an if that is not decided, or a block that such a branch leaves
    Known before;        // of such an if, for its other arm
  };

  void Charge(uint64_t steps) { *budget_ -= std::min(steps, *budget_); }

  const Construct& ConstructOf(const Open& open) const {
    return function_.constructs[open.construct];
  }
  bool IsLoop(const Open& open) const { return ConstructOf(open).kind == ConstructKind::kLoop; }

  KnownBits ValueOf(Var var) const {
    if (var == ir::kNoVar) return KnownBits::Nothing();
    const auto value = known_.find(var);
    return value != known_.end() ? value->second : facts_[var];
  }
  std::optional<bool> Decide(Var condition) const {
    const KnownBits bits = ValueOf(condition);
    if (!bits.has_value()) return std::nullopt;
    if (bits.ones != 0) return true;
    return bits.zeros == ~0u ? std::optional(false) : std::nullopt;
  }

  void Emit(RoundStep::Kind kind, uint32_t row, KnownBits result = {}) {
    trace_.steps.push_back({kind, row});
    trace_.results.push_back(result);
  }

  bool Visit(const Inst& inst) {
    switch (inst.op) {
      case Op::kSafepoint: return PassHeader();
      case Op::kLoop:
      case Op::kBlock:
      case Op::kIf: return Enter(inst);
      case Op::kElse: return Else();
      case Op::kEnd: return End();
      case Op::kBr:
      case Op::kBrIf: return Branch(inst);
      default: return IsStraightRow(inst.op) && Straight(inst);
    }
  }

  // The fuel of the whole round is there: no header leaves.
  bool PassHeader() {
    const Construct& loop = open_.empty() ? loop_ : ConstructOf(open_.back());
    if (loop.kind != ConstructKind::kLoop || row_ != loop.begin + 2) return false;
    ++row_;
    return true;
  }

  bool Straight(const Inst& inst) {
    KnownBits result;
    if (inst.dst != ir::kNoVar) {
      result = ResultOf(inst);
      known_[inst.dst] = result;
    }
    Emit(RoundStep::Kind::kRow, row_++, result);
    return true;
  }

  KnownBits ResultOf(const Inst& inst) const {
    if (function_.vars[inst.dst] != ValueType::kI32) return {};
    KnownBits bits;
    switch (inst.op) {
      case Op::kConst: bits = KnownBits::Of(static_cast<uint32_t>(inst.imm)); break;
      case Op::kCopy: bits = ValueOf(inst.a); break;
      case Op::kSelect: bits = Or(ValueOf(inst.a), ValueOf(inst.b)); break;
      case Op::kNumeric:
        if (function_.vars[inst.a] == ValueType::kI32) {
          bits = ResultBits(inst.opcode, ValueOf(inst.a), ValueOf(inst.b));
        }
        break;
      default: break;
    }
    const KnownBits& always = facts_[inst.dst];
    return {bits.zeros | always.zeros, bits.ones | always.ones};
  }

  bool Enter(const Inst& inst) {
    if (open_.size() >= RoundTrace::kMostDepth) return false;
    Open open;
    open.construct = static_cast<uint32_t>(inst.imm);
    open.step = trace_.steps.size();
    const Construct& construct = ConstructOf(open);
    if (inst.op == Op::kLoop) {
      if (construct.header_safepoint == 0) return false;
      Emit(RoundStep::Kind::kOpen, row_);
    } else if (inst.op == Op::kBlock) {
      Emit(RoundStep::Kind::kRow, row_);
    } else if (const auto decided = Decide(inst.a); decided && !construct.targeted) {
      Emit(RoundStep::Kind::kDecided, row_);
      if (!*decided) {
        row_ = (construct.else_at != 0 ? construct.else_at : construct.end) + 1;
        if (construct.else_at != 0) open_.push_back(std::move(open));
        return true;
      }
    } else {
      open.stays = true;
      open.before = known_;
      Charge(known_.size());
      Emit(RoundStep::Kind::kRow, row_);
    }
    open_.push_back(std::move(open));
    ++row_;
    return true;
  }

  bool Else() {
    Open& open = open_.back();
    if (!open.stays) {  // the arm before it was taken
      row_ = ConstructOf(open).end;
      return true;
    }
    Emit(RoundStep::Kind::kRow, row_++);
    known_ = open.before;
    return true;
  }

  bool End() {
    Close();
    ++row_;
    return true;
  }

  // The innermost open construct ends here.
  void Close() {
    const Open open = std::move(open_.back());
    open_.pop_back();
    const Construct& construct = ConstructOf(open);
    if (construct.kind == ConstructKind::kLoop) return Emit(RoundStep::Kind::kClose, construct.end);
    if (construct.kind == ConstructKind::kBlock || open.stays) {
      Emit(RoundStep::Kind::kRow, construct.end);
    }
    if (construct.kind == ConstructKind::kBlock && !open.stays) {
      trace_.steps[open.step].kind = trace_.steps.back().kind = RoundStep::Kind::kDecided;
    }
    if (open.stays) Forget(construct);
  }

  // Whether its rows were run is not known.
  void Forget(const Construct& construct) {
    Charge(construct.end - construct.begin);
    for (uint32_t row = construct.begin; row < construct.end; ++row) {
      known_.erase(function_.insts[row].dst);
    }
  }

  bool Branch(const Inst& inst) {
    std::optional<bool> taken = true;
    if (inst.op == Op::kBrIf) taken = Decide(inst.a);
    const auto target = static_cast<uint32_t>(inst.imm);
    const bool leaves =
        target == outer_ || target == 0 || function_.constructs[target].begin < loop_.begin;
    if (taken && !*taken && !leaves) {
      Emit(RoundStep::Kind::kDecided, row_++);
      return true;
    }
    if (leaves) return BranchOut(inst);
    size_t at = open_.size();
    while (at-- > 0 && open_[at].construct != target) {
    }
    const bool is_if = function_.constructs[target].kind == ConstructKind::kIf;  // has another arm
    if (!taken || is_if || HasStaying(at + 1)) return BranchThatStays(inst, at);
    if (inst.op == Op::kBrIf) Emit(RoundStep::Kind::kDecided, row_);
    return Jump(at);
  }

  // Something above `at` is left by one way or the other.
  bool HasStaying(size_t at) const {
    for (; at < open_.size(); ++at) {
      if (open_[at].stays) return true;
    }
    return false;
  }

  // To the loop's own header, or out of it.
  bool BranchOut(const Inst& inst) {
    Emit(RoundStep::Kind::kRow, row_++);
    return inst.op == Op::kBrIf || SkipDead();
  }

  bool BranchThatStays(const Inst& inst, size_t at) {
    if (IsLoop(open_[at])) return false;
    open_[at].stays = true;
    Emit(RoundStep::Kind::kRow, row_++);
    return inst.op == Op::kBrIf || SkipDead();
  }

  bool Jump(size_t at) {
    while (open_.size() > at + 1) Close();
    const Construct& target = ConstructOf(open_[at]);
    if (IsLoop(open_[at])) {
      Emit(RoundStep::Kind::kClose, target.end);
      Emit(RoundStep::Kind::kOpen, target.begin);
      row_ = target.begin + 1;
      return true;
    }
    row_ = target.end;
    return true;
  }

  // Behind a branch that is always taken: goes on where another way leads to.
  bool SkipDead() {
    while (!open_.empty()) {
      const Open& open = open_.back();
      const Construct& construct = ConstructOf(open);
      const bool in_then = construct.else_at != 0 && row_ <= construct.else_at;
      if (open.stays) {
        row_ = in_then && construct.kind == ConstructKind::kIf ? construct.else_at : construct.end;
        return true;
      }
      row_ = construct.end + 1;
      Close();
    }
    row_ = loop_.end;
    return true;
  }

  // Of blocks that no branch leaves the rows are gone; so are rows that were decided without
  // reading anything.
  void DropBlocks() {
    size_t kept = 0;
    for (size_t i = 0; i < trace_.steps.size(); ++i) {
      const RoundStep& step = trace_.steps[i];
      const Op op = function_.insts[step.row].op;
      if (step.kind == RoundStep::Kind::kDecided && op != Op::kIf && op != Op::kBrIf) continue;
      trace_.steps[kept] = trace_.steps[i];
      trace_.results[kept++] = trace_.results[i];
    }
    trace_.steps.resize(kept);
    trace_.results.resize(kept);
  }

  const ir::Function& function_;
  const uint32_t outer_;
  const Construct& loop_;
  const std::vector<KnownBits>& facts_;
  uint64_t* const budget_;
  RoundTrace trace_;
  std::vector<Open> open_;
  Known known_;
  uint32_t row_ = 0;
};

}  // namespace

bool IsStraightRow(Op op) {
  switch (op) {
    case Op::kNumeric:
    case Op::kLoad:
    case Op::kStore:
    case Op::kConst:
    case Op::kCopy:
    case Op::kSelect:
    case Op::kCanon:
    case Op::kGlobalGet:
    case Op::kGlobalSet:
    case Op::kMemorySize:
    case Op::kTableGet:
    case Op::kPay:
    case Op::kTrap: return true;
    default: return false;
  }
}

bool IsRoundRow(Op op) {
  switch (op) {
    case Op::kBlock:
    case Op::kIf:
    case Op::kElse:
    case Op::kEnd:
    case Op::kBr:
    case Op::kBrIf:
    case Op::kBrTable: return true;
    default: return IsStraightRow(op);
  }
}

std::optional<RoundTrace> TraceRound(const ir::Function& function, uint32_t construct,
                                     const std::vector<KnownBits>& facts, uint64_t* budget) {
  const Construct& loop = function.constructs[construct];
  if (loop.header_safepoint == 0 || loop.header_safepoint == loop.last_safepoint) {
    return std::nullopt;
  }
  if (loop.end - loop.begin > RoundTrace::kMostRows) return std::nullopt;
  return Tracer(function, construct, facts, budget).Run();
}

}  // namespace wb
