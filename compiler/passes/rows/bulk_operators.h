#pragma once

// Bulk operators on memories and on tables: one row of a table for each. Their operands, the bounds
// check, the operation behind it, and the segments they read.

#include <cstdint>
#include <optional>

#include "compiler/passes/rows/bulk_functions.h"
#include "compiler/passes/rows/bulk_rows.h"
#include "compiler/passes/rows/control_flow.h"
#include "compiler/passes/rows/operand_stack.h"
#include "compiler/passes/rows/row_emitter.h"
#include "compiler/wasm/module.h"

namespace wb {

// `length`: n, where it is a constant.
struct PoppedBulk : BulkOperands {
  std::optional<uint32_t> length;
};

class BulkOperators {
 public:
  // `program` as PlaceState leaves it. `free`: the body is an instantiation, which pays nothing.
  BulkOperators(const ir::Program& program, bool free, BulkFunctions& functions, RowEmitter& rows,
                OperandStack& operands, const ControlFlow& control);

  // False: not a bulk operator.
  bool Append(const Instruction& instruction);

  // What other operators on tables share with them: a table's size, the check against it, and the
  // fill of what is known to be in bounds.
  ir::Var TableSize(uint32_t table);
  void CheckTable(ir::Var start, ir::Var count, uint32_t table);
  void FillTable(uint32_t table, const PoppedBulk& bulk);

 private:
  PoppedBulk Pop();
  // The operation behind its bounds check; `kind.free` is filled in here.
  void Append(BulkKind kind, const PoppedBulk& bulk);
  void Check(ir::Op chunk, ir::Var start, ir::Var count, uint32_t index);
  void Fill(ir::Op chunk, uint32_t to);
  void Copy(ir::Op chunk, uint32_t to, uint32_t from);
  void Init(ir::Op chunk, uint32_t segment, uint32_t to);
  // How much of a segment is left: its size, or 0 once it was dropped.
  ir::Var SegmentSize(const ir::Segment& segment);
  void DropSegment(const ir::Segment& segment);

  const ir::Program& program_;
  const bool free_;
  BulkFunctions& functions_;
  RowEmitter& rows_;
  OperandStack& operands_;
  const ControlFlow& control_;
};

}  // namespace wb
