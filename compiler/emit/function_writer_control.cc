// FunctionWriter: constructs, branches, guards.

#include <algorithm>
#include <map>

#include "compiler/base/check.h"
#include "compiler/emit/function_writer.h"
#include "compiler/emit/kernel.h"
#include "compiler/emit/names.h"

namespace wb {

using ir::Construct;
using ir::ConstructKind;
using ir::Inst;

FunctionWriter::Open& FunctionWriter::Push(uint32_t construct, bool breakable,
                                           uint32_t last_safepoint) {
  Open open;
  open.construct = construct;
  open.breakable = breakable;
  open.last_safepoint = form_.resumable() ? last_safepoint : 0;
  open.begin_row = row_;
  if (construct != kNoConstruct) position_of_[construct] = static_cast<uint32_t>(open_.size());
  if (breakable) {
    breakable_.push_back(static_cast<uint32_t>(open_.size()));
    open.depth = static_cast<uint32_t>(breakable_.size());
  }
  open_.push_back(open);
  return open_.back();
}

// ---- guards of resumed functions

// Straight code that a resumed function skips, because its safepoint comes later in this sequence.
void FunctionWriter::EnsureGuard() {
  Open& open = open_.back();
  if (open.guard_open || next_safepoint_ > open.last_safepoint) return;
  text_.Open("if (r == 0u)");
  open.guard_open = true;
}

void FunctionWriter::CloseGuard() {
  Open& open = open_.back();
  if (!open.guard_open) return;
  open.guard_open = false;
  text_.Close();
}

// Before a construct. One without safepoints is straight code. A function that resumes behind a
// construct with safepoints passes over it.
void FunctionWriter::GuardConstruct(const Construct& construct) {
  if (!ResumesInside(construct)) {
    EnsureGuard();
    return;
  }
  CloseGuard();
  if (construct.last_safepoint < open_.back().last_safepoint) {
    text_.Open("if (r <= ", construct.last_safepoint, "u)");
  }
}

void FunctionWriter::Safepoint(uint32_t number, const std::string& leaves) {
  EnsureGuard();
  ExitIf(leaves, abi::WHY_LEFT | number);
  CloseGuard();
  if (form_.resumable()) text_.Line("if (r == ", number, "u) { r = 0u; }");
  next_safepoint_ = number + 1;
}

// ---- constructs

void FunctionWriter::OpenBlock(const Inst& inst) {
  const Construct& construct = function_.constructs[inst.imm];
  const bool guarded =
      ResumesInside(construct) && construct.last_safepoint < open_.back().last_safepoint;
  GuardConstruct(construct);
  Push(static_cast<uint32_t>(inst.imm), construct.targeted, construct.last_safepoint).guarded =
      guarded;
  if (construct.targeted) text_.Open("do");
}

void FunctionWriter::OpenLoop(const Inst& inst) {
  const Construct& construct = function_.constructs[inst.imm];
  const bool guarded =
      ResumesInside(construct) && construct.last_safepoint < open_.back().last_safepoint;
  GuardConstruct(construct);
  if (construct.header_safepoint != 0 && form_.resumable()) {
    // Gives back what was paid before leaving: the header pays it again and passes its test.
    text_.Line("if (r == ", construct.header_safepoint, "u) { fuel = fuel + ",
               function_.insts[row_ + 1].imm, "u; r = 0u; }");
  }
  Open& open = Push(static_cast<uint32_t>(inst.imm), true, construct.last_safepoint);
  open.guarded = guarded;
  open.loops = true;
  text_.Open("while (true)");
  LoopHeader(construct);
}

// The header's kPay and kSafepoint, where it has them.
void FunctionWriter::LoopHeader(const Construct& loop) {
  if (loop.header_safepoint == 0) return;
  const uint64_t cost = function_.insts[row_ + 1].imm;
  next_safepoint_ = loop.header_safepoint + 1;
  EnsureGuard();
  if (cost != 0) rows_.Pay(std::to_string(cost) + "u");
  ExitIf(LanesMeet(loop) ? "wb_group_is_low(fuel, low)" : "wb_spent(fuel)",
         abi::WHY_LEFT | loop.header_safepoint);
  row_ += 2;
}

void FunctionWriter::OpenIf(const Inst& inst) {
  const Construct& construct = function_.constructs[inst.imm];
  const bool has_safepoints = ResumesInside(construct);
  const bool guarded = has_safepoints && construct.last_safepoint < open_.back().last_safepoint;
  if (!has_safepoints) EnsureGuard();
  std::string condition = expressions_.UseCondition(inst.a);
  GuardConstruct(construct);
  const bool has_else = construct.else_at != 0;
  const uint32_t then_last = has_else ? construct.else_safepoint - 1 : construct.last_safepoint;
  Push(static_cast<uint32_t>(inst.imm), construct.targeted, then_last).guarded = guarded;
  if (construct.targeted) text_.Open("do");
  if (has_safepoints) {
    condition = "r == 0u ? " + condition + " : r <= " + std::to_string(then_last) + "u";
  }
  text_.Open("if (", condition, ")");
}

void FunctionWriter::Else(const Inst& inst) {
  Open& open = open_.back();
  CloseGuard();
  text_.CloseOpen("else");
  open.last_safepoint = form_.resumable() ? function_.constructs[inst.imm].last_safepoint : 0;
  reachable_ = true;
}

void FunctionWriter::End(const Inst& inst) {
  CloseGuard();
  const Open closed = open_.back();
  const Construct& construct = function_.constructs[inst.imm];
  switch (construct.kind) {
    case ConstructKind::kLoop:
      if (reachable_) text_.Line("break;");
      text_.Close();
      break;
    case ConstructKind::kIf:
      text_.Close();
      if (closed.breakable) text_.Close(" while (false);");
      break;
    default:
      if (closed.breakable) text_.Close(" while (false);");
      break;
  }
  open_.pop_back();
  if (closed.breakable) breakable_.pop_back();
  reachable_ = true;
  if (closed.breakable) AfterClose(closed);
  if (closed.guarded) text_.Close();
}

// A branch out of the construct just closed may be on its way further out.
void FunctionWriter::AfterClose(const Open& closed) {
  const bool goes_on = closed.escape < closed.depth;
  // Branches to the loop itself have become `continue` inside it.
  if (closed.hit && !closed.loops) {
    if (goes_on) {
      text_.Line("if (w == ", closed.depth, "u) { w = 0u; }");
    } else {
      text_.Line("w = 0u;");
    }
  }
  if (!goes_on) return;
  Open& parent = Innermost();
  if (parent.loops && parent.hit && parent.hit_row > closed.begin_row) {
    if (closed.escape == parent.depth) {
      text_.Line("if (w != 0u) { w = 0u; continue; }");
    } else {
      text_.Line("if (w != 0u) { if (w == ", parent.depth, "u) { w = 0u; continue; } break; }");
    }
  } else {
    text_.Line("if (w != 0u) { break; }");
  }
  if (closed.escape < parent.depth) parent.escape = std::min(parent.escape, closed.escape);
}

// ---- branches

void FunctionWriter::MarkHit(uint32_t position) {
  Open& open = open_[position];
  open.hit = true;
  open.hit_row = row_;
  Open& inner = Innermost();
  if (open.depth < inner.depth) inner.escape = std::min(inner.escape, open.depth);
}

// Text that goes to a construct's label; it ends in `break` or `continue`.
std::string FunctionWriter::Jump(uint32_t target) {
  if (plan_.IsFlat(target) && labels_.StateOf(target) != 0) {
    return JumpToState(plan_.region[target], labels_.StateOf(target));
  }
  const Open& inner = Innermost();
  if (inner.construct == target) return inner.loops ? "continue;" : "break;";
  const bool ends_region = plan_.IsRoot(target) && dispatches_.back().root == target &&
                           dispatches_.back().position == breakable_.back() && inner.loops;
  if (ends_region) return "break;";
  MarkHit(position_of_[target]);
  return "w = " + std::to_string(open_[position_of_[target]].depth) + "u; break;";
}

void FunctionWriter::Branch(uint32_t target) {
  EnsureGuard();
  text_.Line(Jump(target));
  reachable_ = false;
}

void FunctionWriter::BranchIf(const Inst& inst) {
  EnsureGuard();
  const std::string condition = expressions_.UseCondition(inst.a);
  text_.Line("if (", condition, ") { ", Jump(static_cast<uint32_t>(inst.imm)), " }");
}

void FunctionWriter::BranchTable(const Inst& inst) {
  EnsureGuard();
  const std::vector<uint32_t>& targets = function_.br_tables[inst.imm];
  std::map<uint32_t, std::vector<uint32_t>> cases;  // by target
  for (uint32_t i = 0; i + 1 < targets.size(); ++i) {
    if (targets[i] != targets.back()) cases[targets[i]].push_back(i);
  }
  const std::string index = expressions_.Use(inst.a);
  if (cases.empty()) {
    Branch(targets.back());
    return;
  }
  text_.Open("switch (", index, ")");
  for (const auto& [target, indices] : cases) {
    std::string labels;
    for (uint32_t i : indices) labels += "case " + std::to_string(i) + "u: ";
    text_.Line(labels, "{ ", Jump(target), " }");
  }
  text_.Line("default: { ", Jump(targets.back()), " }");
  text_.Close();
  text_.Line("break;");
  reachable_ = false;
}

}  // namespace wb
