#include "compiler/emit/function/dispatch_regions.h"

#include <algorithm>

#include "compiler/base/check.h"
#include "compiler/emit/function/safepoint_writer.h"

namespace wb {

void DispatchRegions::Open(uint32_t root, bool braced) {
  const FlatState& entry = labels_.RegionOf(root).entry;
  context_.guards.Enter(entry.first_safepoint, entry.last_safepoint);
  open_.push_back({root, braced, context_.targets.Open(JumpTarget::kNoConstruct, false), true});
  context_.text.Open("do");
}

void DispatchRegions::CloseEntry() {
  context_.guards.CloseGuard();
  context_.text.Close(" while (false);");
  context_.targets.GoOn(context_.targets.Close());
  context_.guards.Leave();
  context_.guards.CloseGuard();  // around an entry without safepoints
}

void DispatchRegions::OpenLoop() {
  Region& open = open_.back();
  open.in_entry = false;
  const FlatRegion& region = labels_.RegionOf(open.root);
  if (context_.form.resumable()) EnterResumed(region);
  context_.text.Open("while (true)");
  context_.text.Open("switch (s", region.level, ")");
  const uint32_t depth = context_.targets.Open(JumpTarget::kNoConstruct, true);
  WB_CHECK(open.depth == depth);
}

// Chooses the state that holds safepoint `r`. A loop's header is entered from its beginning, so the
// fuel that was paid before leaving is given back. Inside a state, guards lead to the safepoint.
void DispatchRegions::EnterResumed(const FlatRegion& region) {
  if (region.states.front().first_safepoint > region.states.back().last_safepoint) return;
  const ir::Function& function = context_.form.function;
  Text& text = context_.text;
  text.Open("if (r != 0u)");
  text.Open("switch (r)");
  for (uint32_t i = 0; i < region.states.size(); ++i) {
    const FlatState& state = region.states[i];
    const std::string enter = SetState(region.root, i + 1);
    const ir::Construct& loop = function.constructs[state.loop];
    const uint32_t header = state.loop == 0 ? 0 : loop.header_safepoint;
    if (header != 0) {
      text.Line("case ", header, "u: { ", enter, " fuel = fuel + ",
                SafepointWriter::HeaderCost(function, loop), "u; r = 0u; break; }");
    }
    std::string labels;
    for (uint32_t r = state.first_safepoint; r <= state.last_safepoint; ++r) {
      if (r != header) labels += "case " + std::to_string(r) + "u: ";
    }
    if (!labels.empty()) text.Line(labels, "{ ", enter, " break; }");
  }
  text.Line("default: { break; }");
  text.Close();
  text.Close();
}

void DispatchRegions::Close() {
  if (open_.back().in_entry) {  // no labels
    CloseEntry();
  } else {
    CloseLoop();
  }
  open_.pop_back();
}

void DispatchRegions::CloseLoop() {
  if (context_.targets.reachable()) context_.text.Line("break;");
  CloseState();
  context_.text.Line("default: { break; }");
  context_.text.Close();
  context_.text.Line("break;");
  context_.text.Close();
  const JumpTarget closed = context_.targets.Close();
  if (open_.back().braced) {
    context_.targets.Inherit(closed);  // the root's own end follows
  } else {
    context_.targets.GoOn(closed);
  }
}

void DispatchRegions::BeginState(uint32_t state) {
  const uint32_t root = open_.back().root;
  const bool falls = context_.targets.reachable();
  if (open_.back().in_entry) {
    if (falls) context_.text.Line(SetState(root, state));
    CloseEntry();
    OpenLoop();
  } else {
    if (falls) context_.text.Line(SetState(root, state), " continue;");
    CloseState();
  }
  context_.text.Open("case ", state, "u:");
  context_.guards.EnterUnguarded(labels_.RegionOf(root).states[state - 1].last_safepoint);
  context_.targets.SetReachable(true);
}

void DispatchRegions::CloseState() {
  context_.guards.CloseGuard();
  context_.guards.Leave();
  context_.text.Close();
}

std::string DispatchRegions::SetState(uint32_t root, uint32_t state) const {
  return "s" + std::to_string(labels_.RegionOf(root).level) + " = " + std::to_string(state) + "u;";
}

std::string DispatchRegions::JumpTo(uint32_t root, uint32_t state) {
  const auto at = std::find_if(open_.rbegin(), open_.rend(),
                               [&](const Region& region) { return region.root == root; });
  WB_CHECK(at != open_.rend());
  const std::string set = SetState(root, state) + " ";
  if (context_.targets.Innermost().depth != at->depth) {
    return set + context_.targets.JumpTo(at->depth);
  }
  if (at->in_entry) return set + "break;";
  return state == 0 ? "break;" : set + "continue;";
}

bool DispatchRegions::BreakEnds(uint32_t root) const {
  const Region& inner = open_.back();
  return inner.root == root && !inner.in_entry && inner.depth == context_.targets.Innermost().depth;
}

}  // namespace wb
