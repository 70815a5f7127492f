#include "compiler/emit/function/structured_writer.h"

namespace wb {

using ir::Construct;
using ir::ConstructKind;
using ir::Inst;
using ir::Op;

void StructuredWriter::Write(const Inst& inst) {
  const uint32_t index = static_cast<uint32_t>(inst.imm);
  const Construct& construct = context_.form.function.constructs[index];
  switch (inst.op) {
    case Op::kBlock: OpenBlock(index); break;
    case Op::kLoop:
      EnterLoop(index);
      OpenRounds(index, "while (true)", true);
      break;
    case Op::kIf: OpenIf(index, inst.a); break;
    case Op::kElse: Else(construct); break;
    default: End(index); break;
  }
}

void StructuredWriter::OpenBlock(uint32_t index) {
  const Construct& block = context_.form.function.constructs[index];
  context_.guards.Enter(block);
  if (IsSkip(index)) open_skips_.push_back(0);
  if (!HasBraces(index)) return;
  context_.targets.Open(index, false);
  context_.text.Open("do");
}

void StructuredWriter::Skip(const std::string& condition) {
  context_.text.Open("if (!(", condition, "))");
  open_skips_.back() = 1;
}

void StructuredWriter::EnterLoop(uint32_t index) {
  const Construct& loop = context_.form.function.constructs[index];
  context_.guards.Enter(loop);
  if (loop.header_safepoint != 0 && context_.form.resumable()) {
    // Gives back what was paid before leaving: the header pays it again and passes its test.
    context_.text.Line("if (r == ", loop.header_safepoint, "u) { fuel = fuel + ",
                       SafepointWriter::HeaderCost(context_.form.function, loop), "u; r = 0u; }");
  }
}

void StructuredWriter::OpenRounds(uint32_t index, const std::string& head, bool asks) {
  context_.targets.Open(index, true);
  context_.text.Open(head);
  safepoints_.LoopHeader(context_.form.function.constructs[index], asks);
}

JumpTarget StructuredWriter::CloseRounds() {
  context_.guards.CloseGuard();
  if (context_.targets.reachable()) context_.text.Line("break;");
  context_.text.Close();
  context_.targets.SetReachable(true);
  return context_.targets.Close();
}

void StructuredWriter::LeaveLoop(const JumpTarget& closed) {
  context_.targets.GoOn(closed);
  context_.guards.Leave();
}

void StructuredWriter::OpenIf(uint32_t index, ir::Var condition_var) {
  const Construct& construct = context_.form.function.constructs[index];
  const bool resumes =
      context_.guards.ResumesInside(construct.first_safepoint, construct.last_safepoint);
  if (!resumes) context_.guards.EnsureGuard();
  std::string condition = context_.expressions.UseCondition(condition_var);
  context_.guards.Enter(construct);
  const bool has_else = construct.else_at != 0;
  const uint32_t then_last = has_else ? construct.else_safepoint - 1 : construct.last_safepoint;
  context_.guards.SetLast(then_last);
  if (construct.targeted) {
    context_.targets.Open(index, false);
    context_.text.Open("do");
  }
  if (resumes) condition = "r == 0u ? " + condition + " : r <= " + std::to_string(then_last) + "u";
  context_.text.Open("if (", condition, ")");
}

void StructuredWriter::Else(const Construct& construct) {
  context_.guards.CloseGuard();
  context_.text.CloseOpen("else");
  context_.guards.SetLast(construct.last_safepoint);
  context_.targets.SetReachable(true);
}

void StructuredWriter::End(uint32_t index) {
  const Construct& construct = context_.form.function.constructs[index];
  if (construct.kind == ConstructKind::kLoop) {
    LeaveLoop(CloseRounds());
    return;
  }
  context_.guards.CloseGuard();
  if (construct.kind == ConstructKind::kIf) context_.text.Close();
  if (IsSkip(index)) {
    if (open_skips_.back() != 0) context_.text.Close();
    open_skips_.pop_back();
  }
  if (HasBraces(index)) context_.text.Close(" while (false);");
  context_.targets.SetReachable(true);
  if (HasBraces(index)) context_.targets.GoOn(context_.targets.Close());
  context_.guards.Leave();
}

}  // namespace wb
