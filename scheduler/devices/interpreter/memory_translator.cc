#include "scheduler/devices/interpreter/memory_translator.h"

namespace wb {

using ir::Inst;
using ir::Op;

namespace {

uint64_t Pair(uint32_t low, uint32_t high) { return low | uint64_t{high} << 32; }

}  // namespace

bool MemoryTranslator::Visit(const Inst& inst) {
  switch (inst.op) {
    case Op::kMemorySize: builder_.EmitRow(ByteOp::kMemorySize); break;
    case Op::kMemoryCopyCheck: IntoImmediate(ByteOp::kMemoryCopyCheck); break;
    case Op::kMemoryFillCheck: IntoImmediate(ByteOp::kMemoryFillCheck); break;
    case Op::kMemoryCopyChunk: CopyChunk(inst); break;
    case Op::kMemoryFillChunk: IntoImmediate(ByteOp::kMemoryFillChunk); break;
    case Op::kMemoryInitChunk: IntoDst(ByteOp::kMemoryInitChunk); break;
    case Op::kRangeCheck: IntoDst(ByteOp::kRangeCheck); break;
    case Op::kTableGet: Element(ByteOp::kTableGet, inst.imm); break;
    case Op::kTableSet: Element(ByteOp::kTableSet, inst.imm); break;
    case Op::kTableFillChunk: IntoDst(ByteOp::kTableFillChunk); break;
    case Op::kTableCopyChunk: TableCopyChunk(inst); break;
    case Op::kTableInitChunk: TableInitChunk(inst); break;
    case Op::kTableLookup: TableLookup(inst); break;
    default: return false;
  }
  return true;
}

ByteCode& MemoryTranslator::IntoDst(ByteOp op) {
  ByteCode& code = builder_.EmitRow(op);
  code.dst = builder_.Slot(builder_.Row().c);
  return code;
}

void MemoryTranslator::CopyChunk(const Inst& inst) {
  if (inst.imm == inst.memory) {
    IntoImmediate(ByteOp::kMemoryCopyChunk);
    return;
  }
  IntoImmediate(ByteOp::kMemoryCopyBetween);
  builder_.out().code.back().dst = inst.memory | static_cast<uint32_t>(inst.imm) << 8;
}

void MemoryTranslator::TableCopyChunk(const Inst& inst) {
  const ir::TableCopy& copy = builder_.function().table_copies[inst.imm];
  IntoDst(ByteOp::kTableCopyChunk).imm = Pair(copy.to, copy.from);
}

void MemoryTranslator::TableInitChunk(const Inst& inst) {
  const ir::TableInit& init = builder_.function().table_inits[inst.imm];
  IntoDst(ByteOp::kTableInitChunk).imm = Pair(init.table, init.segment);
}

void MemoryTranslator::TableLookup(const Inst& inst) {
  const ir::TableLookup& lookup = builder_.function().table_lookups[inst.imm];
  builder_.EmitRow(ByteOp::kTableLookup).imm = Pair(lookup.lookup, lookup.table);
}

void MemoryTranslator::Element(ByteOp op, uint64_t table) {
  builder_.EmitRow(op).imm = module_.layout.globals_at + module_.program.tables[table].at;
}

}  // namespace wb
