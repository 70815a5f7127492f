#include "compiler/passes/rows/bulk_operators.h"

namespace wb {

using ir::Inst;
using ir::Op;
using ir::Var;

namespace {

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

BulkOperators::BulkOperators(bool free, BulkFunctions& functions, RowEmitter& rows,
                             OperandStack& operands, const ControlFlow& control)
    : free_(free), functions_(functions), rows_(rows), operands_(operands), control_(control) {}

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
