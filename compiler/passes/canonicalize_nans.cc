#include <utility>
#include <vector>

#include "compiler/passes/passes.h"

namespace wb {
namespace {

using ir::Inst;
using ir::Op;
using ir::Var;

// Where a variable's bits may come from. A NaN of an arithmetic result has no bits yet; anything
// else (loads, parameters, bit operations) has bits that must be kept. A variable with both sources
// takes arithmetic results in canonical form.
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

class Canonicalizer {
 public:
  explicit Canonicalizer(ir::Function& function) : function_(function) {}

  void Run() {
    Classify();
    Propagate();
    Rewrite();
    function_.arithmetic.resize(function_.vars.size());
    for (Var var = 0; var < sources_.size(); ++var) function_.arithmetic[var] = PureArithmetic(var);
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
      switch (inst.op) {
        case Op::kNumeric:
          if (ReadsBits(inst.opcode) || IsVector(inst.opcode)) {
            if (Float(inst.a)) Observe(inst.a, inst.offset);
            if (Float(inst.b)) Observe(inst.b, inst.offset);
          }
          break;
        case Op::kStore:
          if (Float(inst.b)) Observe(inst.b, inst.offset);
          break;
        case Op::kGlobalSet: Observe(inst.a, inst.offset); break;
        case Op::kCall:
          for (Var& arg : function_.calls[inst.imm].args) Observe(arg, inst.offset);
          break;
        case Op::kCopy:
        case Op::kSelect:
          if (Float(inst.dst) && (sources_[inst.dst] & kExact) != 0) {
            Observe(inst.a, inst.offset);
            if (inst.op == Op::kSelect) Observe(inst.b, inst.offset);
          }
          break;
        default: break;
      }
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
