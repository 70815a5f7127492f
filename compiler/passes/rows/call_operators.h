#pragma once

// Calls, directly and through tables, and tail calls.

#include <cstdint>
#include <vector>

#include "compiler/passes/rows/control_flow.h"
#include "compiler/passes/rows/operand_stack.h"
#include "compiler/passes/rows/row_emitter.h"
#include "compiler/passes/rows/table_lookups.h"
#include "compiler/wasm/module.h"

namespace wb {

class CallOperators {
 public:
  // `program` as PlaceState leaves it.
  CallOperators(const ir::Program& program, TableLookups& lookups, RowEmitter& rows,
                OperandStack& operands, ControlFlow& control);

  // False: not an operator of this kind.
  bool Append(const Instruction& instruction);

 private:
  // A call through a table whose lookup gave the callee's number.
  struct Indirect {
    uint32_t lookup = 0;
    ir::Var number = ir::kNoVar;
    bool tail = false;
    std::vector<ir::Var> args;
    std::vector<ir::Var> results;
  };

  void Direct(uint32_t callee, bool tail);
  void ThroughTable(uint32_t type, uint32_t table, bool tail);
  ir::Var Lookup(uint32_t lookup, uint32_t table, ir::Var index);
  void CallOneOf(const std::vector<uint32_t>& callees, const Indirect& call);
  void CallTrampoline(const Indirect& call);
  void TakeResults(const std::vector<ir::Var>& results, bool tail);

  const ir::Program& program_;
  const Module& module_;
  TableLookups& lookups_;
  RowEmitter& rows_;
  OperandStack& operands_;
  ControlFlow& control_;
};

}  // namespace wb
