// FunctionBuilder: references, and the operators on tables in the lane.

#include "compiler/passes/function_builder.h"

namespace wb {

using ir::Inst;
using ir::Op;
using ir::Var;

bool FunctionBuilder::Reference(const Instruction& instruction) {
  const uint32_t offset = instruction.offset;
  switch (instruction.opcode) {
    case Opcode::kRefNull:
      Push(EmitConst(static_cast<ValueType>(instruction.imm), ir::kNullReference, offset));
      return true;
    case Opcode::kRefFunc:
      Push(EmitConst(ValueType::kFuncRef, instruction.imm + 1, offset));
      return true;
    case Opcode::kRefIsNull:
      Push(EmitBinary(Opcode::kI32Eqz, Pop(), ir::kNoVar, offset));
      return true;
    default: return false;
  }
}

bool FunctionBuilder::TableOperator(const Instruction& instruction) {
  const uint32_t index = static_cast<uint32_t>(instruction.imm);
  const uint32_t offset = instruction.offset;
  switch (instruction.opcode) {
    case Opcode::kTableGet: TableGet(index, offset); return true;
    case Opcode::kTableSet: TableSet(index, offset); return true;
    case Opcode::kTableSize: Push(EmitTableSize(index, offset)); return true;
    case Opcode::kTableGrow: TableGrow(index, offset); return true;
    case Opcode::kTableFill: TableFill(index, offset); return true;
    case Opcode::kTableCopy: TableCopy(index, instruction.imm2, offset); return true;
    case Opcode::kTableInit: TableInit(index, instruction.imm2, offset); return true;
    case Opcode::kElemDrop: DropSegment(program_.elements[index], offset); return true;
    default: return false;
  }
}

Var FunctionBuilder::EmitTableSize(uint32_t table, uint32_t offset) {
  const ir::Table& facts = program_.tables[table];
  if (facts.size_global == ir::kNoGlobal) return EmitConst(ValueType::kI32, facts.size, offset);
  return EmitGlobalGet(facts.size_global, ValueType::kI32, offset);
}

void FunctionBuilder::EmitTableCheck(uint32_t table, Var start, Var count, uint32_t offset) {
  EmitRangeCheck(start, count, EmitTableSize(table, offset), wb::Trap::kOutOfBoundsTable, offset);
}

void FunctionBuilder::TableGet(uint32_t table, uint32_t offset) {
  Var index = Pop();
  EmitTableCheck(table, index, EmitConst(ValueType::kI32, 1, offset), offset);
  Var element = NewVar(module_.tables[table].type);
  Inst& inst = Emit(Op::kTableGet, offset);
  inst.dst = element;
  inst.a = index;
  inst.imm = table;
  Push(element);
}

void FunctionBuilder::TableSet(uint32_t table, uint32_t offset) {
  Var element = Pop();
  Var index = Pop();
  EmitTableCheck(table, index, EmitConst(ValueType::kI32, 1, offset), offset);
  Inst& inst = Emit(Op::kTableSet, offset);
  inst.a = index;
  inst.b = element;
  inst.imm = table;
}

// If growth is refused, the table grows by nothing and the result is -1. The new elements are
// filled in and paid for as by table.fill.
void FunctionBuilder::TableGrow(uint32_t table, uint32_t offset) {
  const ir::Table& facts = program_.tables[table];
  Var delta = Pop();
  PoppedBulk bulk;
  bulk.s = Pop();
  Var old_size = EmitTableSize(table, offset);
  Var capacity = EmitConst(ValueType::kI32, facts.capacity, offset);
  Var room = EmitBinary(Opcode::kI32Sub, capacity, old_size, offset);
  Var fits = EmitBinary(Opcode::kI32LeU, delta, room, offset);
  Var none = EmitConst(ValueType::kI32, 0, offset);
  Var refused = EmitConst(ValueType::kI32, 0xffffffffu, offset);
  Var result = EmitSelect(old_size, refused, fits, offset);
  bulk.n = EmitSelect(delta, none, fits, offset);
  bulk.d = old_size;
  Var new_size = EmitBinary(Opcode::kI32Add, bulk.d, bulk.n, offset);
  EmitGlobalSet(facts.size_global, new_size, offset);
  Bulk(TableKind(Op::kTableFillChunk, table), bulk, offset);
  Push(result);
}

void FunctionBuilder::TableFill(uint32_t table, uint32_t offset) {
  const PoppedBulk bulk = PopBulk();
  EmitTableCheck(table, bulk.d, bulk.n, offset);
  Bulk(TableKind(Op::kTableFillChunk, table), bulk, offset);
}

void FunctionBuilder::TableCopy(uint32_t to, uint32_t from, uint32_t offset) {
  const PoppedBulk bulk = PopBulk();
  EmitTableCheck(to, bulk.d, bulk.n, offset);
  EmitTableCheck(from, bulk.s, bulk.n, offset);
  Bulk(TableKind(Op::kTableCopyChunk, to, from), bulk, offset);
}

void FunctionBuilder::TableInit(uint32_t segment, uint32_t table, uint32_t offset) {
  const PoppedBulk bulk = PopBulk();
  const ir::Segment& from = program_.elements[segment];
  EmitTableCheck(table, bulk.d, bulk.n, offset);
  EmitRangeCheck(bulk.s, bulk.n, EmitSegmentSize(from, offset), wb::Trap::kOutOfBoundsTable,
                 offset);
  if (from.size == 0) return;  // n is 0
  Bulk(TableKind(Op::kTableInitChunk, table, segment), bulk, offset);
}

}  // namespace wb
