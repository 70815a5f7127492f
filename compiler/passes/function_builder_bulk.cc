// FunctionBuilder: bulk memory, and the loop of chunks that bulk operations are.

#include "compiler/passes/function_builder.h"

namespace wb {

using ir::ConstructKind;
using ir::Inst;
using ir::Op;
using ir::Var;

// A short constant length is one chunk and no loop; else a chunk at a time, each paid before the
// safepoint that precedes it.
void FunctionBuilder::EmitChunks(Var n, std::optional<uint32_t> constant, uint32_t offset,
                                 const EmitChunk& emit_chunk) {
  if (constant && *constant <= abi::BULK_CHUNK_BYTES) {
    Emit(Op::kPay, offset).imm = (*constant + 15) / 16;
    emit_chunk(n, false);
    return;
  }
  const uint32_t block = static_cast<uint32_t>(function_.constructs.size());
  function_.constructs.push_back(
      {.kind = ConstructKind::kBlock, .targeted = true, .parent = labels_.back().construct});
  function_.constructs.push_back({.kind = ConstructKind::kLoop, .targeted = true, .parent = block});
  auto chunk_size = [&] {
    Var most = EmitConst(ValueType::kI32, abi::BULK_CHUNK_BYTES, offset);
    Var less = EmitBinary(Opcode::kI32LtU, n, most, offset);
    return EmitSelect(n, most, less, offset);
  };
  Emit(Op::kPayPer16, offset).a = chunk_size();
  Emit(Op::kBlock, offset).imm = block;
  Emit(Op::kLoop, offset).imm = block + 1;
  emit_chunk(chunk_size(), true);
  Var zero = EmitConst(ValueType::kI32, 0, offset);
  Var done = EmitBinary(Opcode::kI32Eq, n, zero, offset);
  Inst& out = Emit(Op::kBrIf, offset);
  out.a = done;
  out.imm = block;
  Emit(Op::kPayPer16, offset).a = chunk_size();
  Emit(Op::kSafepoint, offset);
  Emit(Op::kBr, offset).imm = block + 1;
  Emit(Op::kEnd, offset).imm = block + 1;
  Emit(Op::kEnd, offset).imm = block;
}

// A length that the code gives as a constant just before.
std::optional<uint32_t> FunctionBuilder::ConstantOf(Var var) const {
  for (size_t row = function_.insts.size(); row-- > 0;) {
    const Inst& inst = function_.insts[row];
    if (inst.op != Op::kConst) return std::nullopt;
    if (inst.dst == var) return static_cast<uint32_t>(inst.imm);
  }
  return std::nullopt;
}

void FunctionBuilder::MemoryCopy(uint32_t offset) {
  const std::optional<uint32_t> constant = ConstantOf(Top());
  Var n = Pop(), s = Pop(), d = Pop();
  if (!constant || *constant > abi::BULK_CHUNK_BYTES) {
    n = EmitOwn(n, offset);
    s = EmitOwn(s, offset);
    d = EmitOwn(d, offset);
  }
  auto emit = [&](Op op) {
    Inst& inst = Emit(op, offset);
    inst.a = d;
    inst.b = s;
    inst.c = n;
  };
  emit(Op::kMemoryCopyCheck);
  EmitChunks(n, constant, offset, [&](Var size, bool more) {
    emit(Op::kMemoryCopyChunk);
    if (!more) return;
    // From the front both pointers advance; from the back only the rest shrinks.
    Var zero = EmitConst(ValueType::kI32, 0, offset);
    Var forward = EmitBinary(Opcode::kI32LeU, d, s, offset);
    Var advance = EmitSelect(size, zero, forward, offset);
    EmitCopy(d, EmitBinary(Opcode::kI32Add, d, advance, offset), offset);
    EmitCopy(s, EmitBinary(Opcode::kI32Add, s, advance, offset), offset);
    EmitCopy(n, EmitBinary(Opcode::kI32Sub, n, size, offset), offset);
  });
}

void FunctionBuilder::MemoryFill(uint32_t offset) {
  const std::optional<uint32_t> constant = ConstantOf(Top());
  Var n = Pop(), value = Pop(), d = Pop();
  if (!constant || *constant > abi::BULK_CHUNK_BYTES) {
    n = EmitOwn(n, offset);
    value = EmitOwn(value, offset);
    d = EmitOwn(d, offset);
  }
  Inst& check = Emit(Op::kMemoryFillCheck, offset);
  check.a = d;
  check.c = n;
  EmitChunks(n, constant, offset, [&](Var size, bool more) {
    Inst& inst = Emit(Op::kMemoryFillChunk, offset);
    inst.a = d;
    inst.b = value;
    inst.c = size;
    if (!more) return;
    EmitCopy(d, EmitBinary(Opcode::kI32Add, d, size, offset), offset);
    EmitCopy(n, EmitBinary(Opcode::kI32Sub, n, size, offset), offset);
  });
}

// A variable of the operation's own, which it may change.
Var FunctionBuilder::EmitOwn(Var value, uint32_t offset) {
  Var own = NewVar(function_.vars[value]);
  EmitCopy(own, value, offset);
  return own;
}

}  // namespace wb
