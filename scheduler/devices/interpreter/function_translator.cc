#include "scheduler/devices/interpreter/function_translator.h"

#include "scheduler/devices/interpreter/vectors.h"

namespace wb {

using ir::Inst;
using ir::Op;
using ir::Var;

namespace {

bool IsWide(ValueType type) { return TypeWords(type) >= 2; }
// A v128 is moved as two wide values.
uint32_t SlotsOf(ValueType type) { return type == ValueType::kV128 ? 2 : 1; }

}  // namespace

void FunctionTranslator::AppendSlots(Var var, std::vector<uint32_t>* slots) const {
  for (uint32_t half = 0; half < SlotsOf(function_.vars[var]); ++half) {
    slots->push_back(Slot(var) + half);
  }
}

// A row on another memory than the first stands between two changes of it.
void FunctionTranslator::Row(const Inst& inst) {
  const bool between = inst.op == Op::kMemoryCopyChunk && inst.imm != inst.memory;
  const bool other = inst.memory != 0 && inst.op != Op::kMemoryGrow && !between;
  if (other) Emit(ByteOp::kUseMemory).imm = inst.memory;
  Visit(inst);
  if (other) Emit(ByteOp::kUseMemory).imm = 0;
}

void FunctionTranslator::Grow(const Inst& inst) {
  const bool several = module_.program.memories.size() > 1;
  const auto number = static_cast<uint32_t>(inst.imm);
  out_.safepoints[number] = {Here(), CurrentRow(), false};
  ByteCode& code = EmitRow(several ? ByteOp::kMemoryGrowOf : ByteOp::kMemoryGrow);
  code.b = number;
  if (several) code.imm = inst.memory;
}

void FunctionTranslator::MemoryCopy(const Inst& inst) {
  if (inst.imm == inst.memory) {
    EmitWithC(ByteOp::kMemoryCopyChunk);
    return;
  }
  EmitWithC(ByteOp::kMemoryCopyBetween);
  out_.code.back().dst = inst.memory | static_cast<uint32_t>(inst.imm) << 8;
}

void FunctionTranslator::GroupAccess(const Inst& inst) {
  const bool is_store = inst.imm == abi::ACCESS_STORE;
  const bool is_wide = IsWide(function_.vars[is_store ? inst.b : inst.dst]);
  const uint64_t code = inst.imm | (is_wide ? uint64_t{1} << 8 : 0);
  if (is_store) {
    EmitRow(ByteOp::kGroupStore).imm = code;
  } else if (inst.imm == abi::ACCESS_LOAD) {
    EmitRow(ByteOp::kGroupLoad).imm = code;
  } else {
    const uint32_t other = inst.c == ir::kNoVar ? Slot(inst.b) : Slot(inst.c);
    EmitRow(ByteOp::kGroupChange).imm = code | uint64_t{other} << 32;
  }
}

void FunctionTranslator::Visit(const Inst& inst) {
  switch (inst.op) {
    case Op::kNumeric: Numeric(inst); break;
    case Op::kLoad:
    case Op::kStore: Access(inst); break;
    case Op::kConst:
      if (!slots_.IsConstant(inst.dst) || slots_.IsRead(inst.dst)) Const(inst.dst, inst.imm);
      break;
    case Op::kCopy: Copy(inst); break;
    case Op::kSelect: EmitHalves(ByteOp::kSelect, inst.dst); break;
    case Op::kCanon:
      EmitRow(IsWide(function_.vars[inst.dst]) ? ByteOp::kCanonF64 : ByteOp::kCanonF32);
      break;
    case Op::kGlobalGet:
      Lane(ByteOp::kGlobalGet32, ByteOp::kGlobalGet64, inst.dst, GlobalWord(inst));
      break;
    case Op::kGlobalSet:
      Lane(ByteOp::kGlobalSet32, ByteOp::kGlobalSet64, inst.a, GlobalWord(inst));
      break;
    case Op::kMemorySize: EmitRow(ByteOp::kMemorySize); break;
    case Op::kMemoryGrow: Grow(inst); break;
    case Op::kMemoryCopyCheck: EmitWithC(ByteOp::kMemoryCopyCheck); break;
    case Op::kMemoryFillCheck: EmitWithC(ByteOp::kMemoryFillCheck); break;
    case Op::kMemoryCopyChunk: MemoryCopy(inst); break;
    case Op::kMemoryFillChunk: EmitWithC(ByteOp::kMemoryFillChunk); break;
    case Op::kMemoryInitChunk: EmitRow(ByteOp::kMemoryInitChunk).dst = Slot(inst.c); break;
    case Op::kRangeCheck: EmitRow(ByteOp::kRangeCheck).dst = Slot(inst.c); break;
    case Op::kTableGet: EmitRow(ByteOp::kTableGet).imm = TableWord(inst.imm); break;
    case Op::kTableSet: EmitRow(ByteOp::kTableSet).imm = TableWord(inst.imm); break;
    case Op::kTogether: Const(inst.dst, 0); break;  // lanes run alone
    case Op::kCollect: break;
    case Op::kGroupAccess: GroupAccess(inst); break;
    case Op::kTableFillChunk: EmitRow(ByteOp::kTableFillChunk).dst = Slot(inst.c); break;
    case Op::kTableCopyChunk: {
      const ir::TableCopy& copy = function_.table_copies[inst.imm];
      EmitPair(ByteOp::kTableCopyChunk, copy.to, copy.from).dst = Slot(inst.c);
      break;
    }
    case Op::kTableInitChunk: {
      const ir::TableInit& init = function_.table_inits[inst.imm];
      EmitPair(ByteOp::kTableInitChunk, init.table, init.segment).dst = Slot(inst.c);
      break;
    }
    case Op::kCheckRoom:
      EmitRow(ByteOp::kCheckRoom).imm =
          function_.room_checks[inst.imm].in_callers_place ? function_.stack_slots : 0;
      break;
    case Op::kPay: Pay(inst); break;
    case Op::kPayVar: EmitRow(ByteOp::kPayVar); break;
    case Op::kPayPer16: EmitRow(ByteOp::kPayPer16); break;
    case Op::kSafepoint: Safepoint(static_cast<uint32_t>(inst.imm), ByteOp::kSafepoint, 0); break;
    case Op::kStagePut:
      Lane(ByteOp::kGlobalSet32, ByteOp::kGlobalSet64, inst.a, StageWord(inst));
      break;
    case Op::kStageGet:
      Lane(ByteOp::kGlobalGet32, ByteOp::kGlobalGet64, inst.dst, StageWord(inst));
      break;
    case Op::kAsk:
      Safepoint(static_cast<uint32_t>(inst.imm), ByteOp::kAsk, function_.request);
      break;
    case Op::kCall: Call(inst); break;
    case Op::kTrap: EmitRow(ByteOp::kTrap); break;
    case Op::kTableLookup: {
      const ir::TableLookup& lookup = function_.table_lookups[inst.imm];
      EmitPair(ByteOp::kTableLookup, lookup.lookup, lookup.table);
      break;
    }
    case Op::kBlock: Open(); break;
    case Op::kLoop: Loop(inst.imm); break;
    case Op::kIf: If(inst.imm); break;
    case Op::kElse: Else(inst.imm); break;
    case Op::kEnd: End(inst.imm); break;
    case Op::kBr:
      Emit(ByteOp::kJump);
      JumpTo(inst.imm);
      break;
    case Op::kBrIf:
      EmitRow(ByteOp::kIf);
      JumpTo(inst.imm);
      break;
    case Op::kBrTable: BrTable(inst); break;
  }
}

void FunctionTranslator::Copy(const Inst& inst) {
  if (slots_.IsConstant(inst.a)) {
    Const(inst.dst, slots_.Bits(inst.a));
  } else {
    EmitHalves(ByteOp::kCopy, inst.dst);
  }
}

void FunctionTranslator::Const(Var dst, uint64_t imm) {
  for (uint32_t half = 0; half < SlotsOf(function_.vars[dst]); ++half) {
    ByteCode& code = Emit(ByteOp::kConst);
    code.dst = Slot(dst) + half;
    code.imm = Bits(dst, imm, half);
  }
}

// A row that moves `value`, once for each of its slots; a select's condition goes along.
void FunctionTranslator::EmitHalves(ByteOp op, Var value) {
  for (uint32_t half = 0; half < SlotsOf(function_.vars[value]); ++half) {
    ByteCode& code = EmitRow(op);
    code.dst += half;
    code.a += half;
    code.b += half;
    code.imm = Slot(function_.insts[row_].c);
  }
}

void FunctionTranslator::Vector(const Inst& inst, ByteOp op, uint32_t low) {
  const Var lane = slots_.LaneOf(inst);
  ByteCode& code = EmitRow(op);
  code.imm = low | uint64_t{VectorNumberOf(inst.opcode)} << kVectorNumberShift;
  if (lane != ir::kNoVar) code.imm |= slots_.Bits(lane) << kVectorLaneShift;
}

void FunctionTranslator::AssertFacts(const Inst& inst) {
  const uint32_t known =
      (function_.IsAligned(row_) ? 1u : 0u) | (function_.IsInside(row_) ? 2u : 0u);
  if (known == 0) return;
  ByteCode& code = EmitRow(ByteOp::kKnownAccess);
  code.dst = known;
  code.b = FactsOf(inst.opcode).bytes;
}

void FunctionTranslator::Access(const Inst& inst) {
  if (options_.asserts_facts) AssertFacts(inst);
  const OpcodeFacts& facts = FactsOf(inst.opcode);
  if (facts.result == ValueType::kV128 || facts.b == ValueType::kV128) {
    Vector(inst, ByteOp::kVectorAccess, static_cast<uint32_t>(inst.imm));
  } else {
    EmitRow(AccessOf(inst.opcode));
  }
}

void FunctionTranslator::Numeric(const Inst& inst) {
  if (FactsOf(inst.opcode).klass == OpcodeClass::kVector) {
    Vector(inst, ByteOp::kVector, Slot(inst.c));
    return;
  }
  const NumericForms forms = FormsOf(inst.opcode);
  if (NumericJump(inst, forms)) return;
  const bool fold = slots_.FoldsB(inst);
  // An operator's value whose only reader is the copy behind it is written to the copy's variable.
  const Inst* next = Next();
  const bool forward = next != nullptr && next->op == Op::kCopy && next->a == inst.dst &&
                       slots_.Reads(inst.dst) == 1 && !slots_.IsConstant(inst.dst);
  ByteCode& code = EmitRow(fold ? forms.imm : forms.plain);
  if (fold) code.imm = slots_.Bits(inst.b);
  if (fold) code.b = 0;
  if (forward) {
    code.dst = Slot(next->dst);
    ++row_;
  }
}

// A test whose only reader is the branch behind it becomes one instruction with it.
bool FunctionTranslator::NumericJump(const Inst& inst, const NumericForms& forms) {
  const Inst* next = Next();
  if (next == nullptr || (next->op != Op::kIf && next->op != Op::kBrIf)) return false;
  if (next->a != inst.dst || slots_.Reads(inst.dst) != 1) return false;
  if (!FactsOf(inst.opcode).check.empty()) return false;
  const bool fold = slots_.FoldsB(inst);
  const ByteOp op = forms.jump[fold][next->op == Op::kIf];
  if (op == kNoOp) return false;
  ByteCode& code = EmitRow(op);
  code.dst = 0;
  code.imm = fold ? slots_.Bits(inst.b) : 0;
  if (fold) code.b = 0;
  ++row_;
  if (next->op == Op::kIf) {
    Open();
    JumpToElse(next->imm);
  } else {
    JumpTo(next->imm);
  }
  return true;
}

void FunctionTranslator::Lane(ByteOp narrow, ByteOp wide, Var value, uint32_t word) {
  const ByteOp op = IsWide(function_.vars[value]) ? wide : narrow;
  for (uint32_t half = 0; half < SlotsOf(function_.vars[value]); ++half) {
    ByteCode& code = EmitRow(op);
    code.dst += half;
    code.a += half;
    code.imm = word + 2 * half;
  }
}

void FunctionTranslator::Describe() {
  out_.index = function_.index;
  out_.origin = function_.origin();
  out_.code_offset = function_.code_offset;
  out_.stack_slots = function_.bounded ? 0 : function_.stack_slots;
  out_.frame_words = function_.frame_words;
  out_.recursive = function_.recursive;
  out_.slots = slots_.count();
  out_.zero_slots = slots_.zero_slots();
  out_.synthetic = function_.synthetic;
  out_.params = function_.num_params;
  out_.local_types.assign(function_.vars.begin(), function_.vars.begin() + function_.num_locals);
  for (Var result : function_.results) out_.result_types.push_back(function_.vars[result]);
  for (Var param = 0; param < function_.num_params; ++param) {
    const ValueType type = function_.vars[param];
    out_.param_wide.insert(out_.param_wide.end(), SlotsOf(type), IsWide(type));
  }
  for (Var result : function_.results) {
    const ValueType type = function_.vars[result];
    out_.result_wide.insert(out_.result_wide.end(), SlotsOf(type), IsWide(type));
    AppendSlots(result, &out_.results);
  }
  for (Var var : function_.frame_vars) {
    for (uint32_t half = 0; half < SlotsOf(function_.vars[var]); ++half) {
      out_.frame.push_back(
          {Slot(var) + half, IsWide(function_.vars[var]), function_.arithmetic[var]});
    }
  }
  for (Var var = 0; var < function_.vars.size(); ++var) {
    if (slots_.IsConstant(var) && slots_.IsRead(var) && slots_.LivesAcrossSafepoint(var)) {
      for (uint32_t half = 0; half < SlotsOf(function_.vars[var]); ++half) {
        out_.frame_constants.push_back({Slot(var) + half, Bits(var, slots_.Bits(var), half),
                                        slots_.FirstRow(var), slots_.LastRow(var)});
      }
    }
  }
}

}  // namespace wb
