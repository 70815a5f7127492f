#pragma once

// Operators on the tables in the lane, other than calls and bulk operators.

#include <cstdint>

#include "compiler/passes/rows/bulk_operators.h"
#include "compiler/passes/rows/operand_stack.h"
#include "compiler/passes/rows/row_emitter.h"
#include "compiler/wasm/module.h"

namespace wb {

class TableOperators {
 public:
  // `program` as PlaceState leaves it.
  TableOperators(const ir::Program& program, RowEmitter& rows, OperandStack& operands,
                 BulkOperators& bulk)
      : program_(program), rows_(rows), operands_(operands), bulk_(bulk) {}

  // False: not one of these.
  bool Append(const Instruction& instruction);

 private:
  void Get(uint32_t table);
  void Set(uint32_t table);
  void Grow(uint32_t table);

  const ir::Program& program_;
  RowEmitter& rows_;
  OperandStack& operands_;
  BulkOperators& bulk_;
};

}  // namespace wb
