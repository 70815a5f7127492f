#include "scheduler/devices/interpreter/jump_patcher.h"

#include "compiler/base/check.h"

namespace wb {

JumpPatcher::JumpPatcher(const std::vector<ir::Construct>& constructs, ByteFunction& out)
    : constructs_(constructs), out_(out), waiting_(constructs.size()), start_(constructs.size()) {}

bool JumpPatcher::IsLoop(uint64_t construct) const {
  return constructs_[construct].kind == ir::ConstructKind::kLoop;
}

void JumpPatcher::BeginLoop(uint64_t construct) { start_[construct] = Here(); }

void JumpPatcher::JumpTo(uint64_t construct) {
  if (IsLoop(construct)) {
    out_.code.back().dst = start_[construct];
  } else {
    waiting_[construct].push_back({false, out_.code.size() - 1});
  }
}

void JumpPatcher::AddTarget(uint64_t construct) {
  const bool loop = IsLoop(construct);
  if (!loop) waiting_[construct].push_back({true, out_.targets.size()});
  out_.targets.push_back(loop ? start_[construct] : 0);
}

void JumpPatcher::JumpToElse(uint64_t construct) {
  else_jumps_.push_back({construct, out_.code.size() - 1});
}

bool JumpPatcher::ResolveElse(uint64_t construct) {
  if (else_jumps_.empty() || else_jumps_.back().first != construct) return false;
  out_.code[else_jumps_.back().second].dst = Here();
  else_jumps_.pop_back();
  return true;
}

void JumpPatcher::BeginElse(uint64_t construct) {
  const bool has_if = ResolveElse(construct);
  WB_CHECK(has_if);
}

void JumpPatcher::End(uint64_t construct) {
  ResolveElse(construct);  // an if without an else
  for (const Waiting& jump : std::exchange(waiting_[construct], {})) {
    (jump.in_table ? out_.targets[jump.at] : out_.code[jump.at].dst) = Here();
  }
}

}  // namespace wb
