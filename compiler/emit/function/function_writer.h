#pragma once

// One IR function as kernel text. The passes have made every decision; here rows become lines. The
// shape (measured on GPUs, see compiler/docs/frames.md):
//  - one exit: leaving, trapping and returning set `w` and break outwards to the single return
//    (JumpTargets);
//  - a resumed function falls through guards to its safepoint (ResumeGuards); nothing in an
//    innermost loop tests for resuming, because fuel paid for its header is given back first;
//  - constructs that no branch names have no braces of their own.
//
// Each kind of row has a printer of its own. This class owns them and what they share, and gives
// each row to its printer.

#include <cstddef>
#include <cstdint>

#include "compiler/abi/lane_layout.h"
#include "compiler/emit/function/branch_writer.h"
#include "compiler/emit/function/call_writer.h"
#include "compiler/emit/function/counted_writer.h"
#include "compiler/emit/function/expressions.h"
#include "compiler/emit/function/flat_writer.h"
#include "compiler/emit/function/frame_writer.h"
#include "compiler/emit/function/jump_targets.h"
#include "compiler/emit/function/resume_guards.h"
#include "compiler/emit/function/row_writer.h"
#include "compiler/emit/function/safepoint_writer.h"
#include "compiler/emit/function/structured_writer.h"
#include "compiler/emit/plan/compile_options.h"
#include "compiler/emit/plan/hot_bytes.h"
#include "compiler/emit/plan/native_calls.h"
#include "compiler/emit/text/function_copy.h"
#include "compiler/emit/text/text.h"
#include "compiler/ir/ir.h"

namespace wb {

class FunctionWriter {
 public:
  // More than any device's compiler finishes in its time.
  static constexpr size_t kMaxTextBytes = size_t{64} << 20;

  // Appends to `text`.
  FunctionWriter(const ir::Program& program, const LaneLayout& layout, const NativeCalls& native,
                 const FunctionCopy& form, const CompileOptions& options, const HotBytes& hot,
                 Text& text);
  FunctionWriter(const FunctionWriter&) = delete;  // the printers refer to its members
  FunctionWriter& operator=(const FunctionWriter&) = delete;

  // Stops midway where the text passes one of the limits, so that a hostile function costs no more
  // than the limits allow. The caller checks the text against them.
  void Write();

 private:
  void Visit(const ir::Inst& inst);
  void Row(const ir::Inst& inst);
  const ir::StraightRun* StraightRunHere() const;
  // A straight run in its two forms.
  void Twice(const ir::StraightRun& run);
  JumpTarget FirstForm(const ir::StraightRun& run);
  void RowsOf(const ir::StraightRun& run);
  void Construct(const ir::Inst& inst);
  const ir::CountedLoop* CountedLoopAt(uint64_t construct) const;
  void Counted(const ir::CountedLoop& loop);
  // The rounds of the first form, and of the plain one.
  JumpTarget CountedRounds(const ir::CountedLoop& loop);
  JumpTarget PlainRounds(const ir::CountedLoop& loop);
  void Rows(const ir::Construct& construct);
  void Steps(const ir::CountedLoop& loop);
  // Where the rounds of a counted loop's first form are printed: its place (CountedLoop::RowAt).
  uint32_t Place() const { return rounds_of_->steps.empty() ? row_ : step_; }
  void Safepoint(const ir::Inst& inst);
  void Straight(const ir::Inst& inst);
  void BranchIf(const ir::Inst& inst);
  void Grow(const ir::Inst& inst);
  void Call(const ir::Inst& inst);
  void NoteFor(const ir::Function& callee);
  void CallItself(const ir::Inst& inst, const ir::Call& call);
  ControlContext Control() { return {form_, expressions_, targets_, guards_, text_}; }

  const ir::Program& program_;
  const FunctionCopy form_;
  const ir::Function& function_;
  Text& text_;
  Expressions expressions_;
  JumpTargets targets_;
  ResumeGuards guards_;
  CopyUse copies_ = CopyUse::kAsk;
  RowWriter rows_;
  CallWriter calls_;
  FrameWriter frame_;
  SafepointWriter safepoints_;
  StructuredWriter structured_;
  FlatWriter flat_;
  BranchWriter branches_;
  CountedWriter counted_;
  const ir::CountedLoop* rounds_of_ = nullptr;  // in the rounds of its first form
  uint32_t row_ = 0;
  uint32_t step_ = 0;  // of rounds_of_, if that has steps
};

}  // namespace wb
