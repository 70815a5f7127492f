#pragma once

// One IR function as kernel text. The passes have made every decision; here rows become lines. The
// shape (measured on GPUs, see compiler/docs/frames.md):
//  - one exit: leaving, trapping and returning set `w` and break outwards to the single return;
//  - a resumed function falls through guards to its safepoint: straight code before a construct
//    that holds safepoints stands in `if (r == 0u)`, the construct in `if (r <= its last)`; nothing
//    in an innermost loop tests for resuming, because fuel paid for its header is given back first;
//  - constructs that no branch names have no braces of their own.

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/emit/call_writer.h"
#include "compiler/emit/expressions.h"
#include "compiler/emit/flat_labels.h"
#include "compiler/emit/flat_plan.h"
#include "compiler/emit/kernel.h"
#include "compiler/emit/native_calls.h"
#include "compiler/emit/row_writer.h"
#include "compiler/emit/text.h"
#include "compiler/ir/ir.h"

namespace wb {

class FunctionWriter {
 public:
  // More than any device's compiler finishes in its time.
  static constexpr size_t kMaxTextBytes = size_t{64} << 20;

  // Variables times places where paths meet; beyond it variables are left in memory (`volatile`).
  static constexpr uint64_t kMostJoins = uint64_t{1} << 19;

  // Appends to `text`.
  FunctionWriter(const ir::Program& program, const LaneLayout& layout, const NativeCalls& native,
                 const FunctionCopy& form, Flattening flattening, Text& text);
  // Stops midway where the text passes one of the limits, so that a hostile function costs no more
  // than the limits allow. The caller checks the text against them.
  void Write();

 private:
  static constexpr uint32_t kNoEscape = 0xffffffffu;
  static constexpr uint32_t kNoConstruct = 0xffffffffu;

  // What is open around the current row: a construct, or the entry, dispatch loop or state of a
  // region (no construct). Only breakable ones (function, targeted block and if, every loop, entry,
  // dispatch loop) have a depth; `break` and `continue` act on the innermost of them.
  struct Open {
    uint32_t construct = 0;
    uint32_t begin_row = 0;
    bool breakable = false;
    bool loops = false;       // a branch to it is a `continue`
    bool guarded = false;     // an `if (r <= n)` stands around it
    bool guard_open = false;  // the straight guard `if (r == 0u)` is open
    bool hit = false;         // some branch from deeper inside arrives with w == depth
    uint32_t hit_row = 0;     // the last row of such a branch
    uint32_t depth = 0;
    uint32_t escape = kNoEscape;  // smallest depth that branches or exits inside aim at
    uint32_t last_safepoint = 0;  // of the row sequence being printed
  };

  // A dispatch region that is open.
  struct Dispatch {
    uint32_t root = 0;
    uint32_t position = 0;  // in open_, of its entry or its loop
    bool in_entry = true;
  };

  // Something inside the construct may be where the function resumes.
  bool ResumesInside(const ir::Construct& construct) const {
    return form_.resumable() && construct.first_safepoint <= construct.last_safepoint;
  }
  // A loop with further safepoints inside: lanes go different ways in it for longer, and come back
  // together to its header.
  static bool LanesMeet(const ir::Construct& loop) {
    return loop.header_safepoint != 0 && loop.header_safepoint < loop.last_safepoint;
  }
  const ir::Construct& ConstructOf(const ir::Inst& inst) const {
    return function_.constructs[inst.imm];
  }

  bool HasManyJoins() const;
  void Prologue();
  void Declare(ir::Var var);
  void Epilogue();
  void WriteEnd();
  void Visit(const ir::Inst& inst);
  void VisitStructured(const ir::Inst& inst);
  void VisitFlat(const ir::Inst& inst);
  void Straight(const ir::Inst& inst);
  bool OpenAgain(uint32_t safepoint);
  void Grow(const ir::Inst& inst);
  void Call(const ir::Inst& inst);

  void OpenBlock(const ir::Inst& inst);
  void OpenLoop(const ir::Inst& inst);
  void LoopHeader(const ir::Construct& loop);
  void OpenIf(const ir::Inst& inst);
  void Else(const ir::Inst& inst);
  void End(const ir::Inst& inst);
  void AfterClose(const Open& closed);
  std::string Jump(uint32_t target);
  void Branch(uint32_t target);
  void BranchIf(const ir::Inst& inst);
  void BranchTable(const ir::Inst& inst);
  void Safepoint(uint32_t number, const std::string& leaves);

  void OpenRegion(uint32_t root);
  void CloseEntry();
  void OpenDispatch();
  // "s1 = 4u;"
  std::string SetState(uint32_t root, uint32_t state) const;
  void EnterResumed(const FlatRegion& region);
  void BeginState(uint32_t state);
  void CloseState();
  void CloseRegion();
  std::string JumpToState(uint32_t root, uint32_t state);
  void OpenFlat(const ir::Inst& inst);
  void FlatElse(const ir::Inst& inst);
  void FlatEnd(const ir::Inst& inst);

  Open& Push(uint32_t construct, bool breakable, uint32_t last_safepoint);
  void GuardConstruct(const ir::Construct& construct);
  void EnsureGuard();
  void CloseGuard();
  Open& Innermost() { return open_[breakable_.back()]; }
  // A branch from here sets `w` to the depth of what is open at `position`.
  void MarkHit(uint32_t position);
  // Prints "condition: w = why; break", out of everything.
  void ExitIf(const std::string& condition, uint32_t why);
  void MarkExit();

  const ir::Program& program_;
  const FunctionCopy form_;
  const ir::Function& function_;
  std::vector<ValueType> results_;
  Text& text_;
  Expressions expressions_;
  RowWriter rows_;
  CallWriter calls_;
  const FlatPlan plan_;
  const FlatLabels labels_;
  std::vector<Dispatch> dispatches_;
  std::vector<Open> open_;
  std::vector<uint32_t> breakable_;    // positions in open_
  std::vector<uint32_t> position_of_;  // per construct: position in open_
  uint32_t row_ = 0;
  uint32_t next_safepoint_ = 1;
  bool reachable_ = true;
  const bool in_memory_;  // variables: kMostJoins
  bool exits_ = false;    // something leaves, traps or needs stack
};

}  // namespace wb
