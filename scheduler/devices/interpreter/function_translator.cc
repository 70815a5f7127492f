#include "scheduler/devices/interpreter/function_translator.h"

#include <utility>

#include "scheduler/devices/interpreter/activation_layout.h"
#include "scheduler/devices/interpreter/vectors.h"

namespace wb {

using ir::Inst;
using ir::Op;
using ir::Var;

ByteFunction FunctionTranslator::Run() {
  control_.Begin();
  for (; !builder_.AtEnd(); builder_.Advance()) Row(builder_.Row());
  control_.Finish();
  LayOutActivation(function_, slots_, out_);
  return std::move(out_);
}

// A row on another memory than the first stands between two changes of it.
void FunctionTranslator::Row(const Inst& inst) {
  const bool between = inst.op == Op::kMemoryCopyChunk && inst.imm != inst.memory;
  const bool other = inst.memory != 0 && inst.op != Op::kMemoryGrow && !between;
  if (other) builder_.Emit(ByteOp::kUseMemory).imm = inst.memory;
  Visit(inst);
  if (other) builder_.Emit(ByteOp::kUseMemory).imm = 0;
}

void FunctionTranslator::Visit(const Inst& inst) {
  switch (inst.op) {
    case Op::kNumeric: Numeric(inst); break;
    case Op::kLoad:
    case Op::kStore: Access(inst); break;
    case Op::kConst: Const(inst); break;
    case Op::kCopy: Copy(inst); break;
    case Op::kSelect: builder_.EmitHalves(ByteOp::kSelect, inst.dst); break;
    case Op::kCanon: Canon(inst); break;
    case Op::kGlobalGet: LaneGet(inst.dst, GlobalWord(inst)); break;
    case Op::kGlobalSet: LaneSet(inst.a, GlobalWord(inst)); break;
    case Op::kStageGet: LaneGet(inst.dst, StageWord(inst)); break;
    case Op::kStagePut: LaneSet(inst.a, StageWord(inst)); break;
    case Op::kTogether: builder_.EmitConst(inst.dst, 0); break;  // lanes run alone
    case Op::kCollect: break;
    case Op::kGroupAccess: GroupAccess(inst); break;
    default:
      if (!memory_.Visit(inst)) control_.Visit(inst);
  }
}

void FunctionTranslator::Const(const Inst& inst) {
  if (!slots_.IsConstant(inst.dst) || slots_.IsRead(inst.dst)) {
    builder_.EmitConst(inst.dst, inst.imm);
  }
}

void FunctionTranslator::Copy(const Inst& inst) {
  if (slots_.IsConstant(inst.a)) {
    builder_.EmitConst(inst.dst, slots_.Bits(inst.a));
  } else {
    builder_.EmitHalves(ByteOp::kCopy, inst.dst);
  }
}

void FunctionTranslator::Canon(const Inst& inst) {
  builder_.EmitRow(IsWide(function_.vars[inst.dst]) ? ByteOp::kCanonF64 : ByteOp::kCanonF32);
}

uint32_t FunctionTranslator::GlobalWord(const Inst& inst) const {
  return module_.layout.globals_at + module_.program.global_words[inst.imm];
}

uint32_t FunctionTranslator::StageWord(const Inst& inst) const {
  return module_.layout.stage_at + static_cast<uint32_t>(inst.imm);
}

void FunctionTranslator::LaneGet(Var value, uint32_t word) {
  const bool wide = IsWide(function_.vars[value]);
  EmitLane(wide ? ByteOp::kGlobalGet64 : ByteOp::kGlobalGet32, value, word);
}

void FunctionTranslator::LaneSet(Var value, uint32_t word) {
  const bool wide = IsWide(function_.vars[value]);
  EmitLane(wide ? ByteOp::kGlobalSet64 : ByteOp::kGlobalSet32, value, word);
}

void FunctionTranslator::EmitLane(ByteOp op, Var value, uint32_t word) {
  for (uint32_t half = 0; half < SlotsOf(function_.vars[value]); ++half) {
    ByteCode& code = builder_.EmitRow(op);
    code.dst += half;
    code.a += half;
    code.imm = word + 2 * half;
  }
}

void FunctionTranslator::Numeric(const Inst& inst) {
  if (FactsOf(inst.opcode).klass == OpcodeClass::kVector) {
    Vector(inst, ByteOp::kVector, builder_.Slot(inst.c));
    return;
  }
  const NumericForms forms = FormsOf(inst.opcode);
  if (NumericJump(inst, forms)) return;
  const bool fold = slots_.FoldsB(inst);
  // An operator's value whose only reader is the copy behind it is written to the copy's variable.
  const Inst* next = builder_.Next();
  const bool forward = next != nullptr && next->op == Op::kCopy && next->a == inst.dst &&
                       slots_.Reads(inst.dst) == 1 && !slots_.IsConstant(inst.dst);
  ByteCode& code = builder_.EmitRow(fold ? forms.imm : forms.plain);
  if (fold) code.imm = slots_.Bits(inst.b);
  if (fold) code.b = 0;
  if (forward) {
    code.dst = builder_.Slot(next->dst);
    builder_.Advance();
  }
}

// A test whose only reader is the branch behind it becomes one instruction with it.
bool FunctionTranslator::NumericJump(const Inst& inst, const NumericForms& forms) {
  const Inst* next = builder_.Next();
  if (next == nullptr || (next->op != Op::kIf && next->op != Op::kBrIf)) return false;
  if (next->a != inst.dst || slots_.Reads(inst.dst) != 1) return false;
  if (!FactsOf(inst.opcode).check.empty()) return false;
  const bool fold = slots_.FoldsB(inst);
  const ByteOp op = forms.jump[fold][next->op == Op::kIf];
  if (op == kNoOp) return false;
  ByteCode& code = builder_.EmitRow(op);
  code.dst = 0;
  code.imm = fold ? slots_.Bits(inst.b) : 0;
  if (fold) code.b = 0;
  builder_.Advance();
  control_.Branch(*next);
  return true;
}

void FunctionTranslator::Vector(const Inst& inst, ByteOp op, uint32_t low) {
  const Var lane = slots_.LaneOf(inst);
  ByteCode& code = builder_.EmitRow(op);
  code.imm = low | uint64_t{VectorNumberOf(inst.opcode)} << kVectorNumberShift;
  if (lane != ir::kNoVar) code.imm |= slots_.Bits(lane) << kVectorLaneShift;
}

void FunctionTranslator::Access(const Inst& inst) {
  if (asserts_facts_) AssertFacts(inst);
  const OpcodeFacts& facts = FactsOf(inst.opcode);
  if (facts.result == ValueType::kV128 || facts.b == ValueType::kV128) {
    Vector(inst, ByteOp::kVectorAccess, static_cast<uint32_t>(inst.imm));
  } else {
    builder_.EmitRow(AccessOf(inst.opcode));
  }
}

void FunctionTranslator::AssertFacts(const Inst& inst) {
  const uint32_t row = builder_.RowNumber();
  const ir::Function::Place place = function_.PlaceOf(row);
  const uint32_t known = (function_.IsAligned(row) ? 1u : 0u) |
                         (function_.IsInside(row) ? 2u : 0u) | uint32_t{place.bits} << 2 |
                         uint32_t{place.value} << 4;
  if (known == 0) return;
  const uint32_t bytes = FactsOf(inst.opcode).bytes;
  ByteCode& code = builder_.EmitRow(ByteOp::kKnownAccess);
  code.dst = known;
  code.b = bytes;
  const ir::Function::AccessRange* range = function_.RangeAt(row);
  if (range == nullptr) return;
  ByteCode& bounds = builder_.EmitRow(ByteOp::kKnownRange);
  bounds.imm = (range->from - inst.imm) << 32;
  bounds.dst = static_cast<uint32_t>(range->end - range->from - bytes);
}

void FunctionTranslator::GroupAccess(const Inst& inst) {
  const bool is_store = inst.imm == abi::ACCESS_STORE;
  const bool is_wide = IsWide(function_.vars[is_store ? inst.b : inst.dst]);
  const uint64_t code = inst.imm | (is_wide ? uint64_t{1} << 8 : 0);
  if (is_store) {
    builder_.EmitRow(ByteOp::kGroupStore).imm = code;
  } else if (inst.imm == abi::ACCESS_LOAD) {
    builder_.EmitRow(ByteOp::kGroupLoad).imm = code;
  } else {
    const uint32_t other = inst.c == ir::kNoVar ? builder_.Slot(inst.b) : builder_.Slot(inst.c);
    builder_.EmitRow(ByteOp::kGroupChange).imm = code | uint64_t{other} << 32;
  }
}

}  // namespace wb
