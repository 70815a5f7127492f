#pragma once

// How a resumed function gets to its safepoint: `r` holds the safepoint's number until it is
// reached, and 0 from there on. Safepoints are numbered in the order of rows, so a guard is one
// comparison: straight code before a safepoint of its sequence stands in `if (r == 0u)`, and a
// construct that holds safepoints in `if (r <= its last)`, where others of the sequence follow.
//
// A sequence is rows one behind the other: the body of a function, block or loop, an arm of an if,
// the entry or a state of a flattened region. In a function that is not resumable nothing here
// prints.

#include <cstdint>
#include <vector>

#include "compiler/emit/text/text.h"
#include "compiler/ir/ir.h"

namespace wb {

class ResumeGuards {
 public:
  // Appends to `text`.
  ResumeGuards(bool resumable, Text& text) : text_(text), resumable_(resumable) {}

  // Before straight code: opens its guard, where it needs one and none is open.
  void EnsureGuard();
  // Behind straight code.
  void CloseGuard();

  // Rows that hold these safepoints (none: first > last) follow as a sequence of their own; opens
  // what guards the whole of them. The caller then prints their opening.
  void Enter(uint32_t first_safepoint, uint32_t last_safepoint);
  void Enter(const ir::Construct& construct) {
    Enter(construct.first_safepoint, construct.last_safepoint);
  }
  // A sequence that begins here with no guard around it: the function, a state.
  void EnterUnguarded(uint32_t last_safepoint);
  // Between these two, which do not nest, nothing resumes, whatever safepoints constructs there
  // hold.
  void BeginRounds();
  void EndRounds();
  // The last safepoint of this sequence, where Enter was told of more than it holds: an arm.
  void SetLast(uint32_t last_safepoint);
  // The caller has closed the straight guard and printed the closing of the sequence.
  void Leave();

  // Before a row that a resumed function does again: a call that left, a memory.grow. True: a brace
  // is open around it, which the caller closes.
  bool OpenAgain(uint32_t safepoint);
  // What follows stands behind this safepoint.
  void Pass(uint32_t safepoint) { next_safepoint_ = safepoint + 1; }

  // Something inside these rows may be where the function resumes.
  bool ResumesInside(uint32_t first_safepoint, uint32_t last_safepoint) const {
    return Resumes() && first_safepoint <= last_safepoint;
  }

 private:
  struct Sequence {
    uint32_t last_safepoint = 0;
    bool guarded = false;     // an `if (r <= n)` stands around it
    bool guard_open = false;  // `if (r == 0u)` is open
  };

  bool Resumes() const { return resumable_ && !in_rounds_; }

  Text& text_;
  const bool resumable_;
  bool in_rounds_ = false;
  std::vector<Sequence> open_;
  uint32_t next_safepoint_ = 1;  // the first that is still to come
};

}  // namespace wb
