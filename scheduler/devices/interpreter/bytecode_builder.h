#pragma once

// BytecodeBuilder: appends a function's instructions, each with the offset in the module of the IR
// row from which it comes. It stands at a row, whose operands it puts into slots.

#include <cstddef>
#include <cstdint>

#include "compiler/ir/ir.h"
#include "scheduler/devices/interpreter/bytecode.h"
#include "scheduler/devices/interpreter/slots.h"

namespace wb {

class BytecodeBuilder {
 public:
  // All three outlive it. It stands at the first row.
  BytecodeBuilder(const ir::Function& function, const Slots& slots, ByteFunction& out)
      : function_(function), slots_(slots), out_(out) {}

  const ir::Function& function() const { return function_; }
  const Slots& slots() const { return slots_; }
  ByteFunction& out() { return out_; }

  bool AtEnd() const { return row_ >= function_.insts.size(); }  // behind the last row
  const ir::Inst& Row() const { return function_.insts[row_]; }
  uint32_t RowNumber() const { return static_cast<uint32_t>(row_); }
  const ir::Inst* Next() const {  // the row behind it; null: there is none
    return row_ + 1 < function_.insts.size() ? &function_.insts[row_ + 1] : nullptr;
  }
  void Advance() { ++row_; }

  // The number of the next instruction.
  uint32_t Here() const { return static_cast<uint32_t>(out_.code.size()); }
  // 0: there is no variable.
  uint32_t Slot(ir::Var var) const { return var == ir::kNoVar ? 0 : slots_.of(var); }

  // An instruction is valid until the next one is appended.
  ByteCode& Emit(ByteOp op) {
    out_.offsets.push_back(AtEnd() ? 0 : Row().offset);
    ByteCode& code = out_.code.emplace_back();
    code.op = op;
    return code;
  }
  // With the operands of the row as they stand.
  ByteCode& EmitRow(ByteOp op) {
    const ir::Inst& inst = Row();
    ByteCode& code = Emit(op);
    code.dst = Slot(inst.dst);
    code.a = Slot(inst.a);
    code.b = Slot(inst.b);
    code.imm = inst.imm;
    return code;
  }
  // Of a row that moves `value`: one for each of its slots. A select's condition goes along.
  void EmitHalves(ByteOp op, ir::Var value);
  // The constant to each slot of `dst`. `imm`: as a kConst row has it.
  void EmitConst(ir::Var dst, uint64_t imm);

 private:
  const ir::Function& function_;
  const Slots& slots_;
  ByteFunction& out_;
  size_t row_ = 0;
};

}  // namespace wb
