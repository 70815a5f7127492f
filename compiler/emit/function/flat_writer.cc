#include "compiler/emit/function/flat_writer.h"

namespace wb {

using ir::Construct;
using ir::ConstructKind;
using ir::Inst;
using ir::Op;

FlatWriter::FlatWriter(const ControlContext& context, SafepointWriter& safepoints,
                       Flattening flattening, uint32_t stage_at)
    : context_(context),
      safepoints_(safepoints),
      plan_(PlanFlattening(context.form.function, flattening, context.form.loops)),
      labels_(context.form.function, plan_),
      regions_(context, labels_),
      loop_(context, labels_, stage_at) {}

void FlatWriter::OpenFunction() {
  if (!plan_.IsRoot(0)) return;
  plan_.loops ? loop_.Open() : regions_.Open(0, true);
}

void FlatWriter::CloseFunction() {
  if (!plan_.IsRoot(0)) return;
  if (HasState(0)) BeginState(0, labels_.StateOf(0));
  plan_.loops ? loop_.Close() : regions_.Close();
}

void FlatWriter::BeginState(uint32_t root, uint32_t state) {
  plan_.loops&& root == 0 ? loop_.BeginState(state) : regions_.BeginState(state);
}

std::string FlatWriter::JumpTo(uint32_t root, uint32_t state) {
  return plan_.loops && root == 0 ? loop_.JumpTo(state) : regions_.JumpTo(root, state);
}

void FlatWriter::Write(const Inst& inst) {
  const uint32_t index = static_cast<uint32_t>(inst.imm);
  switch (inst.op) {
    case Op::kElse: Else(index); break;
    case Op::kEnd: End(index); break;
    default: Open(inst, index); break;
  }
}

bool FlatWriter::HasBraces(uint32_t root) const {
  const Construct& construct = ConstructOf(root);
  return construct.targeted && construct.kind != ConstructKind::kLoop;
}

void FlatWriter::Open(const Inst& inst, uint32_t index) {
  if (plan_.IsRoot(index)) OpenRoot(index);
  if (inst.op == Op::kLoop) {
    BeginState(plan_.region[index], labels_.StateOf(index));
    safepoints_.LoopHeader(ConstructOf(index));
  } else if (inst.op == Op::kIf) {
    TestIf(index, inst.a);
  }
}

void FlatWriter::OpenRoot(uint32_t index) {
  context_.guards.Enter(ConstructOf(index));
  if (HasBraces(index)) {
    context_.targets.Open(index, false);
    context_.text.Open("do");
  }
  regions_.Open(index, HasBraces(index));
}

void FlatWriter::TestIf(uint32_t index, ir::Var condition_var) {
  context_.guards.EnsureGuard();
  const std::string condition = context_.expressions.UseCondition(condition_var);
  const uint32_t otherwise =
      ConstructOf(index).else_at != 0 ? labels_.ElseOf(index) : labels_.StateOf(index);
  context_.text.Line("if (!(", condition, ")) { ", JumpTo(plan_.region[index], otherwise), " }");
}

void FlatWriter::Else(uint32_t index) {
  context_.guards.EnsureGuard();
  if (context_.targets.reachable()) context_.text.Line(JumpTo(index));
  context_.targets.SetReachable(false);
  BeginState(plan_.region[index], labels_.ElseOf(index));
}

void FlatWriter::End(uint32_t index) {
  if (!plan_.IsRoot(index)) {
    const bool loop = ConstructOf(index).kind == ConstructKind::kLoop;
    const uint32_t state = labels_.StateOf(index);
    if (!loop && state != 0) BeginState(plan_.region[index], state);
    return;
  }
  regions_.Close();
  if (HasBraces(index)) {
    context_.text.Close(" while (false);");
    context_.targets.GoOn(context_.targets.Close());
  }
  context_.guards.Leave();
  context_.targets.SetReachable(true);
}

std::string FlatWriter::JumpTo(uint32_t construct) {
  return JumpTo(plan_.region[construct], labels_.StateOf(construct));
}

}  // namespace wb
