#include "compiler/emit/function/resume_guards.h"

namespace wb {

void ResumeGuards::EnsureGuard() {
  Sequence& sequence = open_.back();
  if (sequence.guard_open || next_safepoint_ > sequence.last_safepoint) return;
  text_.Open("if (r == 0u)");
  sequence.guard_open = true;
}

void ResumeGuards::CloseGuard() {
  Sequence& sequence = open_.back();
  if (!sequence.guard_open) return;
  sequence.guard_open = false;
  text_.Close();
}

// Rows without safepoints are straight code. A function that resumes behind rows with safepoints
// passes over them.
void ResumeGuards::Enter(uint32_t first_safepoint, uint32_t last_safepoint) {
  bool guarded = false;
  if (ResumesInside(first_safepoint, last_safepoint)) {
    CloseGuard();
    guarded = last_safepoint < open_.back().last_safepoint;
    if (guarded) text_.Open("if (r <= ", last_safepoint, "u)");
  } else {
    EnsureGuard();
  }
  EnterUnguarded(last_safepoint);
  open_.back().guarded = guarded;
}

void ResumeGuards::EnterUnguarded(uint32_t last_safepoint) {
  open_.emplace_back();
  SetLast(last_safepoint);
}

void ResumeGuards::BeginRounds() {
  in_rounds_ = true;
  EnterUnguarded(0);
}

void ResumeGuards::EndRounds() {
  open_.pop_back();
  in_rounds_ = false;
}

void ResumeGuards::SetLast(uint32_t last_safepoint) {
  open_.back().last_safepoint = Resumes() ? last_safepoint : 0;
}

void ResumeGuards::Leave() {
  const bool guarded = open_.back().guarded;
  open_.pop_back();
  if (guarded) text_.Close();
}

bool ResumeGuards::OpenAgain(uint32_t safepoint) {
  CloseGuard();
  Pass(safepoint);
  const bool braced = next_safepoint_ <= open_.back().last_safepoint;
  if (braced) text_.Open("if (r <= ", safepoint, "u)");
  return braced;
}

}  // namespace wb
