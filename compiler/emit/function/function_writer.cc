#include "compiler/emit/function/function_writer.h"

#include <string>

namespace wb {

using ir::Inst;
using ir::Op;

FunctionWriter::FunctionWriter(const ir::Program& program, const LaneLayout& layout,
                               const NativeCalls& native, const FunctionCopy& form,
                               Flattening flattening, Text& text)
    : program_(program),
      form_(form),
      function_(form.function),
      text_(text),
      expressions_(function_, text),
      targets_(function_.constructs.size(), text),
      guards_(form.resumable(), text),
      rows_({program, layout, function_, expressions_, targets_, text}),
      calls_(program, layout, native, form_, expressions_, text),
      frame_(program, form_, rows_.memory(), expressions_, text),
      safepoints_(Control()),
      structured_(Control(), safepoints_),
      flat_(Control(), safepoints_, flattening),
      branches_(Control(), flat_) {}

void FunctionWriter::Write() {
  frame_.Open(flat_.levels());
  text_.Open("do");
  targets_.Open(0, false);
  guards_.EnterUnguarded(function_.safepoints);
  flat_.OpenFunction();
  for (row_ = 0; row_ < function_.insts.size(); ++row_) {
    Visit(function_.insts[row_]);
    if (text_.max_depth() > kMaxBraceDepth || text_.size() > kMaxTextBytes) return;
  }
  flat_.CloseFunction();
  guards_.CloseGuard();
  text_.Close(" while (false);");
  frame_.Close(targets_.exits());
}

void FunctionWriter::Visit(const Inst& inst) {
  switch (inst.op) {
    case Op::kBlock:
    case Op::kLoop:
    case Op::kIf:
    case Op::kElse:
    case Op::kEnd: Construct(inst); break;
    case Op::kBr: branches_.Branch(static_cast<uint32_t>(inst.imm)); break;
    case Op::kBrIf: branches_.BranchIf(inst); break;
    case Op::kBrTable: branches_.BranchTable(inst); break;
    case Op::kSafepoint:
    case Op::kAsk: Safepoint(inst); break;
    case Op::kCall: Call(inst); break;
    case Op::kMemoryGrow: Grow(inst); break;
    default: Straight(inst); break;
  }
}

void FunctionWriter::Construct(const Inst& inst) {
  rows_.Join();
  flat_.IsFlat(inst.imm) ? flat_.Write(inst) : structured_.Write(inst);
  if (inst.op == Op::kLoop) row_ += SafepointWriter::HeaderRows(function_.constructs[inst.imm]);
}

void FunctionWriter::Safepoint(const Inst& inst) {
  rows_.Join();
  const std::string leaves = inst.op == Op::kSafepoint
                                 ? "wb_spent(fuel)"
                                 : "wb_asks(L, " + std::to_string(function_.request) + "u)";
  safepoints_.Write(static_cast<uint32_t>(inst.imm), leaves);
}

void FunctionWriter::Straight(const Inst& inst) {
  if (inst.op == Op::kPay && inst.imm == 0) return;
  guards_.EnsureGuard();
  rows_.Write(row_);
}

void FunctionWriter::Grow(const Inst& inst) {
  const bool braced = guards_.OpenAgain(static_cast<uint32_t>(inst.imm));
  if (form_.resumable()) text_.Line("r = 0u;");
  rows_.Write(row_);
  rows_.Join();
  if (braced) text_.Close();
}

void FunctionWriter::Call(const Inst& inst) {
  const ir::Call& call = function_.calls[inst.imm];
  bool braced = false;
  if (call.safepoint == 0) {
    guards_.EnsureGuard();
  } else {
    braced = guards_.OpenAgain(call.safepoint);
  }
  calls_.Write(inst);
  targets_.MarkExit();
  rows_.Join();
  const bool grows = program_.function(call.callee).grows_memory;
  if (grows && rows_.memory().uses_first()) text_.Line("mb = wb_memory_bytes(L);");
  if (braced) text_.Close();
}

}  // namespace wb
