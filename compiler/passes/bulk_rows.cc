#include "compiler/passes/bulk_rows.h"

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
  BulkWriter(const BulkKind& kind, const BulkOperands& operands, uint32_t offset,
             ir::Function& function)
      : kind_(kind),
        facts_(FactsOf(kind)),
        operands_(operands),
        offset_(offset),
        function_(function) {}

  void Chunk(Var size) {
    Inst& inst = Emit(kind_.chunk);
    inst.a = operands_.d;
    inst.b = operands_.s;
    // A move takes what is left and finds its piece itself.
    inst.c = facts_.advance == Advance::kMove ? operands_.n : size;
    inst.imm = Immediate();
    inst.memory = kind_.memory;
  }
  void PayConstant(uint32_t length) {
    if (kind_.free) return;
    Emit(Op::kPay).imm = (length + facts_.per_fuel - 1) / facts_.per_fuel;
  }
  void Loop(uint32_t parent);

 private:
  // Of the chunk's row.
  uint64_t Immediate() {
    switch (kind_.chunk) {
      case Op::kTableFillChunk: return kind_.table;
      case Op::kTableCopyChunk:
        function_.table_copies.push_back({.to = kind_.table, .from = kind_.from});
        return function_.table_copies.size() - 1;
      case Op::kTableInitChunk:
        function_.table_inits.push_back({.table = kind_.table, .segment = kind_.from});
        return function_.table_inits.size() - 1;
      default: return kind_.from;
    }
  }
  Inst& Emit(Op op) {
    Inst& inst = function_.insts.emplace_back();
    inst.op = op;
    inst.offset = offset_;
    return inst;
  }
  Inst& Define(Op op) {
    Inst& inst = Emit(op);
    inst.dst = static_cast<Var>(function_.vars.size());
    function_.vars.push_back(ValueType::kI32);
    return inst;
  }
  Var Const(uint32_t value) {
    Inst& inst = Define(Op::kConst);
    inst.imm = value;
    return inst.dst;
  }
  Var Binary(Opcode opcode, Var a, Var b) {
    Inst& inst = Define(Op::kNumeric);
    inst.opcode = opcode;
    inst.a = a;
    inst.b = b;
    return inst.dst;
  }
  Var Select(Var a, Var b, Var condition) {
    Inst& inst = Define(Op::kSelect);
    inst.a = a;
    inst.b = b;
    inst.c = condition;
    return inst.dst;
  }
  void Update(Var var, Opcode opcode, Var by) {
    const Var value = Binary(opcode, var, by);
    Inst& inst = Emit(Op::kCopy);
    inst.dst = var;
    inst.a = value;
  }
  Var ChunkSize() {
    const Var most = Const(facts_.most);
    return Select(operands_.n, most, Binary(Opcode::kI32LtU, operands_.n, most));
  }
  void Pay(Var size) {
    if (kind_.free) return;
    Inst& inst = Emit(facts_.per_fuel == 1 ? Op::kPayVar : Op::kPayPer16);
    inst.a = size;
    if (inst.op == Op::kPayVar) inst.imm = facts_.most;
  }
  void MoveOn(Var size);

  const BulkKind& kind_;
  const KindFacts facts_;
  const BulkOperands& operands_;
  const uint32_t offset_;
  ir::Function& function_;
};

void BulkWriter::MoveOn(Var size) {
  Var advance = size;
  if (facts_.advance == Advance::kMove) {
    const Var zero = Const(0);
    advance = Select(size, zero, Binary(Opcode::kI32LeU, operands_.d, operands_.s));
  }
  Update(operands_.d, Opcode::kI32Add, advance);
  if (facts_.advance != Advance::kFill) Update(operands_.s, Opcode::kI32Add, advance);
  Update(operands_.n, Opcode::kI32Sub, size);
}

void BulkWriter::Loop(uint32_t parent) {
  const uint32_t block = static_cast<uint32_t>(function_.constructs.size());
  function_.constructs.push_back(
      {.kind = ConstructKind::kBlock, .targeted = true, .parent = parent});
  function_.constructs.push_back({.kind = ConstructKind::kLoop, .targeted = true, .parent = block});
  Pay(ChunkSize());
  Emit(Op::kBlock).imm = block;
  Emit(Op::kLoop).imm = block + 1;
  const Var size = ChunkSize();
  Chunk(size);
  MoveOn(size);
  const Var zero = Const(0);
  const Var done = Binary(Opcode::kI32Eq, operands_.n, zero);
  Inst& out = Emit(Op::kBrIf);
  out.a = done;
  out.imm = block;
  Pay(ChunkSize());
  Emit(Op::kSafepoint);
  Emit(Op::kBr).imm = block + 1;
  Emit(Op::kEnd).imm = block + 1;
  Emit(Op::kEnd).imm = block;
}

}  // namespace

uint32_t MostOfChunk(const BulkKind& kind) { return FactsOf(kind).most; }

void AppendBulkChunk(const BulkKind& kind, const BulkOperands& operands, uint32_t length,
                     uint32_t offset, ir::Function& function) {
  BulkWriter writer(kind, operands, offset, function);
  writer.PayConstant(length);
  writer.Chunk(operands.n);
}

void AppendBulkLoop(const BulkKind& kind, const BulkOperands& operands, uint32_t parent,
                    uint32_t offset, ir::Function& function) {
  BulkWriter(kind, operands, offset, function).Loop(parent);
}

ir::Function BuildBulkFunction(const ir::Program& program, const BulkKind& kind, uint32_t index) {
  ir::Function function;
  function.index = index;
  function.synthetic = true;
  function.vars.assign(3, ValueType::kI32);
  if (kind.chunk == Op::kTableFillChunk) {
    function.vars[1] = program.module->tables[kind.table].type;
  }
  function.num_params = function.num_locals = 3;
  function.constructs.push_back({.kind = ConstructKind::kFunction});
  AppendBulkLoop(kind, {0, 1, 2}, 0, 0, function);
  return function;
}

}  // namespace wb
