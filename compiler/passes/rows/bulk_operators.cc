#include "compiler/passes/rows/bulk_operators.h"

#include <algorithm>
#include <iterator>

namespace wb {

using ir::Inst;
using ir::Op;
using ir::Var;

namespace {

enum class Shape : uint8_t { kFill, kCopy, kInit, kDrop };

struct BulkOperator {
  Opcode opcode;
  Shape shape;
  Op chunk;  // of a drop: one of its space
};

constexpr BulkOperator kBulkOperators[] = {
    {Opcode::kMemoryFill, Shape::kFill, Op::kMemoryFillChunk},
    {Opcode::kMemoryCopy, Shape::kCopy, Op::kMemoryCopyChunk},
    {Opcode::kMemoryInit, Shape::kInit, Op::kMemoryInitChunk},
    {Opcode::kDataDrop, Shape::kDrop, Op::kMemoryInitChunk},
    {Opcode::kTableFill, Shape::kFill, Op::kTableFillChunk},
    {Opcode::kTableCopy, Shape::kCopy, Op::kTableCopyChunk},
    {Opcode::kTableInit, Shape::kInit, Op::kTableInitChunk},
    {Opcode::kElemDrop, Shape::kDrop, Op::kTableInitChunk},
};

bool IsOnMemory(Op chunk) {
  return chunk == Op::kMemoryFillChunk || chunk == Op::kMemoryCopyChunk ||
         chunk == Op::kMemoryInitChunk;
}

BulkKind KindOf(Op chunk, uint32_t to, uint32_t from = 0) {
  if (!IsOnMemory(chunk)) return {.chunk = chunk, .from = from, .table = to};
  return {.chunk = chunk, .from = from, .memory = static_cast<uint8_t>(to)};
}

const ir::Segment& SegmentOf(const ir::Program& program, Op chunk, uint32_t index) {
  return IsOnMemory(chunk) ? program.data[index] : program.elements[index];
}

// A length that the code gives as a constant just before.
std::optional<uint32_t> ConstantOf(Var var, const ir::Function& function) {
  for (size_t row = function.insts.size(); row-- > 0;) {
    const Inst& inst = function.insts[row];
    if (inst.op != Op::kConst) return std::nullopt;
    if (inst.dst == var) return static_cast<uint32_t>(inst.imm);
  }
  return std::nullopt;
}

}  // namespace

BulkOperators::BulkOperators(const ir::Program& program, bool free, BulkFunctions& functions,
                             RowEmitter& rows, OperandStack& operands, const ControlFlow& control)
    : program_(program),
      free_(free),
      functions_(functions),
      rows_(rows),
      operands_(operands),
      control_(control) {}

bool BulkOperators::Append(const Instruction& instruction) {
  const auto* known = std::find_if(
      std::begin(kBulkOperators), std::end(kBulkOperators),
      [&](const BulkOperator& candidate) { return candidate.opcode == instruction.opcode; });
  if (known == std::end(kBulkOperators)) return false;
  const auto index = static_cast<uint32_t>(instruction.imm);
  switch (known->shape) {
    case Shape::kFill: Fill(known->chunk, index); break;
    case Shape::kCopy: Copy(known->chunk, index, instruction.imm2); break;
    case Shape::kInit: Init(known->chunk, index, instruction.imm2); break;
    case Shape::kDrop: DropSegment(SegmentOf(program_, known->chunk, index)); break;
  }
  return true;
}

void BulkOperators::Fill(Op chunk, uint32_t to) {
  const PoppedBulk bulk = Pop();
  Check(chunk, bulk.d, bulk.n, to);
  Append(KindOf(chunk, to), bulk);
}

// Within one memory one row checks both ranges.
void BulkOperators::Copy(Op chunk, uint32_t to, uint32_t from) {
  const PoppedBulk bulk = Pop();
  if (IsOnMemory(chunk) && to == from) {
    Inst& check = rows_.Emit(Op::kMemoryCopyCheck);
    check.a = bulk.d;
    check.b = bulk.s;
    check.c = bulk.n;
    check.memory = static_cast<uint8_t>(to);
  } else {
    Check(chunk, bulk.d, bulk.n, to);
    Check(chunk, bulk.s, bulk.n, from);
  }
  Append(KindOf(chunk, to, from), bulk);
}

void BulkOperators::Init(Op chunk, uint32_t segment, uint32_t to) {
  const PoppedBulk bulk = Pop();
  const ir::Segment& from = SegmentOf(program_, chunk, segment);
  Check(chunk, bulk.d, bulk.n, to);
  rows_.RangeCheck(bulk.s, bulk.n, SegmentSize(from),
                   IsOnMemory(chunk) ? Trap::kOutOfBoundsMemory : Trap::kOutOfBoundsTable);
  if (from.size == 0) return;  // n is 0
  Append(KindOf(chunk, to, segment), bulk);
}

void BulkOperators::Check(Op chunk, Var start, Var count, uint32_t index) {
  if (!IsOnMemory(chunk)) return CheckTable(start, count, index);
  Inst& check = rows_.Emit(Op::kMemoryFillCheck);
  check.a = start;
  check.c = count;
  check.memory = static_cast<uint8_t>(index);
}

Var BulkOperators::TableSize(uint32_t table) {
  const ir::Table& facts = program_.tables[table];
  if (facts.size_global == ir::kNoGlobal) return rows_.I32(facts.size);
  return rows_.GlobalGet(facts.size_global, ValueType::kI32);
}

void BulkOperators::CheckTable(Var start, Var count, uint32_t table) {
  rows_.RangeCheck(start, count, TableSize(table), Trap::kOutOfBoundsTable);
}

void BulkOperators::FillTable(uint32_t table, const PoppedBulk& bulk) {
  Append(KindOf(Op::kTableFillChunk, table), bulk);
}

PoppedBulk BulkOperators::Pop() {
  PoppedBulk bulk;
  bulk.length = ConstantOf(operands_.Top(), rows_.function());
  bulk.n = operands_.Pop();
  bulk.s = operands_.Pop();
  bulk.d = operands_.Pop();
  return bulk;
}

void BulkOperators::Append(BulkKind kind, const PoppedBulk& bulk) {
  kind.free = free_;
  if (bulk.length && *bulk.length <= MostOfChunk(kind)) {
    AppendBulkChunk(kind, bulk, *bulk.length, rows_);
    return;
  }
  const uint32_t callee = free_ ? ir::kNoFunction : functions_.Find(kind);
  if (callee != ir::kNoFunction) {
    rows_.Call({.callee = callee, .args = {bulk.d, bulk.s, bulk.n}, .results = {}});
    return;
  }
  const BulkOperands own = {rows_.Own(bulk.d), rows_.Own(bulk.s), rows_.Own(bulk.n)};
  AppendBulkLoop(kind, own, control_.Parent(), rows_);
}

Var BulkOperators::SegmentSize(const ir::Segment& segment) {
  const Var size = rows_.I32(segment.size);
  if (segment.dropped_global == ir::kNoGlobal) return size;
  const Var dropped = rows_.GlobalGet(segment.dropped_global, ValueType::kI32);
  return rows_.Select(rows_.I32(0), size, dropped);
}

void BulkOperators::DropSegment(const ir::Segment& segment) {
  if (segment.dropped_global == ir::kNoGlobal) return;  // instantiation has dropped it
  rows_.GlobalSet(segment.dropped_global, rows_.I32(1));
}

}  // namespace wb
