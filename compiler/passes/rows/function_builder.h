#pragma once

// Turns one validated body into IR rows. The operand stack becomes variables, blocks get result
// variables, basic blocks get their kPay, loops and bulk operations their safepoints. It is one
// linear walk, which skips unreachable code. Source: core specification 2.0, 3.3 and 4.4; fuel and
// safepoints by the execution semantics.

#include <cstdint>

#include "compiler/base/status.h"
#include "compiler/ir/ir.h"
#include "compiler/passes/rows/bulk_functions.h"
#include "compiler/passes/rows/bulk_operators.h"
#include "compiler/passes/rows/call_operators.h"
#include "compiler/passes/rows/control_flow.h"
#include "compiler/passes/rows/memory_operators.h"
#include "compiler/passes/rows/operand_stack.h"
#include "compiler/passes/rows/row_emitter.h"
#include "compiler/passes/rows/table_lookups.h"
#include "compiler/passes/rows/table_operators.h"
#include "compiler/passes/rows/value_operators.h"

namespace wb {

class FunctionBuilder {
 public:
  // `program` as PlaceState leaves it.
  FunctionBuilder(const ir::Program& program, TableLookups& lookups, BulkFunctions& bulk_functions,
                  uint32_t function_index);

  // Called once. The function, but without boundedness, safepoint numbers, construct rows and
  // frames. Row 0 is the entry's kPay and row 1 its kSafepoint (a later pass removes it when
  // bounded). A function that tail-calls itself is a loop of them: kLoop, kPay, kSafepoint.
  // Errors: WASM_UNSUPPORTED_FEATURE with the operator's name and offset.
  Result<ir::Function> Build();

 private:
  void Begin();
  bool CallsItself() const;
  void ClearLocals();
  uint32_t StackSlotsOfActivation() const;

  Status Step(const Instruction& instruction);
  bool Control(const Instruction& instruction);
  void SkipUnreachable(const Instruction& instruction);
  Status Unsupported(const Instruction& instruction) const;

  const Module& module_;
  const Body& body_;
  RowEmitter rows_;
  OperandStack operands_;
  ControlFlow control_;
  ValueOperators values_;
  CallOperators calls_;
  BulkOperators bulk_;
  MemoryOperators memories_;
  TableOperators tables_;
  uint32_t dead_depth_ = 0;  // open constructs inside unreachable code
};

}  // namespace wb
