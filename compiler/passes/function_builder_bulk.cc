// FunctionBuilder: bulk memory, and what bulk operators on memory and tables share.

#include <string>

#include "compiler/passes/function_builder.h"

namespace wb {

using ir::Inst;
using ir::Op;
using ir::Var;

// A length that the code gives as a constant just before.
std::optional<uint32_t> FunctionBuilder::ConstantOf(Var var) const {
  for (size_t row = function_.insts.size(); row-- > 0;) {
    const Inst& inst = function_.insts[row];
    if (inst.op != Op::kConst) return std::nullopt;
    if (inst.dst == var) return static_cast<uint32_t>(inst.imm);
  }
  return std::nullopt;
}

FunctionBuilder::PoppedBulk FunctionBuilder::PopBulk() {
  PoppedBulk bulk;
  bulk.length = ConstantOf(Top());
  bulk.n = Pop();
  bulk.s = Pop();
  bulk.d = Pop();
  return bulk;
}

void FunctionBuilder::Bulk(const BulkKind& kind, const PoppedBulk& bulk, uint32_t offset) {
  if (bulk.length && *bulk.length <= MostOfChunk(kind)) {
    AppendBulkChunk(kind, bulk, *bulk.length, offset, function_);
    return;
  }
  const uint32_t callee = kind.free ? ir::kNoFunction : bulk_functions_.Find(kind);
  if (callee != ir::kNoFunction) {
    EmitCall(callee, {bulk.d, bulk.s, bulk.n}, {}, offset);
    return;
  }
  const BulkOperands own = {EmitOwn(bulk.d, offset), EmitOwn(bulk.s, offset),
                            EmitOwn(bulk.n, offset)};
  AppendBulkLoop(kind, own, Parent(), offset, function_);
}

BulkKind FunctionBuilder::MemoryKind(Op chunk, uint64_t memory, uint64_t from) const {
  return {.chunk = chunk,
          .from = static_cast<uint32_t>(from),
          .memory = static_cast<uint8_t>(memory),
          .free = body_.instantiation};
}

BulkKind FunctionBuilder::TableKind(Op chunk, uint32_t table, uint32_t from) const {
  return {.chunk = chunk, .from = from, .table = table, .free = body_.instantiation};
}

void FunctionBuilder::MemoryCopy(const Instruction& instruction) {
  const uint32_t offset = instruction.offset;
  const uint64_t to = instruction.imm;
  const uint64_t from = instruction.imm2;
  const PoppedBulk bulk = PopBulk();
  if (to == from) {
    Inst& check = Emit(Op::kMemoryCopyCheck, offset);
    check.a = bulk.d;
    check.b = bulk.s;
    check.c = bulk.n;
    check.memory = static_cast<uint8_t>(to);
  } else {
    MemoryRangeCheck(bulk.d, bulk.n, to, offset);
    MemoryRangeCheck(bulk.s, bulk.n, from, offset);
  }
  Bulk(MemoryKind(Op::kMemoryCopyChunk, to, from), bulk, offset);
}

void FunctionBuilder::MemoryFill(const Instruction& instruction) {
  const PoppedBulk bulk = PopBulk();
  MemoryRangeCheck(bulk.d, bulk.n, instruction.imm, instruction.offset);
  Bulk(MemoryKind(Op::kMemoryFillChunk, instruction.imm), bulk, instruction.offset);
}

void FunctionBuilder::MemoryInit(const Instruction& instruction) {
  const uint32_t offset = instruction.offset;
  const PoppedBulk bulk = PopBulk();
  MemoryRangeCheck(bulk.d, bulk.n, instruction.imm2, offset);
  const ir::Segment& segment = program_.data[instruction.imm];
  EmitRangeCheck(bulk.s, bulk.n, EmitSegmentSize(segment, offset), wb::Trap::kOutOfBoundsMemory,
                 offset);
  if (segment.size == 0) return;  // n is 0
  Bulk(MemoryKind(Op::kMemoryInitChunk, instruction.imm2, instruction.imm), bulk, offset);
}

void FunctionBuilder::MemoryRangeCheck(Var start, Var count, uint64_t memory, uint32_t offset) {
  Inst& check = Emit(Op::kMemoryFillCheck, offset);
  check.a = start;
  check.c = count;
  check.memory = static_cast<uint8_t>(memory);
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
