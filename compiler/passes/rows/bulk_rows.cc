#include "compiler/passes/rows/bulk_rows.h"

#include <utility>

#include "compiler/base/check.h"

namespace wb {
namespace {

using ir::ConstructKind;
using ir::Inst;
using ir::Op;
using ir::Var;

// How the operands move on behind a chunk.
enum class Advance : uint8_t {
  kMove,  // as memmove does: from the front both pointers advance, from the back only n shrinks
  kFill,  // d advances
  kBoth,  // d and s advance
};

struct KindFacts {
  Advance advance;
  uint32_t most;      // of a chunk
  uint32_t per_fuel;  // bytes or elements for one fuel, rounded up
};

KindFacts FactsOf(const BulkKind& kind) {
  constexpr uint32_t kBytes = abi::BULK_CHUNK_BYTES;
  constexpr uint32_t kElements = abi::BULK_CHUNK_ELEMENTS;
  switch (kind.chunk) {
    case Op::kMemoryCopyChunk: return {Advance::kMove, kBytes, 16};
    case Op::kMemoryFillChunk: return {Advance::kFill, kBytes, 16};
    case Op::kMemoryInitChunk: return {Advance::kBoth, kBytes, 16};
    case Op::kTableCopyChunk: return {Advance::kMove, kElements, 1};
    case Op::kTableFillChunk: return {Advance::kFill, kElements, 1};
    default: break;
  }
  WB_CHECK(kind.chunk == Op::kTableInitChunk);
  return {Advance::kBoth, kElements, 1};
}

class BulkWriter {
 public:
  BulkWriter(const BulkKind& kind, const BulkOperands& operands, RowEmitter& rows)
      : kind_(kind), facts_(FactsOf(kind)), operands_(operands), rows_(rows) {}

  void Chunk(Var size) {
    Inst& inst = rows_.Emit(kind_.chunk);
    inst.a = operands_.d;
    inst.b = operands_.s;
    // A move takes what is left and finds its piece itself.
    inst.c = facts_.advance == Advance::kMove ? operands_.n : size;
    inst.imm = Immediate();
    inst.memory = kind_.memory;
  }
  void PayConstant(uint32_t length) {
    if (kind_.free) return;
    rows_.Emit(Op::kPay).imm = (length + facts_.per_fuel - 1) / facts_.per_fuel;
  }
  void Loop(uint32_t parent);

 private:
  // Of the chunk's row.
  uint64_t Immediate() {
    ir::Function& function = rows_.function();
    switch (kind_.chunk) {
      case Op::kTableFillChunk: return kind_.table;
      case Op::kTableCopyChunk:
        function.table_copies.push_back({.to = kind_.table, .from = kind_.from});
        return function.table_copies.size() - 1;
      case Op::kTableInitChunk:
        function.table_inits.push_back({.table = kind_.table, .segment = kind_.from});
        return function.table_inits.size() - 1;
      default: return kind_.from;
    }
  }
  void Update(Var var, Opcode opcode, Var by) { rows_.Copy(var, rows_.Binary(opcode, var, by)); }
  Var ChunkSize() {
    const Var most = rows_.I32(facts_.most);
    return rows_.Select(operands_.n, most, rows_.Binary(Opcode::kI32LtU, operands_.n, most));
  }
  void Pay(Var size) {
    if (kind_.free) return;
    Inst& inst = rows_.Emit(facts_.per_fuel == 1 ? Op::kPayVar : Op::kPayPer16);
    inst.a = size;
    if (inst.op == Op::kPayVar) inst.imm = facts_.most;
  }
  void MoveOn(Var size);

  const BulkKind& kind_;
  const KindFacts facts_;
  const BulkOperands& operands_;
  RowEmitter& rows_;
};

void BulkWriter::MoveOn(Var size) {
  Var advance = size;
  if (facts_.advance == Advance::kMove) {
    const Var zero = rows_.I32(0);
    const Var from_front = rows_.Binary(Opcode::kI32LeU, operands_.d, operands_.s);
    advance = rows_.Select(size, zero, from_front);
  }
  Update(operands_.d, Opcode::kI32Add, advance);
  if (facts_.advance != Advance::kFill) Update(operands_.s, Opcode::kI32Add, advance);
  Update(operands_.n, Opcode::kI32Sub, size);
}

void BulkWriter::Loop(uint32_t parent) {
  Pay(ChunkSize());
  const uint32_t block = rows_.Open(ConstructKind::kBlock, parent);
  const uint32_t loop = rows_.Open(ConstructKind::kLoop, block);
  const Var size = ChunkSize();
  Chunk(size);
  MoveOn(size);
  const Var zero = rows_.I32(0);
  rows_.BrIf(rows_.Binary(Opcode::kI32Eq, operands_.n, zero), block);
  Pay(ChunkSize());
  rows_.Emit(Op::kSafepoint);
  rows_.Br(loop);
  rows_.End(loop);
  rows_.End(block);
}

}  // namespace

uint32_t MostOfChunk(const BulkKind& kind) { return FactsOf(kind).most; }

void AppendBulkChunk(const BulkKind& kind, const BulkOperands& operands, uint32_t length,
                     RowEmitter& rows) {
  BulkWriter writer(kind, operands, rows);
  writer.PayConstant(length);
  writer.Chunk(operands.n);
}

void AppendBulkLoop(const BulkKind& kind, const BulkOperands& operands, uint32_t parent,
                    RowEmitter& rows) {
  BulkWriter(kind, operands, rows).Loop(parent);
}

ir::Function BuildBulkFunction(const ir::Program& program, const BulkKind& kind, uint32_t index) {
  ir::Function head;
  head.index = index;
  head.synthetic = true;
  head.vars.assign(3, ValueType::kI32);
  if (kind.chunk == Op::kTableFillChunk) head.vars[1] = program.module->tables[kind.table].type;
  head.num_params = head.num_locals = 3;
  RowEmitter rows(std::move(head));
  AppendBulkLoop(kind, {0, 1, 2}, 0, rows);
  return rows.Take();
}

}  // namespace wb
