#include "compiler/passes/rows/table_operators.h"

namespace wb {

using ir::Inst;
using ir::Op;
using ir::Var;

bool TableOperators::Append(const Instruction& instruction) {
  const uint32_t index = static_cast<uint32_t>(instruction.imm);
  switch (instruction.opcode) {
    case Opcode::kTableGet: Get(index); return true;
    case Opcode::kTableSet: Set(index); return true;
    case Opcode::kTableSize: operands_.Push(bulk_.TableSize(index)); return true;
    case Opcode::kTableGrow: Grow(index); return true;
    default: return false;
  }
}

void TableOperators::Get(uint32_t table) {
  const Var index = operands_.Pop();
  bulk_.CheckTable(index, rows_.I32(1), table);
  Inst& inst = rows_.Define(Op::kTableGet, program_.module->tables[table].type);
  inst.a = index;
  inst.imm = table;
  operands_.Push(inst.dst);
}

void TableOperators::Set(uint32_t table) {
  const Var element = operands_.Pop();
  const Var index = operands_.Pop();
  bulk_.CheckTable(index, rows_.I32(1), table);
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
  const Var old_size = bulk_.TableSize(table);
  const Var capacity = rows_.I32(facts.capacity);
  const Var room = rows_.Binary(Opcode::kI32Sub, capacity, old_size);
  const Var fits = rows_.Binary(Opcode::kI32LeU, delta, room);
  const Var none = rows_.I32(0);
  const Var refused = rows_.I32(0xffffffffu);
  const Var result = rows_.Select(old_size, refused, fits);
  bulk.n = rows_.Select(delta, none, fits);
  bulk.d = old_size;
  rows_.GlobalSet(facts.size_global, rows_.Binary(Opcode::kI32Add, bulk.d, bulk.n));
  bulk_.FillTable(table, bulk);
  operands_.Push(result);
}

}  // namespace wb
