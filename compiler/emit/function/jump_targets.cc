#include "compiler/emit/function/jump_targets.h"

#include <algorithm>

#include "compiler/emit/text/names.h"

namespace wb {

uint32_t JumpTargets::Open(uint32_t construct, bool loops) {
  JumpTarget target;
  target.construct = construct;
  target.depth = static_cast<uint32_t>(open_.size() + 1);
  target.loops = loops;
  if (construct != JumpTarget::kNoConstruct) depth_of_[construct] = target.depth;
  open_.push_back(target);
  return target.depth;
}

JumpTarget JumpTargets::Close() {
  const JumpTarget closed = open_.back();
  open_.pop_back();
  return closed;
}

void JumpTargets::GoOn(const JumpTarget& closed) {
  const bool goes_on = closed.escape < closed.depth;
  // Jumps to the loop itself have become `continue` inside it.
  if (closed.hit && !closed.loops) {
    if (goes_on) {
      text_.Line("if (w == ", closed.depth, "u) { w = 0u; }");
    } else {
      text_.Line("w = 0u;");
    }
  }
  if (!goes_on) return;
  const JumpTarget& parent = Innermost();
  if (parent.loops && closed.passes_parent) {
    if (closed.escape == parent.depth) {
      text_.Line("if (w != 0u) { w = 0u; continue; }");
    } else {
      text_.Line("if (w != 0u) { if (w == ", parent.depth, "u) { w = 0u; continue; } break; }");
    }
  } else {
    text_.Line("if (w != 0u) { break; }");
  }
  if (closed.escape < parent.depth) Inherit(closed);
}

void JumpTargets::Inherit(const JumpTarget& closed) {
  open_.back().escape = std::min(open_.back().escape, closed.escape);
}

std::string JumpTargets::JumpTo(uint32_t depth) {
  open_[depth - 1].hit = true;
  if (depth < open_.size()) {
    open_[depth].passes_parent = true;
    open_.back().escape = std::min(open_.back().escape, depth);
  }
  return "w = " + std::to_string(depth) + "u; break;";
}

std::string JumpTargets::Exit(const std::string& why) {
  const uint32_t state = open_.size() == ways_depth_ ? ways_->StateOf(why) : 0;
  if (state == 0) return ExitNow(why);
  exits_ = true;
  return "s1 = " + std::to_string(state) + "u; break;";
}

std::string JumpTargets::ExitNow(const std::string& why) {
  open_.back().escape = 0;
  exits_ = true;
  return "w = " + why + "; break;";
}

void JumpTargets::ExitIf(const std::string& condition, uint32_t why) {
  text_.Line("if (", condition, ") { ", Exit(Hex(why)), " }");
}

void JumpTargets::ExitAlways(uint32_t why) {
  text_.Line(Exit(Hex(why)));
  reachable_ = false;
}

}  // namespace wb
