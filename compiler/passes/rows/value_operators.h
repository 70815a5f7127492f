#pragma once

// Operators on values alone: numbers, vectors, references, constants, locals and globals. A part of
// BuildIr.

#include "compiler/passes/rows/operand_stack.h"
#include "compiler/passes/rows/row_emitter.h"
#include "compiler/wasm/module.h"

namespace wb {

class ValueOperators {
 public:
  ValueOperators(const Module& module, RowEmitter& rows, OperandStack& operands)
      : module_(module), rows_(rows), operands_(operands) {}

  // OpcodeClass::kNumeric and kVector.
  void Numeric(const Instruction& instruction);
  void Vector(const Instruction& instruction);
  // The others. False: not an operator of this kind.
  bool Append(const Instruction& instruction);

 private:
  bool Constant(const Instruction& instruction);
  bool Reference(const Instruction& instruction);
  void PushConst(ValueType type, uint64_t bits) { operands_.Push(rows_.Const(type, bits)); }
  void Select();
  void LocalSet(ir::Var local, bool keep);

  const Module& module_;
  RowEmitter& rows_;
  OperandStack& operands_;
};

}  // namespace wb
