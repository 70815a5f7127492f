#pragma once

// MemoryTranslator: operators on ranges of memories and tables, and on elements of tables, to
// bytecode. Loads and stores are the FunctionTranslator's.

#include <cstdint>

#include "compiler/compiler.h"
#include "scheduler/devices/interpreter/bytecode_builder.h"

namespace wb {

class MemoryTranslator {
 public:
  // Both outlive it.
  MemoryTranslator(const LoweredModule& module, BytecodeBuilder& builder)
      : module_(module), builder_(builder) {}

  // The row at which the builder stands. False: it is of another kind, and nothing was appended.
  bool Visit(const ir::Inst& inst);

 private:
  // The row, with operand c in the immediate or in dst.
  void IntoImmediate(ByteOp op) { builder_.EmitRow(op).imm = builder_.Slot(builder_.Row().c); }
  ByteCode& IntoDst(ByteOp op);
  void CopyChunk(const ir::Inst& inst);
  void TableCopyChunk(const ir::Inst& inst);
  void TableInitChunk(const ir::Inst& inst);
  void TableLookup(const ir::Inst& inst);
  void Element(ByteOp op, uint64_t table);

  const LoweredModule& module_;
  BytecodeBuilder& builder_;
};

}  // namespace wb
