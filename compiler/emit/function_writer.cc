#include "compiler/emit/function_writer.h"

#include "compiler/base/check.h"
#include "compiler/emit/kernel.h"
#include "compiler/emit/names.h"

namespace wb {

using ir::Inst;
using ir::Op;
using ir::Var;

FunctionWriter::FunctionWriter(const ir::Program& program, const LaneLayout& layout,
                               const NativeCalls& native, const FunctionCopy& form,
                               Flattening flattening, Text& text)
    : program_(program),
      form_(form),
      function_(form.function),
      results_(ir::ResultTypes(function_)),
      text_(text),
      expressions_(function_, text),
      rows_(program, layout, function_, expressions_, text),
      calls_(program, layout, native, form_, expressions_, text),
      plan_(PlanFlattening(function_, flattening)),
      labels_(function_, plan_),
      position_of_(function_.constructs.size(), 0),
      in_memory_(HasManyJoins()) {}

bool FunctionWriter::HasManyJoins() const {
  const uint64_t variables = function_.num_locals + expressions_.FunctionScopeVars().size();
  return variables * (function_.constructs.size() + function_.safepoints) > kMostJoins;
}

void FunctionWriter::Write() {
  text_.Open(SignatureText(form_, in_memory_ ? "volatile " : ""));
  Prologue();
  text_.Open("do");
  Push(0, true, function_.safepoints);
  if (plan_.IsRoot(0)) OpenRegion(0);
  for (row_ = 0; row_ < function_.insts.size(); ++row_) {
    Visit(function_.insts[row_]);
    if (text_.max_depth() > kMaxBraceDepth || text_.size() > kMaxTextBytes) return;
  }
  if (plan_.IsRoot(0)) CloseRegion();
  CloseGuard();
  text_.Close(" while (false);");
  Epilogue();
  text_.Close();
}

// A compiler that keeps variables in registers joins each of them wherever paths meet, and walks
// all of these joins from many places. clang took many minutes for a function of 122,000
// instructions over 572 locals, and half a minute with this (compiler/docs/frames.md). So many
// variables do not fit in registers anyway. `w` and `r` are volatile too: clang follows their
// values through every test of them.
void FunctionWriter::Declare(Var var) {
  const ValueType type = function_.vars[var];
  const bool word = type == ValueType::kI32 || type == ValueType::kI64;
  text_.Line(in_memory_ && word ? "volatile " : "", TypeText(type), " ",
             Expressions::Name(function_, var), " = ", LiteralText(type, 0), ";");
}

void FunctionWriter::Prologue() {
  text_.Line(in_memory_ ? "volatile " : "", "uint w = 0u;");
  for (uint32_t i = 1; i <= labels_.levels(); ++i) text_.Line("uint s", i, " = 0u;");
  const std::vector<Var> shared = expressions_.FunctionScopeVars();
  for (Var local = function_.num_params; local < function_.num_locals; ++local) Declare(local);
  for (Var var : shared) Declare(var);
  if (rows_.uses_memory()) {
    text_.Line("wb_mem M = wb_memory(L);");
    if (rows_.notes_writes()) text_.Line("uint D = 0u;");
    if (program_.grows_memory) text_.Line("ulong mb = wb_memory_bytes(L);");
  }
  for (uint32_t memory : rows_.memories()) {
    if (memory == 0) continue;
    text_.Line("wb_mem ", RowWriter::MemoryText(memory), " = wb_memory_at(L, ", memory, "u);");
  }
  if (!form_.resumable()) return;
  text_.Open("if (r != 0u)");
  text_.Line("r = wb_get(L, f);");
  uint32_t word = 1;
  for (Var var : function_.frame_vars) {
    if (!expressions_.IsConstant(var)) {
      text_.Line(Expressions::Name(function_, var), " = ",
                 GetText(function_.vars[var], "f + " + std::to_string(word) + "u"), ";");
    }
    word += TypeWords(function_.vars[var]);
  }
  text_.Close();
}

void FunctionWriter::Epilogue() {
  if (rows_.notes_writes()) text_.Line("wb_note_written(L, D);");
  text_.Line(ReturnText(results_), " R;");
  text_.Line("R.w = WB_RETURNED;");
  if (exits_) WriteEnd();
  text_.Line("R.fuel = fuel;");
  for (size_t i = 0; i < function_.results.size(); ++i) {
    text_.Line("R.r", i, " = ", expressions_.Use(function_.results[i]), ";");
  }
  text_.Line("return R;");
}

// Records a trap in the lane, and saves values that are alive across a safepoint in the frame.
void FunctionWriter::WriteEnd() {
  text_.Open("if (w >= WB_WHY_ENDS)");
  text_.Line("R.w = wb_end(L, w, ", function_.index, "u);");
  if (!function_.bounded) {
    text_.Open("if (wb_keeps_frame(R.w))");
    text_.Line("wb_put(L, f, w & WB_WHY_SAFEPOINT);");
    uint32_t word = 1;
    for (Var var : function_.frame_vars) {
      std::string value =
          expressions_.IsConstant(var) ? expressions_.Use(var) : Expressions::Name(function_, var);
      if (function_.arithmetic[var]) value = CanonText(function_.vars[var], value);
      text_.Line(PutText(function_.vars[var], "f + " + std::to_string(word) + "u", value));
      word += TypeWords(function_.vars[var]);
    }
    text_.Close();
  }
  text_.Close();
}

void FunctionWriter::MarkExit() {
  Innermost().escape = 0;
  exits_ = true;
}

void FunctionWriter::ExitIf(const std::string& condition, uint32_t why) {
  rows_.ExitIf(condition, why);
  MarkExit();
}

void FunctionWriter::Visit(const Inst& inst) {
  switch (inst.op) {
    case Op::kBlock:
    case Op::kLoop:
    case Op::kIf:
    case Op::kElse:
    case Op::kEnd:
      rows_.Join();
      plan_.IsFlat(inst.imm) ? VisitFlat(inst) : VisitStructured(inst);
      break;
    case Op::kBr: Branch(static_cast<uint32_t>(inst.imm)); break;
    case Op::kBrIf: BranchIf(inst); break;
    case Op::kBrTable: BranchTable(inst); break;
    case Op::kSafepoint:
      rows_.Join();
      Safepoint(static_cast<uint32_t>(inst.imm), "wb_spent(fuel)");
      break;
    case Op::kAsk:
      rows_.Join();
      Safepoint(static_cast<uint32_t>(inst.imm),
                "wb_asks(L, " + std::to_string(function_.request) + "u)");
      break;
    case Op::kCall: Call(inst); break;
    case Op::kMemoryGrow: Grow(inst); break;
    default: Straight(inst); break;
  }
}

void FunctionWriter::VisitStructured(const Inst& inst) {
  switch (inst.op) {
    case Op::kBlock: OpenBlock(inst); break;
    case Op::kLoop: OpenLoop(inst); break;
    case Op::kIf: OpenIf(inst); break;
    case Op::kElse: Else(inst); break;
    default: End(inst); break;
  }
}

void FunctionWriter::Straight(const Inst& inst) {
  if (inst.op == Op::kPay && inst.imm == 0) return;
  EnsureGuard();
  if (rows_.Write(row_)) MarkExit();
  if (inst.op == Op::kTrap) reachable_ = false;
}

// Before a row that a resumed function does again: a call that left, a memory.grow. True: a brace
// is open around it.
bool FunctionWriter::OpenAgain(uint32_t safepoint) {
  CloseGuard();
  next_safepoint_ = safepoint + 1;
  const bool braced = next_safepoint_ <= open_.back().last_safepoint;
  if (braced) text_.Open("if (r <= ", safepoint, "u)");
  return braced;
}

void FunctionWriter::Grow(const Inst& inst) {
  const bool braced = OpenAgain(static_cast<uint32_t>(inst.imm));
  if (form_.resumable()) text_.Line("r = 0u;");
  rows_.Write(row_);
  rows_.Join();
  MarkExit();
  if (braced) text_.Close();
}

void FunctionWriter::Call(const Inst& inst) {
  const ir::Call& call = function_.calls[inst.imm];
  bool braced = false;
  if (call.safepoint == 0) {
    EnsureGuard();
  } else {
    braced = OpenAgain(call.safepoint);
  }
  calls_.Write(inst);
  rows_.Join();
  MarkExit();
  const bool grows = program_.function(call.callee).grows_memory;
  if (grows && rows_.uses_memory()) text_.Line("mb = wb_memory_bytes(L);");
  if (braced) text_.Close();
}

}  // namespace wb
