#pragma once

// Flattened constructs as states of dispatch regions (DispatchRegions): an `if` becomes a test that
// jumps, a loop's header and an end that branches reach become states. Structured constructs may
// stand in a state, and further regions in those.

#include <cstdint>
#include <string>

#include "compiler/emit/function/activation_loop.h"
#include "compiler/emit/function/control_context.h"
#include "compiler/emit/function/dispatch_regions.h"
#include "compiler/emit/function/safepoint_writer.h"
#include "compiler/emit/plan/compile_options.h"
#include "compiler/emit/plan/flat_labels.h"
#include "compiler/emit/plan/flat_plan.h"
#include "compiler/ir/ir.h"

namespace wb {

class FlatWriter {
 public:
  // `stage_at`: the stage's word of the lane.
  FlatWriter(const ControlContext& context, SafepointWriter& safepoints, Flattening flattening,
             uint32_t stage_at);

  // The construct is printed here and not by StructuredWriter.
  bool IsFlat(uint64_t construct) const { return plan_.IsFlat(construct); }
  // The most regions within one another: the caller declares `s1` to `s` and this number.
  uint32_t levels() const { return labels_.levels(); }

  // The loop over the function's activations, if it has one: the caller says Declare and Unwind.
  ActivationLoop* loop() { return plan_.loops ? &loop_ : nullptr; }
  // The state of that loop that begins behind a safepoint; 0: none does.
  uint32_t StateBehind(uint32_t safepoint) const { return labels_.Behind(safepoint); }
  // The safepoint is that of the entry, which a function that resumes there passes again.
  bool IsEntry(uint32_t safepoint) const {
    return plan_.loops && safepoint == 1 && labels_.RegionOf(0).states[0].entry;
  }

  // The region of a function that is flattened whole, around all of its rows; else nothing.
  void OpenFunction();
  void CloseFunction();
  // kBlock, kLoop (with the rows of its header), kIf, kElse or kEnd of a flat construct.
  void Write(const ir::Inst& inst);

  // A branch to the construct goes on in a state of an open region.
  bool HasState(uint32_t construct) const {
    return IsFlat(construct) && labels_.StateOf(construct) != 0;
  }
  // The branch there, from the end of the text: "s1 = 4u; continue;". It ends in `break` or
  // `continue`.
  std::string JumpTo(uint32_t construct);
  // A `break` at the end of the text ends the region of this construct, its root.
  bool BreakEnds(uint32_t construct) const {
    return plan_.IsRoot(construct) && regions_.BreakEnds(construct);
  }

 private:
  // Of the region of this root, which is open.
  void BeginState(uint32_t root, uint32_t state);
  std::string JumpTo(uint32_t root, uint32_t state);
  void Open(const ir::Inst& inst, uint32_t index);
  void OpenRoot(uint32_t index);
  void TestIf(uint32_t index, ir::Var condition);
  void Else(uint32_t index);
  void End(uint32_t index);
  // The root of a region has braces of its own around it.
  bool HasBraces(uint32_t root) const;
  const ir::Construct& ConstructOf(uint64_t index) const {
    return context_.form.function.constructs[index];
  }

  const ControlContext context_;
  SafepointWriter& safepoints_;
  const FlatPlan plan_;
  const FlatLabels labels_;
  DispatchRegions regions_;
  ActivationLoop loop_;  // in place of the region of the function
};

}  // namespace wb
