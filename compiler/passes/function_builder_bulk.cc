// FunctionBuilder: bulk memory, and the loop of chunks that bulk operations are.

#include "compiler/passes/function_builder.h"

namespace wb {

using ir::ConstructKind;
using ir::Inst;
using ir::Op;
using ir::Var;

void FunctionBuilder::EmitPay(const Chunk& chunk, Var size, uint32_t offset) {
  Emit(chunk.per_fuel == 1 ? Op::kPayVar : Op::kPayPer16, offset).a = size;
}

// A short constant length is one chunk and no loop; else a chunk at a time, each paid before the
// safepoint that precedes it.
void FunctionBuilder::EmitChunks(const Chunk& chunk, const Bulk& bulk, uint32_t offset,
                                 const EmitChunk& emit_chunk) {
  const Var n = bulk.n;
  if (bulk.constant) {
    Emit(Op::kPay, offset).imm = (*bulk.constant + chunk.per_fuel - 1) / chunk.per_fuel;
    emit_chunk(n, false);
    return;
  }
  const uint32_t block = static_cast<uint32_t>(function_.constructs.size());
  function_.constructs.push_back(
      {.kind = ConstructKind::kBlock, .targeted = true, .parent = labels_.back().construct});
  function_.constructs.push_back({.kind = ConstructKind::kLoop, .targeted = true, .parent = block});
  auto chunk_size = [&] {
    Var most = EmitConst(ValueType::kI32, chunk.most, offset);
    Var less = EmitBinary(Opcode::kI32LtU, n, most, offset);
    return EmitSelect(n, most, less, offset);
  };
  EmitPay(chunk, chunk_size(), offset);
  Emit(Op::kBlock, offset).imm = block;
  Emit(Op::kLoop, offset).imm = block + 1;
  emit_chunk(chunk_size(), true);
  Var zero = EmitConst(ValueType::kI32, 0, offset);
  Var done = EmitBinary(Opcode::kI32Eq, n, zero, offset);
  Inst& out = Emit(Op::kBrIf, offset);
  out.a = done;
  out.imm = block;
  EmitPay(chunk, chunk_size(), offset);
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

FunctionBuilder::Bulk FunctionBuilder::PopBulk(const Chunk& chunk, uint32_t offset) {
  Bulk bulk;
  bulk.constant = ConstantOf(Top());
  if (bulk.constant && *bulk.constant > chunk.most) bulk.constant = std::nullopt;
  bulk.n = Pop();
  bulk.s = Pop();
  bulk.d = Pop();
  if (bulk.constant) return bulk;
  bulk.n = EmitOwn(bulk.n, offset);
  bulk.s = EmitOwn(bulk.s, offset);
  bulk.d = EmitOwn(bulk.d, offset);
  return bulk;
}

void FunctionBuilder::Advance(const Bulk& bulk, Var size, uint32_t offset) {
  EmitCopy(bulk.d, EmitBinary(Opcode::kI32Add, bulk.d, size, offset), offset);
  EmitCopy(bulk.s, EmitBinary(Opcode::kI32Add, bulk.s, size, offset), offset);
  EmitCopy(bulk.n, EmitBinary(Opcode::kI32Sub, bulk.n, size, offset), offset);
}

void FunctionBuilder::AdvanceMove(const Bulk& bulk, Var size, uint32_t offset) {
  Var zero = EmitConst(ValueType::kI32, 0, offset);
  Var forward = EmitBinary(Opcode::kI32LeU, bulk.d, bulk.s, offset);
  Var advance = EmitSelect(size, zero, forward, offset);
  EmitCopy(bulk.d, EmitBinary(Opcode::kI32Add, bulk.d, advance, offset), offset);
  EmitCopy(bulk.s, EmitBinary(Opcode::kI32Add, bulk.s, advance, offset), offset);
  EmitCopy(bulk.n, EmitBinary(Opcode::kI32Sub, bulk.n, size, offset), offset);
}

Inst& FunctionBuilder::EmitBulk(Op op, const Bulk& bulk, Var size, uint32_t offset) {
  Inst& inst = Emit(op, offset);
  inst.a = bulk.d;
  inst.b = bulk.s;
  inst.c = size;
  return inst;
}

void FunctionBuilder::MemoryCopy(uint32_t offset) {
  const Bulk bulk = PopBulk(kMemoryChunk, offset);
  EmitBulk(Op::kMemoryCopyCheck, bulk, bulk.n, offset);
  EmitChunks(kMemoryChunk, bulk, offset, [&](Var size, bool more) {
    EmitBulk(Op::kMemoryCopyChunk, bulk, bulk.n, offset);
    if (more) AdvanceMove(bulk, size, offset);
  });
}

void FunctionBuilder::MemoryFill(uint32_t offset) {
  const Bulk bulk = PopBulk(kMemoryChunk, offset);
  EmitBulk(Op::kMemoryFillCheck, bulk, bulk.n, offset).b = ir::kNoVar;
  EmitChunks(kMemoryChunk, bulk, offset, [&](Var size, bool more) {
    EmitBulk(Op::kMemoryFillChunk, bulk, size, offset);
    if (more) AdvanceFill(bulk, size, offset);
  });
}

void FunctionBuilder::AdvanceFill(const Bulk& bulk, Var size, uint32_t offset) {
  EmitCopy(bulk.d, EmitBinary(Opcode::kI32Add, bulk.d, size, offset), offset);
  EmitCopy(bulk.n, EmitBinary(Opcode::kI32Sub, bulk.n, size, offset), offset);
}

void FunctionBuilder::MemoryInit(const Instruction& instruction) {
  const uint32_t offset = instruction.offset;
  const Bulk bulk = PopBulk(kMemoryChunk, offset);
  EmitBulk(Op::kMemoryFillCheck, bulk, bulk.n, offset).b = ir::kNoVar;
  const ir::Segment& segment = program_.data[instruction.imm];
  EmitRangeCheck(bulk.s, bulk.n, EmitSegmentSize(segment, offset), wb::Trap::kOutOfBoundsMemory,
                 offset);
  if (segment.size == 0) return;  // n is 0
  EmitChunks(kMemoryChunk, bulk, offset, [&](Var size, bool more) {
    EmitBulk(Op::kMemoryInitChunk, bulk, size, offset).imm = instruction.imm;
    if (more) Advance(bulk, size, offset);
  });
}

// ---- what is left of segments, ranges

void FunctionBuilder::DropSegment(const ir::Segment& segment, uint32_t offset) {
  if (segment.dropped_global == ir::kNoGlobal) return;  // instantiation has dropped it
  EmitGlobalSet(segment.dropped_global, EmitConst(ValueType::kI32, 1, offset), offset);
}

Var FunctionBuilder::EmitSegmentSize(const ir::Segment& segment, uint32_t offset) {
  Var size = EmitConst(ValueType::kI32, segment.size, offset);
  if (segment.dropped_global == ir::kNoGlobal) return size;
  Var dropped = EmitGlobalGet(segment.dropped_global, ValueType::kI32, offset);
  return EmitSelect(EmitConst(ValueType::kI32, 0, offset), size, dropped, offset);
}

void FunctionBuilder::EmitRangeCheck(Var start, Var count, Var size, wb::Trap trap,
                                     uint32_t offset) {
  Inst& inst = Emit(Op::kRangeCheck, offset);
  inst.a = start;
  inst.b = size;
  inst.c = count;
  inst.imm = static_cast<uint64_t>(trap);
}

// A variable of the operation's own, which it may change.
Var FunctionBuilder::EmitOwn(Var value, uint32_t offset) {
  Var own = NewVar(function_.vars[value]);
  EmitCopy(own, value, offset);
  return own;
}

}  // namespace wb
