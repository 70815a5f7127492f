#pragma once

// What bulk operators on memories and on tables share: their operands, the operation behind the
// bounds check, and the segments they read.

#include <cstdint>
#include <optional>

#include "compiler/passes/rows/bulk_functions.h"
#include "compiler/passes/rows/bulk_rows.h"
#include "compiler/passes/rows/control_flow.h"
#include "compiler/passes/rows/operand_stack.h"
#include "compiler/passes/rows/row_emitter.h"

namespace wb {

// `length`: n, where it is a constant.
struct PoppedBulk : BulkOperands {
  std::optional<uint32_t> length;
};

class BulkOperators {
 public:
  // `free`: the body is an instantiation, which pays nothing.
  BulkOperators(bool free, BulkFunctions& functions, RowEmitter& rows, OperandStack& operands,
                const ControlFlow& control);

  PoppedBulk Pop();
  // The operation behind its bounds check; `kind.free` is filled in here.
  void Append(BulkKind kind, const PoppedBulk& bulk);

  // How much of a segment is left: its size, or 0 once it was dropped.
  ir::Var SegmentSize(const ir::Segment& segment);
  void DropSegment(const ir::Segment& segment);

 private:
  const bool free_;
  BulkFunctions& functions_;
  RowEmitter& rows_;
  OperandStack& operands_;
  const ControlFlow& control_;
};

}  // namespace wb
