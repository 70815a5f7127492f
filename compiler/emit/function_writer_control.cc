// FunctionWriter: constructs, branches, guards.

#include <algorithm>
#include <map>

#include "compiler/base/check.h"
#include "compiler/compiler.h"
#include "compiler/emit/function_writer.h"
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
  position_of_[construct] = static_cast<uint32_t>(open_.size());
  if (breakable) {
    breakable_.push_back(static_cast<uint32_t>(open_.size()));
    open.depth = static_cast<uint32_t>(breakable_.size());
    depth_of_[construct] = open.depth;
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

// Before a construct: one without safepoints is straight code; one with them is passed over by a
// function that resumes behind it.
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

void FunctionWriter::Safepoint(uint32_t number) {
  EnsureGuard();
  ExitIf("wb_spent(fuel)", kWhyLeft | number);
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
  const bool header = construct.header_safepoint != 0;
  const uint64_t cost = header ? function_.insts[row_ + 1].imm : 0;
  if (header && form_.resumable()) {
    // Give back what was paid before leaving: the header pays again and passes.
    text_.Line("if (r == ", construct.header_safepoint, "u) { fuel = fuel + ", cost,
               "u; r = 0u; }");
  }
  Push(static_cast<uint32_t>(inst.imm), true, construct.last_safepoint).guarded = guarded;
  text_.Open("while (true)");
  if (!header) return;
  next_safepoint_ = construct.header_safepoint + 1;
  EnsureGuard();
  if (cost != 0) rows_.Pay(std::to_string(cost) + "u");
  ExitIf("wb_spent(fuel)", kWhyLeft | construct.header_safepoint);
  row_ += 2;  // the header's kPay and kSafepoint
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

// A branch out of what was just closed may be on its way further out.
void FunctionWriter::AfterClose(const Open& closed) {
  const bool goes_on = closed.escape < closed.depth;
  // A loop's own arrivals were turned into `continue` inside it.
  if (closed.hit && ConstructOf(closed).kind != ConstructKind::kLoop) {
    if (goes_on) {
      text_.Line("if (w == ", closed.depth, "u) { w = 0u; }");
    } else {
      text_.Line("w = 0u;");
    }
  }
  if (!goes_on) return;
  Open& parent = Innermost();
  const bool loop = ConstructOf(parent).kind == ConstructKind::kLoop;
  const bool arrives = parent.hit && parent.hit_row > function_.constructs[closed.construct].begin;
  if (loop && arrives) {
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

void FunctionWriter::MarkHit(uint32_t construct) {
  Open& open = open_[position_of_[construct]];
  open.hit = true;
  open.hit_row = row_;
  Open& inner = Innermost();
  if (open.depth < inner.depth) inner.escape = std::min(inner.escape, open.depth);
}

void FunctionWriter::Branch(uint32_t target) {
  EnsureGuard();
  const Open& inner = Innermost();
  if (inner.construct == target) {
    text_.Line(ConstructOf(inner).kind == ConstructKind::kLoop ? "continue;" : "break;");
  } else {
    text_.Line("w = ", DepthOf(target), "u; break;");
    MarkHit(target);
  }
  reachable_ = false;
}

void FunctionWriter::BranchIf(const Inst& inst) {
  EnsureGuard();
  const uint32_t target = static_cast<uint32_t>(inst.imm);
  const std::string condition = expressions_.UseCondition(inst.a);
  const Open& inner = Innermost();
  if (inner.construct == target) {
    const bool loop = ConstructOf(inner).kind == ConstructKind::kLoop;
    text_.Line("if (", condition, ") { ", loop ? "continue; }" : "break; }");
  } else {
    text_.Line("if (", condition, ") { w = ", DepthOf(target), "u; break; }");
    MarkHit(target);
  }
}

void FunctionWriter::BranchTable(const Inst& inst) {
  EnsureGuard();
  const std::vector<uint32_t>& targets = function_.br_tables[inst.imm];
  std::map<uint32_t, std::vector<uint32_t>> cases;  // by depth of the target
  for (uint32_t i = 0; i + 1 < targets.size(); ++i) {
    if (targets[i] != targets.back()) cases[DepthOf(targets[i])].push_back(i);
  }
  const std::string index = expressions_.Use(inst.a);
  if (cases.empty()) {
    Branch(targets.back());
    return;
  }
  text_.Open("switch (", index, ")");
  for (const auto& [depth, indices] : cases) {
    std::string labels;
    for (uint32_t i : indices) labels += "case " + std::to_string(i) + "u: ";
    text_.Line(labels, "{ w = ", depth, "u; break; }");
  }
  text_.Line("default: { w = ", DepthOf(targets.back()), "u; break; }");
  text_.Close();
  for (uint32_t target : targets) MarkHit(target);
  const Open& inner = Innermost();
  const bool again = ConstructOf(inner).kind == ConstructKind::kLoop &&
                     std::find(targets.begin(), targets.end(), inner.construct) != targets.end();
  if (again) text_.Line("if (w == ", inner.depth, "u) { w = 0u; continue; }");
  text_.Line("break;");
  reachable_ = false;
}

}  // namespace wb
