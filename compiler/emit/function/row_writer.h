#pragma once

// Rows that go straight on (arithmetic, memory, globals, tables, fuel, traps) as lines of kernel
// text. One printer serves both ways of printing the control structure around them.

#include <cstdint>
#include <string>

#include "compiler/emit/function/memory_writer.h"
#include "compiler/emit/function/row_context.h"
#include "compiler/emit/function/table_writer.h"
#include "compiler/ir/ir.h"

namespace wb {

class RowWriter {
 public:
  explicit RowWriter(const RowContext& context)
      : context_(context), memory_(context), tables_(context) {}

  // Any row but those of control structure, safepoints and calls. One that may end the function
  // marks that in the context's targets.
  void Write(uint32_t row);
  // Paths meet, or variables have other values: nothing that rows before this say counts here.
  void Join() { memory_.Join(); }
  // Another printer has printed a row that gives the variable a value.
  void Forget(ir::Var var) { memory_.Forget(var); }

  const MemoryWriter& memory() const { return memory_; }

 private:
  void Visit(const ir::Inst& inst, uint32_t row);
  void Const(const ir::Inst& inst);
  void Numeric(const ir::Inst& inst);
  bool SumWithProduct(const ir::Inst& inst);  // false: printed nothing
  void Copy(const ir::Inst& inst);
  void Select(const ir::Inst& inst);
  void Canon(const ir::Inst& inst);
  void GlobalGet(const ir::Inst& inst);
  void GlobalSet(const ir::Inst& inst);
  void Collect(const ir::Inst& inst);
  void GroupAccess(const ir::Inst& inst);
  void RangeCheck(const ir::Inst& inst);
  void StagePut(const ir::Inst& inst);
  void StageGet(const ir::Inst& inst);
  void Pay(const std::string& amount);

  std::string StageWord(const ir::Inst& inst) const;

  const RowContext context_;
  MemoryWriter memory_;
  TableWriter tables_;
};

}  // namespace wb
