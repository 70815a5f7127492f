#include "scheduler/devices/interpreter/bytecode_builder.h"

namespace wb {

void BytecodeBuilder::EmitHalves(ByteOp op, ir::Var value) {
  for (uint32_t half = 0; half < SlotsOf(function_.vars[value]); ++half) {
    ByteCode& code = EmitRow(op);
    code.dst += half;
    code.a += half;
    code.b += half;
    code.imm = Slot(Row().c);
  }
}

void BytecodeBuilder::EmitConst(ir::Var dst, uint64_t imm) {
  for (uint32_t half = 0; half < SlotsOf(function_.vars[dst]); ++half) {
    ByteCode& code = Emit(ByteOp::kConst);
    code.dst = Slot(dst) + half;
    code.imm = HalfBits(function_, dst, imm, half);
  }
}

}  // namespace wb
