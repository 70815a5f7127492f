// FunctionBuilder: rows that several operators share, and the operators on values.

#include "compiler/passes/function_builder.h"

namespace wb {

using ir::Inst;
using ir::Op;
using ir::Var;

Var FunctionBuilder::EmitConst(ValueType type, uint64_t bits, uint32_t offset) {
  Var dst = NewVar(type);
  Inst& inst = Emit(Op::kConst, offset);
  inst.dst = dst;
  inst.imm = bits;
  return dst;
}

Var FunctionBuilder::EmitBinary(Opcode opcode, Var a, Var b, uint32_t offset) {
  Var dst = NewVar(FactsOf(opcode).result);
  Inst& inst = Emit(Op::kNumeric, offset);
  inst.opcode = opcode;
  inst.dst = dst;
  inst.a = a;
  inst.b = b;
  return dst;
}

Var FunctionBuilder::EmitSelect(Var a, Var b, Var condition, uint32_t offset) {
  Var dst = NewVar(function_.vars[a]);
  Inst& inst = Emit(Op::kSelect, offset);
  inst.dst = dst;
  inst.a = a;
  inst.b = b;
  inst.c = condition;
  return dst;
}

void FunctionBuilder::EmitCopy(Var dst, Var a, uint32_t offset) {
  Inst& inst = Emit(Op::kCopy, offset);
  inst.dst = dst;
  inst.a = a;
}

// ---- operators

void FunctionBuilder::Numeric(const Instruction& instruction) {
  const OpcodeFacts& facts = FactsOf(instruction.opcode);
  Var b = facts.b == ValueType::kVoid ? ir::kNoVar : Pop();
  Var a = Pop();
  Push(EmitBinary(instruction.opcode, a, b, instruction.offset));
}

// Immediates are constants that no operator of the module has pushed.
void FunctionBuilder::Vector(const Instruction& instruction) {
  const OpcodeFacts& facts = FactsOf(instruction.opcode);
  Var operands[3] = {ir::kNoVar, ir::kNoVar, ir::kNoVar};
  uint32_t count = facts.b == ValueType::kVoid ? 1 : facts.c == ValueType::kVoid ? 2 : 3;
  if (facts.immediate != OpcodeImmediate::kNone) {
    const ValueType type =
        facts.immediate == OpcodeImmediate::kLane ? ValueType::kI32 : ValueType::kV128;
    operands[--count] = EmitConst(type, instruction.imm, instruction.offset);
  }
  while (count-- > 0) operands[count] = Pop();
  Var dst = NewVar(facts.result);
  Inst& inst = Emit(Op::kNumeric, instruction.offset);
  inst.opcode = instruction.opcode;
  inst.dst = dst;
  inst.a = operands[0];
  inst.b = operands[1];
  inst.c = operands[2];
  Push(dst);
}

// The lane that an access to one takes, else no variable.
Var FunctionBuilder::LaneOf(const Instruction& instruction) {
  if (FactsOf(instruction.opcode).immediate != OpcodeImmediate::kLane) return ir::kNoVar;
  return EmitConst(ValueType::kI32, instruction.imm2 & 0xffu, instruction.offset);
}

uint8_t FunctionBuilder::MemoryOf(const Instruction& instruction) {
  const bool lane = FactsOf(instruction.opcode).immediate == OpcodeImmediate::kLane;
  return static_cast<uint8_t>(lane ? instruction.imm2 >> 8 : instruction.imm2);
}

void FunctionBuilder::Load(const Instruction& instruction) {
  Var lane = LaneOf(instruction);
  Var vector = lane == ir::kNoVar ? ir::kNoVar : Pop();
  Var address = Pop();
  Var dst = NewVar(FactsOf(instruction.opcode).result);
  Inst& inst = Emit(Op::kLoad, instruction.offset);
  inst.opcode = instruction.opcode;
  inst.dst = dst;
  inst.a = address;
  inst.b = vector;
  inst.c = lane;
  inst.imm = instruction.imm;
  inst.memory = MemoryOf(instruction);
  Push(dst);
}

void FunctionBuilder::Store(const Instruction& instruction) {
  Var lane = LaneOf(instruction);
  Var value = Pop();
  Var address = Pop();
  Inst& inst = Emit(Op::kStore, instruction.offset);
  inst.opcode = instruction.opcode;
  inst.a = address;
  inst.b = value;
  inst.c = lane;
  inst.imm = instruction.imm;
  inst.memory = MemoryOf(instruction);
}

void FunctionBuilder::Const(const Instruction& instruction, ValueType type) {
  Push(EmitConst(type, instruction.imm, instruction.offset));
}

void FunctionBuilder::Select(uint32_t offset) {
  Var condition = Pop();
  Var b = Pop();
  Var a = Pop();
  Push(EmitSelect(a, b, condition, offset));
}

void FunctionBuilder::LocalSet(const Instruction& instruction, bool keep) {
  Var local = static_cast<Var>(instruction.imm);
  Var value = Pop();
  if (value != local) {
    Snapshot(local);
    EmitCopy(local, value, instruction.offset);
  }
  if (keep) Push(value < function_.num_locals ? value : local);
}

void FunctionBuilder::GlobalAccess(const Instruction& instruction) {
  const uint32_t index = static_cast<uint32_t>(instruction.imm);
  if (instruction.opcode == Opcode::kGlobalSet) {
    EmitGlobalSet(index, Pop(), instruction.offset);
  } else {
    Push(EmitGlobalGet(index, module_.globals[index].type, instruction.offset));
  }
}

Var FunctionBuilder::EmitGlobalGet(uint32_t global, ValueType type, uint32_t offset) {
  Var dst = NewVar(type);
  Inst& inst = Emit(Op::kGlobalGet, offset);
  inst.dst = dst;
  inst.imm = global;
  return dst;
}

void FunctionBuilder::EmitGlobalSet(uint32_t global, Var value, uint32_t offset) {
  Inst& inst = Emit(Op::kGlobalSet, offset);
  inst.a = value;
  inst.imm = global;
}

void FunctionBuilder::MemorySize(const Instruction& instruction) {
  if (instruction.imm != 0) {
    const uint32_t global = program_.memories[instruction.imm].pages_global;
    Push(EmitGlobalGet(global, ValueType::kI32, instruction.offset));
    return;
  }
  Push(NewVar(ValueType::kI32));
  Emit(Op::kMemorySize, instruction.offset).dst = Top();
}

// One fuel more for each page granted.
void FunctionBuilder::MemoryGrow(const Instruction& instruction) {
  const uint32_t offset = instruction.offset;
  Var delta = Pop();
  Var old_pages = NewVar(ValueType::kI32);
  Inst& inst = Emit(Op::kMemoryGrow, offset);
  inst.dst = old_pages;
  inst.a = delta;
  inst.memory = static_cast<uint8_t>(instruction.imm);
  Var refused = EmitConst(ValueType::kI32, 0xffffffffu, offset);
  Var zero = EmitConst(ValueType::kI32, 0, offset);
  Var granted = EmitBinary(Opcode::kI32Ne, old_pages, refused, offset);
  Var cost = EmitSelect(delta, zero, granted, offset);
  Inst& pay = Emit(Op::kPayVar, offset);
  pay.a = cost;
  pay.imm = 65536;
  Push(old_pages);
}

}  // namespace wb
