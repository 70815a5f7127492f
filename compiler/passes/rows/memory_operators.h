#pragma once

// Operators on memories: loads and stores, size and growth.

#include <cstdint>

#include "compiler/ir/ir.h"
#include "compiler/passes/rows/operand_stack.h"
#include "compiler/passes/rows/row_emitter.h"
#include "compiler/wasm/module.h"

namespace wb {

class MemoryOperators {
 public:
  // `program` as PlaceState leaves it.
  MemoryOperators(const ir::Program& program, RowEmitter& rows, OperandStack& operands)
      : program_(program), rows_(rows), operands_(operands) {}

  void Load(const Instruction& instruction);
  void Store(const Instruction& instruction);
  // Size and growth. False: neither.
  bool Append(const Instruction& instruction);

 private:
  ir::Var LaneOf(const Instruction& instruction);
  void Size(uint64_t memory);
  void Grow(uint64_t memory);

  const ir::Program& program_;
  RowEmitter& rows_;
  OperandStack& operands_;
};

}  // namespace wb
