// FunctionWriter: dispatch regions. A region is a loop around a switch with a case for each state;
// `s1` names the next state, `s2` that of a region within the region. The code before the first
// label, the entry, stands before the loop, so that a br_table there jumps with one switch. A
// resumed function enters the state that holds its safepoint. States stand in the order of rows, so
// only a branch to a loop's header goes back, and that header tests the fuel.

#include <algorithm>

#include "compiler/base/check.h"
#include "compiler/emit/function_writer.h"
#include "compiler/emit/names.h"

namespace wb {

using ir::Construct;
using ir::ConstructKind;
using ir::Inst;

// ---- the region

void FunctionWriter::OpenRegion(uint32_t root) {
  const FlatState& entry = labels_.RegionOf(root).entry;
  const bool has_safepoints = form_.resumable() && entry.first_safepoint <= entry.last_safepoint;
  bool guarded = false;
  if (has_safepoints) {
    CloseGuard();
    guarded = entry.last_safepoint < open_.back().last_safepoint;
    if (guarded) text_.Open("if (r <= ", entry.last_safepoint, "u)");
  } else {
    EnsureGuard();
  }
  dispatches_.push_back({root, static_cast<uint32_t>(open_.size()), true});
  Push(kNoConstruct, true, entry.last_safepoint).guarded = guarded;
  text_.Open("do");
}

void FunctionWriter::CloseEntry() {
  CloseGuard();
  text_.Close(" while (false);");
  const Open closed = open_.back();
  open_.pop_back();
  breakable_.pop_back();
  AfterClose(closed);
  if (closed.guarded) text_.Close();
  CloseGuard();  // around an entry without safepoints
}

void FunctionWriter::OpenDispatch() {
  Dispatch& dispatch = dispatches_.back();
  dispatch.in_entry = false;
  const FlatRegion& region = labels_.RegionOf(dispatch.root);
  if (form_.resumable()) EnterResumed(region);
  text_.Open("while (true)");
  text_.Open("switch (s", region.level, ")");
  WB_CHECK(dispatch.position == open_.size());
  Push(kNoConstruct, true, 0).loops = true;
}

std::string FunctionWriter::SetState(uint32_t root, uint32_t state) const {
  return "s" + std::to_string(labels_.RegionOf(root).level) + " = " + std::to_string(state) + "u;";
}

// Chooses the state that holds safepoint `r`. A loop's header is entered from its beginning, so the
// fuel that was paid before leaving is given back. Inside a state, guards lead to the safepoint.
void FunctionWriter::EnterResumed(const FlatRegion& region) {
  if (region.states.front().first_safepoint > region.states.back().last_safepoint) return;
  text_.Open("if (r != 0u)");
  text_.Open("switch (r)");
  for (uint32_t i = 0; i < region.states.size(); ++i) {
    const FlatState& state = region.states[i];
    const std::string enter = SetState(region.root, i + 1);
    const uint32_t header = state.loop == 0 ? 0 : function_.constructs[state.loop].header_safepoint;
    if (header != 0) {
      const uint64_t cost = function_.insts[function_.constructs[state.loop].begin + 1].imm;
      text_.Line("case ", header, "u: { ", enter, " fuel = fuel + ", cost, "u; r = 0u; break; }");
    }
    std::string labels;
    for (uint32_t r = state.first_safepoint; r <= state.last_safepoint; ++r) {
      if (r != header) labels += "case " + std::to_string(r) + "u: ";
    }
    if (!labels.empty()) text_.Line(labels, "{ ", enter, " break; }");
  }
  text_.Line("default: { break; }");
  text_.Close();
  text_.Close();
}

// Begins the state here: the code before it falls into it.
void FunctionWriter::BeginState(uint32_t state) {
  const uint32_t root = dispatches_.back().root;
  if (dispatches_.back().in_entry) {
    if (reachable_) text_.Line(SetState(root, state));
    CloseEntry();
    OpenDispatch();
  } else {
    if (reachable_) text_.Line(SetState(root, state), " continue;");
    CloseState();
  }
  text_.Open("case ", state, "u:");
  Push(kNoConstruct, false, labels_.RegionOf(root).states[state - 1].last_safepoint);
  reachable_ = true;
}

void FunctionWriter::CloseState() {
  CloseGuard();
  open_.pop_back();
  text_.Close();
}

void FunctionWriter::CloseRegion() {
  const Dispatch dispatch = dispatches_.back();
  if (dispatch.in_entry) {  // no labels
    CloseEntry();
  } else {
    if (reachable_) text_.Line("break;");
    CloseState();
    text_.Line("default: { break; }");
    text_.Close();
    text_.Line("break;");
    text_.Close();
    const Open closed = open_.back();
    open_.pop_back();
    breakable_.pop_back();
    Open& root = open_.back();
    if (root.breakable) {
      root.escape = std::min(root.escape, closed.escape);  // the root's own end follows
    } else {
      AfterClose(closed);
    }
  }
  dispatches_.pop_back();
}

// Text that goes on in a state of an open region; state 0 is outside the region.
std::string FunctionWriter::JumpToState(uint32_t root, uint32_t state) {
  const auto at = std::find_if(dispatches_.rbegin(), dispatches_.rend(),
                               [&](const Dispatch& open) { return open.root == root; });
  WB_CHECK(at != dispatches_.rend());
  const Open& context = open_[at->position];
  const std::string set = SetState(root, state);
  if (breakable_.back() != at->position) {
    MarkHit(at->position);
    return set + " w = " + std::to_string(context.depth) + "u; break;";
  }
  if (!context.loops) return set + " break;";
  return state == 0 ? "break;" : set + " continue;";
}

// ---- rows of flat constructs

void FunctionWriter::VisitFlat(const Inst& inst) {
  switch (inst.op) {
    case ir::Op::kElse: FlatElse(inst); break;
    case ir::Op::kEnd: FlatEnd(inst); break;
    default: OpenFlat(inst); break;
  }
}

void FunctionWriter::OpenFlat(const Inst& inst) {
  const uint32_t index = static_cast<uint32_t>(inst.imm);
  const Construct& construct = function_.constructs[index];
  if (plan_.IsRoot(index)) {
    const bool guarded =
        ResumesInside(construct) && construct.last_safepoint < open_.back().last_safepoint;
    GuardConstruct(construct);
    const bool braces = construct.targeted && construct.kind != ConstructKind::kLoop;
    Push(index, braces, construct.last_safepoint).guarded = guarded;
    if (braces) text_.Open("do");
    OpenRegion(index);
  }
  if (construct.kind == ConstructKind::kLoop) {
    BeginState(labels_.StateOf(index));
    LoopHeader(construct);
  } else if (construct.kind == ConstructKind::kIf) {
    EnsureGuard();
    const std::string condition = expressions_.UseCondition(inst.a);
    const uint32_t otherwise =
        construct.else_at != 0 ? labels_.ElseOf(index) : labels_.StateOf(index);
    text_.Line("if (!(", condition, ")) { ", JumpToState(plan_.region[index], otherwise), " }");
  }
}

void FunctionWriter::FlatElse(const Inst& inst) {
  EnsureGuard();
  if (reachable_) text_.Line(JumpToState(plan_.region[inst.imm], labels_.StateOf(inst.imm)));
  reachable_ = false;
  BeginState(labels_.ElseOf(inst.imm));
}

void FunctionWriter::FlatEnd(const Inst& inst) {
  if (!plan_.IsRoot(inst.imm)) {
    const bool loop = ConstructOf(inst).kind == ConstructKind::kLoop;
    const uint32_t state = labels_.StateOf(inst.imm);
    if (!loop && state != 0) BeginState(state);
    return;
  }
  CloseRegion();
  const Open closed = open_.back();
  open_.pop_back();
  if (closed.breakable) {
    text_.Close(" while (false);");
    breakable_.pop_back();
    AfterClose(closed);
  }
  if (closed.guarded) text_.Close();
  reachable_ = true;
}

}  // namespace wb
