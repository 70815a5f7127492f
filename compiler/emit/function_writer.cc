#include "compiler/emit/function_writer.h"

#include <algorithm>

#include "compiler/base/check.h"
#include "compiler/compiler.h"
#include "compiler/emit/names.h"

namespace wb {

using ir::Inst;
using ir::Op;
using ir::Var;

FunctionWriter::FunctionWriter(const ir::Program& program, const LaneLayout& layout,
                               const ir::Function& function, Text& text)
    : program_(program),
      function_(function),
      type_(program.module->type_of(function.index)),
      text_(text),
      expressions_(function, text),
      rows_(program, layout, function, expressions_, text),
      depth_of_(function.constructs.size(), 0),
      position_of_(function.constructs.size(), 0) {}

std::string FunctionWriter::Signature(const ir::Program& program, const ir::Function& function) {
  const FunctionType& type = program.module->type_of(function.index);
  std::string text =
      "static " + ReturnText(type.results) + " " + FunctionText(function.index) + "(wb_lane L, ";
  if (!function.bounded) text += "uint f, uint room, ";
  text += "uint fuel";
  if (!function.bounded) text += ", uint r";
  for (Var param = 0; param < function.num_params; ++param) {
    text += ", " + std::string(TypeText(function.vars[param])) + " l" + std::to_string(param);
  }
  return text + ")";
}

void FunctionWriter::Write() {
  text_.Open(Signature(program_, function_));
  Prologue();
  text_.Open("do");
  Push(0, true, function_.safepoints);
  for (row_ = 0; row_ < function_.insts.size(); ++row_) {
    Visit(function_.insts[row_]);
    if (text_.max_depth() > kMaxBraceDepth || text_.size() > kMaxTextBytes) return;
  }
  CloseGuard();
  text_.Close(" while (false);");
  Epilogue();
  text_.Close();
}

void FunctionWriter::Prologue() {
  text_.Line("uint w = 0u;");
  for (Var local = function_.num_params; local < function_.num_locals; ++local) {
    text_.Line(TypeText(function_.vars[local]), " l", local, " = ",
               LiteralText(function_.vars[local], 0), ";");
  }
  for (Var var : expressions_.FunctionScopeVars()) {
    text_.Line(TypeText(function_.vars[var]), " t", var, " = ", LiteralText(function_.vars[var], 0),
               ";");
  }
  if (rows_.uses_memory()) {
    text_.Line("wb_mem M = wb_memory(L);");
    if (program_.grows_memory) text_.Line("ulong mb = wb_memory_bytes(L);");
  }
  if (function_.bounded) return;
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
  text_.Line(ReturnText(type_.results), " R;");
  text_.Line("R.w = WB_RETURNED;");
  if (exits_) WriteEnd();
  text_.Line("R.fuel = fuel;");
  for (size_t i = 0; i < function_.results.size(); ++i) {
    text_.Line("R.r", i, " = ", expressions_.Use(function_.results[i]), ";");
  }
  text_.Line("return R;");
}

// Traps are recorded in the lane, values alive across a safepoint saved in the frame.
void FunctionWriter::WriteEnd() {
  text_.Open("if (w >= ", Hex(kWhyMemory), ")");
  text_.Line("R.w = wb_end(L, w, ", function_.index, "u);");
  if (!function_.bounded) {
    text_.Open("if (R.w == WB_LEFT)");
    text_.Line("wb_put(L, f, w & 0xfffffffu);");
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
    case Op::kBlock: OpenBlock(inst); break;
    case Op::kLoop: OpenLoop(inst); break;
    case Op::kIf: OpenIf(inst); break;
    case Op::kElse: Else(inst); break;
    case Op::kEnd: End(inst); break;
    case Op::kBr: Branch(static_cast<uint32_t>(inst.imm)); break;
    case Op::kBrIf: BranchIf(inst); break;
    case Op::kBrTable: BranchTable(inst); break;
    case Op::kSafepoint: Safepoint(static_cast<uint32_t>(inst.imm)); break;
    case Op::kCall: Call(inst); break;
    default: Straight(inst); break;
  }
}

void FunctionWriter::Straight(const Inst& inst) {
  if (inst.op == Op::kPay && inst.imm == 0) return;
  EnsureGuard();
  if (rows_.Write(row_)) MarkExit();
  if (inst.op == Op::kTrap) reachable_ = false;
}

void FunctionWriter::Call(const Inst& inst) {
  const ir::Call& call = function_.calls[inst.imm];
  const ir::Function& callee = program_.function(call.callee);
  const FunctionType& type = program_.module->type_of(call.callee);
  const bool may_leave = call.safepoint != 0;
  if (!may_leave) EnsureGuard();
  std::string args;
  for (Var arg : call.args) args += ", " + expressions_.Use(arg);
  bool braced = false;
  if (may_leave) {
    CloseGuard();
    next_safepoint_ = call.safepoint + 1;
    braced = next_safepoint_ <= open_.back().last_safepoint;
    if (braced) text_.Open("if (r <= ", call.safepoint, "u)");
    ExitIf("room < " + std::to_string(callee.stack_slots) + "u",
           RowWriter::TrapWhy(Trap::kStackExhausted, inst.offset));
  }
  const std::string result = "c" + std::to_string(calls_printed_++);
  std::string head = "(L, ";
  if (may_leave) {
    head += "f + " + std::to_string(function_.frame_words) + "u, room - " +
            std::to_string(callee.stack_slots) + "u, ";
  }
  head += may_leave ? "fuel, r" : "fuel";
  text_.Line(ReturnText(type.results), " ", result, " = ", FunctionText(call.callee), head, args,
             ");");
  if (may_leave) text_.Line("r = 0u;");
  text_.Line("fuel = ", result, ".fuel;");
  text_.Line("if (", result, ".w != 0u) { w = wb_unwind(", result, ".w, ", call.safepoint,
             "u); break; }");
  MarkExit();
  if (callee.grows_memory && rows_.uses_memory()) text_.Line("mb = wb_memory_bytes(L);");
  for (size_t i = 0; i < call.results.size(); ++i) {
    expressions_.DefineNow(call.results[i], result + ".r" + std::to_string(i));
  }
  if (braced) text_.Close();
}

}  // namespace wb
