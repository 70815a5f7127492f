#include "compiler/passes/rows/table_operators.h"

namespace wb {

using ir::Inst;
using ir::Op;
using ir::Var;

namespace {

BulkKind KindOf(Op chunk, uint32_t table, uint32_t from = 0) {
  return {.chunk = chunk, .from = from, .table = table};
}

}  // namespace

bool TableOperators::Append(const Instruction& instruction) {
  const uint32_t index = static_cast<uint32_t>(instruction.imm);
  switch (instruction.opcode) {
    case Opcode::kTableGet: Get(index); return true;
    case Opcode::kTableSet: Set(index); return true;
    case Opcode::kTableSize: operands_.Push(Size(index)); return true;
    case Opcode::kTableGrow: Grow(index); return true;
    case Opcode::kTableFill: Fill(index); return true;
    case Opcode::kTableCopy: Copy(index, instruction.imm2); return true;
    case Opcode::kTableInit: Init(index, instruction.imm2); return true;
    case Opcode::kElemDrop: bulk_.DropSegment(program_.elements[index]); return true;
    default: return false;
  }
}

Var TableOperators::Size(uint32_t table) {
  const ir::Table& facts = program_.tables[table];
  if (facts.size_global == ir::kNoGlobal) return rows_.I32(facts.size);
  return rows_.GlobalGet(facts.size_global, ValueType::kI32);
}

void TableOperators::RangeCheck(Var start, Var count, uint32_t table) {
  rows_.RangeCheck(start, count, Size(table), Trap::kOutOfBoundsTable);
}

void TableOperators::Get(uint32_t table) {
  const Var index = operands_.Pop();
  RangeCheck(index, rows_.I32(1), table);
  Inst& inst = rows_.Define(Op::kTableGet, program_.module->tables[table].type);
  inst.a = index;
  inst.imm = table;
  operands_.Push(inst.dst);
}

void TableOperators::Set(uint32_t table) {
  const Var element = operands_.Pop();
  const Var index = operands_.Pop();
  RangeCheck(index, rows_.I32(1), table);
  Inst& inst = rows_.Emit(Op::kTableSet);
  inst.a = index;
  inst.b = element;
  inst.imm = table;
}

// If growth is refused, the table grows by nothing and the result is -1. The new elements are
// filled in and paid for as by table.fill.
void TableOperators::Grow(uint32_t table) {
  const ir::Table& facts = program_.tables[table];
  const Var delta = operands_.Pop();
  PoppedBulk bulk;
  bulk.s = operands_.Pop();
  const Var old_size = Size(table);
  const Var capacity = rows_.I32(facts.capacity);
  const Var room = rows_.Binary(Opcode::kI32Sub, capacity, old_size);
  const Var fits = rows_.Binary(Opcode::kI32LeU, delta, room);
  const Var none = rows_.I32(0);
  const Var refused = rows_.I32(0xffffffffu);
  const Var result = rows_.Select(old_size, refused, fits);
  bulk.n = rows_.Select(delta, none, fits);
  bulk.d = old_size;
  rows_.GlobalSet(facts.size_global, rows_.Binary(Opcode::kI32Add, bulk.d, bulk.n));
  bulk_.Append(KindOf(Op::kTableFillChunk, table), bulk);
  operands_.Push(result);
}

void TableOperators::Fill(uint32_t table) {
  const PoppedBulk bulk = bulk_.Pop();
  RangeCheck(bulk.d, bulk.n, table);
  bulk_.Append(KindOf(Op::kTableFillChunk, table), bulk);
}

void TableOperators::Copy(uint32_t to, uint32_t from) {
  const PoppedBulk bulk = bulk_.Pop();
  RangeCheck(bulk.d, bulk.n, to);
  RangeCheck(bulk.s, bulk.n, from);
  bulk_.Append(KindOf(Op::kTableCopyChunk, to, from), bulk);
}

void TableOperators::Init(uint32_t segment, uint32_t table) {
  const PoppedBulk bulk = bulk_.Pop();
  const ir::Segment& from = program_.elements[segment];
  RangeCheck(bulk.d, bulk.n, table);
  rows_.RangeCheck(bulk.s, bulk.n, bulk_.SegmentSize(from), Trap::kOutOfBoundsTable);
  if (from.size == 0) return;  // n is 0
  bulk_.Append(KindOf(Op::kTableInitChunk, table, segment), bulk);
}

}  // namespace wb
