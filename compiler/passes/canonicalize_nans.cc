#include <algorithm>
#include <utility>
#include <vector>

#include "compiler/passes/analysis/liveness.h"
#include "compiler/passes/passes.h"

namespace wb {
namespace {

using ir::Inst;
using ir::Op;
using ir::Var;

// Where a variable's bits may come from. A NaN of an arithmetic result has no bits yet; anything
// else (loads, parameters, bit operations) has bits that must be kept. A variable with both sources
// takes arithmetic results in canonical form, unless nobody sees the bits of the others: a sum that
// begins with what was loaded is arithmetic from the first addition on.
constexpr uint8_t kArithmetic = 1;
constexpr uint8_t kExact = 2;

bool IsNanBits(ValueType type, uint64_t bits) {
  if (type == ValueType::kF32) return (bits & 0x7fffffffu) > 0x7f800000u;
  return (bits & 0x7fffffffffffffffull) > 0x7ff0000000000000ull;
}

// neg, abs and copysign work on bits; reinterpretation shows them.
bool ReadsBits(Opcode opcode) {
  switch (opcode) {
    case Opcode::kF32Abs:
    case Opcode::kF32Neg:
    case Opcode::kF32Copysign:
    case Opcode::kF64Abs:
    case Opcode::kF64Neg:
    case Opcode::kF64Copysign:
    case Opcode::kI32ReinterpretF32:
    case Opcode::kI64ReinterpretF64: return true;
    default: return false;
  }
}

bool IsVector(Opcode opcode) { return FactsOf(opcode).klass == OpcodeClass::kVector; }

// A lane has bits: those that are arithmetic results were made canonical there.
uint8_t SourceOfNumeric(Opcode opcode) {
  if (IsVector(opcode)) return kExact;
  if (ReadsBits(opcode) || opcode == Opcode::kF32ReinterpretI32 ||
      opcode == Opcode::kF64ReinterpretI64) {
    return kExact;
  }
  const OpcodeFacts& facts = FactsOf(opcode);
  return IsFloat(facts.a) ? kArithmetic : 0;  // conversions from integers are never NaN
}

// Each walk may find variables whose bits are seen only where another's are. Chains of copies
// between such variables are short.
constexpr int kMostWalks = 4;

class Canonicalizer {
 public:
  explicit Canonicalizer(ir::Function& function) : function_(function) {}

  void Run() {
    Classify();
    Propagate();
    for (int walk = 0; walk < kMostWalks && Relax(); ++walk) {
    }
    Rewrite();
    function_.arithmetic.resize(function_.vars.size());
    for (Var var = 0; var < sources_.size(); ++var) function_.arithmetic[var] = PureArithmetic(var);
    FindUnseen();
  }

 private:
  bool Float(Var var) const { return var != ir::kNoVar && IsFloat(function_.vars[var]); }
  bool PureArithmetic(Var var) const { return Float(var) && sources_[var] == kArithmetic; }

  void Classify() {
    sources_.assign(function_.vars.size(), 0);
    for (Var i = 0; i < function_.num_params; ++i) sources_[i] = kExact;
    for (Var result : function_.results) sources_[result] = kExact;
    for (const ir::Call& call : function_.calls) {
      for (Var result : call.results) sources_[result] = kExact;
    }
    for (const Inst& inst : function_.insts) {
      if (!Float(inst.dst)) continue;
      switch (inst.op) {
        case Op::kNumeric: sources_[inst.dst] |= SourceOfNumeric(inst.opcode); break;
        case Op::kConst:
          if (IsNanBits(function_.vars[inst.dst], inst.imm)) sources_[inst.dst] |= kExact;
          break;
        case Op::kCopy: moves_.push_back({inst.a, inst.dst}); break;
        case Op::kSelect:
          moves_.push_back({inst.a, inst.dst});
          moves_.push_back({inst.b, inst.dst});
          break;
        default: sources_[inst.dst] |= kExact; break;
      }
    }
  }

  // Each variable gains at most two flags, so the work list is bounded by twice the moves.
  void Propagate() {
    std::vector<std::vector<Var>> out(function_.vars.size());
    for (auto [from, to] : moves_) out[from].push_back(to);
    std::vector<Var> work;
    for (Var var = 0; var < sources_.size(); ++var) {
      if (sources_[var] != 0 && !out[var].empty()) work.push_back(var);
    }
    while (!work.empty()) {
      Var from = work.back();
      work.pop_back();
      for (Var to : out[from]) {
        if ((sources_[to] | sources_[from]) == sources_[to]) continue;
        sources_[to] |= sources_[from];
        work.push_back(to);
      }
    }
  }

  bool Exact(Var var) const { return (sources_[var] & kExact) != 0; }

  // The float operands whose bits the row shows.
  template <typename Visit>
  void ForEachSeen(Inst& inst, Visit visit) {
    switch (inst.op) {
      case Op::kNumeric:
        if (!ReadsBits(inst.opcode) && !IsVector(inst.opcode)) return;
        if (Float(inst.a)) visit(inst.a);
        if (Float(inst.b)) visit(inst.b);
        return;
      case Op::kStore:
        if (Float(inst.b)) visit(inst.b);
        return;
      case Op::kGlobalSet: visit(inst.a); return;
      case Op::kCall:
        for (Var& arg : function_.calls[inst.imm].args) visit(arg);
        return;
      case Op::kCopy:
      case Op::kSelect:
        if (!Float(inst.dst) || !Exact(inst.dst)) return;
        visit(inst.a);
        if (inst.op == Op::kSelect) visit(inst.b);
        return;
      case Op::kCanon: return;
      default:
        for (Var* var : {&inst.a, &inst.b, &inst.c}) {
          if (Float(*var)) visit(*var);
        }
        return;
    }
  }

  // Variables with both sources whose values end in no row that shows bits, unless arithmetic gave
  // them, are arithmetic. True: there are some, and so there may be more.
  bool Relax() {
    const std::vector<Var> mixed = Mixed();
    if (mixed.empty() || !Liveness::Affordable(function_, mixed.size())) return false;
    const ir::Function seen = WhatIsSeen();
    Liveness liveness(seen, mixed);
    const std::vector<uint32_t> rows = RowsBehindExact(mixed);
    liveness.Watch(rows);
    if (!liveness.Run()) return false;
    bool any = false;
    for (Var var : mixed) {
      const bool is_seen = std::any_of(rows.begin(), rows.end(), [&](uint32_t row) {
        return IsExactHere(row, var) && liveness.before(row).Get(liveness.candidate_of(var));
      });
      if (is_seen) continue;
      sources_[var] = kArithmetic;
      any = true;
    }
    return any;
  }

  std::vector<Var> Mixed() const {
    std::vector<Var> mixed;
    for (Var var = 0; var < function_.vars.size(); ++var) {
      if (Float(var) && sources_[var] == (kArithmetic | kExact)) mixed.push_back(var);
    }
    for (Var result : function_.results) std::erase(mixed, result);
    return mixed;
  }

  // The function with those uses of floats alone that show bits.
  ir::Function WhatIsSeen() {
    ir::Function seen = function_;
    for (Inst& inst : seen.insts) {
      Inst shown = inst;
      for (Var* var : {&inst.a, &inst.b, &inst.c}) {
        if (Float(*var)) *var = ir::kNoVar;
      }
      ForEachSeen(shown, [&](Var& var) {
        if (&var == &shown.a) inst.a = shown.a;
        if (&var == &shown.b) inst.b = shown.b;
      });
    }
    return seen;
  }

  // Where a value with bits has just been given: the row behind the one that does, 0 for
  // parameters.
  std::vector<uint32_t> RowsBehindExact(const std::vector<Var>& mixed) const {
    std::vector<bool> is_mixed(function_.vars.size());
    for (Var var : mixed) is_mixed[var] = true;
    std::vector<uint32_t> rows = {0};
    for (uint32_t row = 0; row < function_.insts.size(); ++row) {
      bool gives = false;
      ForEachDefinition(function_, function_.insts[row],
                        [&](Var var) { gives = gives || (is_mixed[var] && GivesBits(row)); });
      if (gives) rows.push_back(row + 1);
    }
    return rows;
  }
  bool IsExactHere(uint32_t row, Var var) const {
    if (row == 0) return var < function_.num_params;
    bool is_defined = false;
    ForEachDefinition(function_, function_.insts[row - 1],
                      [&](Var each) { is_defined = is_defined || each == var; });
    return is_defined;
  }

  // What the row gives a float may have bits that are to be kept.
  bool GivesBits(uint32_t row) const {
    const Inst& inst = function_.insts[row];
    switch (inst.op) {
      case Op::kNumeric: return SourceOfNumeric(inst.opcode) == kExact;
      case Op::kConst: return IsNanBits(function_.vars[inst.dst], inst.imm);
      case Op::kCopy: return Exact(inst.a);
      case Op::kSelect: return Exact(inst.a) || Exact(inst.b);
      default: return true;
    }
  }

  // Floats whose bits no row shows, though they were loaded, say.
  void FindUnseen() {
    std::vector<bool> seen(function_.vars.size());
    for (Var result : function_.results) seen[result] = true;
    std::vector<std::vector<Var>> from(function_.vars.size());
    for (Inst& inst : function_.insts) {
      if (inst.op == Op::kCopy || inst.op == Op::kSelect) {
        from[inst.dst].push_back(inst.a);
        if (inst.op == Op::kSelect) from[inst.dst].push_back(inst.b);
      } else {
        ForEachSeen(inst, [&](Var& var) { seen[var] = true; });
      }
    }
    std::vector<Var> work;
    for (Var var = 0; var < seen.size(); ++var) {
      if (seen[var]) work.push_back(var);
    }
    while (!work.empty()) {
      const Var to = work.back();
      work.pop_back();
      for (Var var : from[to]) {
        if (!seen[var]) work.push_back(var);
        seen[var] = true;
      }
    }
    function_.unseen.resize(function_.vars.size());
    for (Var var = 0; var < seen.size(); ++var) function_.unseen[var] = Float(var) && !seen[var];
  }

  void Observe(Var& var, uint32_t offset) {
    if (!PureArithmetic(var)) return;
    Inst canon;
    canon.op = Op::kCanon;
    canon.offset = offset;
    canon.a = var;
    function_.vars.push_back(function_.vars[var]);
    sources_.push_back(kExact);
    canon.dst = static_cast<Var>(function_.vars.size() - 1);
    rows_.push_back(canon);
    var = canon.dst;
  }

  void Rewrite() {
    std::vector<Inst> old = std::move(function_.insts);
    rows_.reserve(old.size());
    for (Inst& inst : old) {
      ForEachSeen(inst, [&](Var& var) { Observe(var, inst.offset); });
      rows_.push_back(inst);
    }
    function_.insts = std::move(rows_);
  }

  ir::Function& function_;
  std::vector<uint8_t> sources_;
  std::vector<std::pair<Var, Var>> moves_;
  std::vector<Inst> rows_;
};

}  // namespace

void CanonicalizeNans(ir::Function& function) { Canonicalizer(function).Run(); }

}  // namespace wb
