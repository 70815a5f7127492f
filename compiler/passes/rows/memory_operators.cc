#include "compiler/passes/rows/memory_operators.h"

namespace wb {

using ir::Inst;
using ir::Op;
using ir::Var;

namespace {

// Of a load or store.
uint8_t MemoryOf(const Instruction& instruction) {
  const bool lane = FactsOf(instruction.opcode).immediate == OpcodeImmediate::kLane;
  return static_cast<uint8_t>(lane ? instruction.imm2 >> 8 : instruction.imm2);
}

}  // namespace

bool MemoryOperators::Append(const Instruction& instruction) {
  const uint64_t index = instruction.imm;
  switch (instruction.opcode) {
    case Opcode::kMemorySize: Size(index); return true;
    case Opcode::kMemoryGrow: Grow(index); return true;
    default: return false;
  }
}

// ---- loads and stores

// The lane that an access to one takes, else no variable.
Var MemoryOperators::LaneOf(const Instruction& instruction) {
  if (FactsOf(instruction.opcode).immediate != OpcodeImmediate::kLane) return ir::kNoVar;
  return rows_.I32(instruction.imm2 & 0xffu);
}

void MemoryOperators::Load(const Instruction& instruction) {
  const Var lane = LaneOf(instruction);
  const Var vector = lane == ir::kNoVar ? ir::kNoVar : operands_.Pop();
  const Var address = operands_.Pop();
  Inst& inst = rows_.Define(Op::kLoad, FactsOf(instruction.opcode).result);
  inst.opcode = instruction.opcode;
  inst.a = address;
  inst.b = vector;
  inst.c = lane;
  inst.imm = instruction.imm;
  inst.memory = MemoryOf(instruction);
  operands_.Push(inst.dst);
}

void MemoryOperators::Store(const Instruction& instruction) {
  const Var lane = LaneOf(instruction);
  const Var value = operands_.Pop();
  const Var address = operands_.Pop();
  Inst& inst = rows_.Emit(Op::kStore);
  inst.opcode = instruction.opcode;
  inst.a = address;
  inst.b = value;
  inst.c = lane;
  inst.imm = instruction.imm;
  inst.memory = MemoryOf(instruction);
}

// ---- size and growth

void MemoryOperators::Size(uint64_t memory) {
  if (memory == 0) {
    operands_.Push(rows_.Define(Op::kMemorySize, ValueType::kI32).dst);
  } else {
    operands_.Push(rows_.GlobalGet(program_.memories[memory].pages_global, ValueType::kI32));
  }
}

// One fuel more for each page granted.
void MemoryOperators::Grow(uint64_t memory) {
  const Var delta = operands_.Pop();
  Inst& inst = rows_.Define(Op::kMemoryGrow, ValueType::kI32);
  inst.a = delta;
  inst.memory = static_cast<uint8_t>(memory);
  const Var old_pages = inst.dst;
  const Var refused = rows_.I32(0xffffffffu);
  const Var zero = rows_.I32(0);
  const Var granted = rows_.Binary(Opcode::kI32Ne, old_pages, refused);
  const Var cost = rows_.Select(delta, zero, granted);
  Inst& pay = rows_.Emit(Op::kPayVar);
  pay.a = cost;
  pay.imm = 65536;
  operands_.Push(old_pages);
}

}  // namespace wb
