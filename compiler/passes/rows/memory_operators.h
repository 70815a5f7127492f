#pragma once

// Operators on memories: loads and stores, size and growth, and the bulk ones.

#include <cstdint>

#include "compiler/passes/rows/bulk_operators.h"
#include "compiler/passes/rows/operand_stack.h"
#include "compiler/passes/rows/row_emitter.h"
#include "compiler/wasm/module.h"

namespace wb {

class MemoryOperators {
 public:
  // `program` as PlaceState leaves it.
  MemoryOperators(const ir::Program& program, RowEmitter& rows, OperandStack& operands,
                  BulkOperators& bulk)
      : program_(program), rows_(rows), operands_(operands), bulk_(bulk) {}

  void Load(const Instruction& instruction);
  void Store(const Instruction& instruction);
  // The other operators on memories and data segments. False: not one of them.
  bool Append(const Instruction& instruction);

 private:
  ir::Var LaneOf(const Instruction& instruction);
  void Size(uint64_t memory);
  void Grow(uint64_t memory);
  void Copy(uint64_t to, uint64_t from);
  void Fill(uint64_t memory);
  void Init(uint64_t segment, uint64_t memory);
  void RangeCheck(ir::Var start, ir::Var count, uint64_t memory);

  const ir::Program& program_;
  RowEmitter& rows_;
  OperandStack& operands_;
  BulkOperators& bulk_;
};

}  // namespace wb
