#include "compiler/passes/rows/value_operators.h"

namespace wb {

using ir::Inst;
using ir::Op;
using ir::Var;

bool ValueOperators::Append(const Instruction& instruction) {
  const uint32_t index = static_cast<uint32_t>(instruction.imm);
  switch (instruction.opcode) {
    case Opcode::kLocalGet: operands_.Push(index); return true;
    case Opcode::kLocalSet: LocalSet(index, false); return true;
    case Opcode::kLocalTee: LocalSet(index, true); return true;
    case Opcode::kGlobalGet:
      operands_.Push(rows_.GlobalGet(index, module_.globals[index].type));
      return true;
    case Opcode::kGlobalSet: rows_.GlobalSet(index, operands_.Pop()); return true;
    case Opcode::kDrop: operands_.Pop(); return true;
    case Opcode::kSelect:
    case Opcode::kSelectT: Select(); return true;
    default: return Constant(instruction) || Reference(instruction);
  }
}

bool ValueOperators::Constant(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kI32Const: PushConst(ValueType::kI32, instruction.imm); return true;
    case Opcode::kI64Const: PushConst(ValueType::kI64, instruction.imm); return true;
    case Opcode::kF32Const: PushConst(ValueType::kF32, instruction.imm); return true;
    case Opcode::kF64Const: PushConst(ValueType::kF64, instruction.imm); return true;
    case Opcode::kV128Const: PushConst(ValueType::kV128, instruction.imm); return true;
    default: return false;
  }
}

bool ValueOperators::Reference(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kRefNull:
      PushConst(static_cast<ValueType>(instruction.imm), ir::kNullReference);
      return true;
    case Opcode::kRefFunc: PushConst(ValueType::kFuncRef, instruction.imm + 1); return true;
    case Opcode::kRefIsNull:
      operands_.Push(rows_.Binary(Opcode::kI32Eqz, operands_.Pop(), ir::kNoVar));
      return true;
    default: return false;
  }
}

void ValueOperators::Numeric(const Instruction& instruction) {
  const bool unary = FactsOf(instruction.opcode).b == ValueType::kVoid;
  const Var b = unary ? ir::kNoVar : operands_.Pop();
  const Var a = operands_.Pop();
  operands_.Push(rows_.Binary(instruction.opcode, a, b));
}

// Immediates are constants that no operator of the module has pushed.
void ValueOperators::Vector(const Instruction& instruction) {
  const OpcodeFacts& facts = FactsOf(instruction.opcode);
  Var vars[3] = {ir::kNoVar, ir::kNoVar, ir::kNoVar};
  uint32_t count = facts.b == ValueType::kVoid ? 1 : facts.c == ValueType::kVoid ? 2 : 3;
  if (facts.immediate != OpcodeImmediate::kNone) {
    const ValueType type =
        facts.immediate == OpcodeImmediate::kLane ? ValueType::kI32 : ValueType::kV128;
    vars[--count] = rows_.Const(type, instruction.imm);
  }
  while (count-- > 0) vars[count] = operands_.Pop();
  Inst& inst = rows_.Define(Op::kNumeric, facts.result);
  inst.opcode = instruction.opcode;
  inst.a = vars[0];
  inst.b = vars[1];
  inst.c = vars[2];
  operands_.Push(inst.dst);
}

void ValueOperators::Select() {
  const Var condition = operands_.Pop();
  const Var b = operands_.Pop();
  const Var a = operands_.Pop();
  operands_.Push(rows_.Select(a, b, condition));
}

// `keep`: local.tee.
void ValueOperators::LocalSet(Var local, bool keep) {
  const Var value = operands_.Pop();
  if (value != local) {
    operands_.Snapshot(local);
    rows_.Copy(local, value);
  }
  if (keep) operands_.Push(rows_.IsLocal(value) ? value : local);
}

}  // namespace wb
