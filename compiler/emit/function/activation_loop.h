#pragma once

// A function that calls itself, as a loop over its activations (NativeCalls::Loops). It is a region
// of states, as DispatchRegions prints them, but every round asks for one state after the other, in
// an order that mostly goes forward. Lanes of a group that are at different depths then run the
// same instructions.
//
// A call of itself keeps what the caller still needs, and goes to the first state with the
// arguments. The function's end goes to the state behind that call, unless the activation is the
// one that was entered. Frames lie where native calls would have them, so links are written only
// when the function leaves. CallersFrames says what is in memory until then.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/emit/function/callers_frames.h"
#include "compiler/emit/function/control_context.h"
#include "compiler/emit/plan/flat_labels.h"
#include "compiler/emit/text/ways_out.h"
#include "compiler/ir/ir.h"

namespace wb {

class ActivationLoop {
 public:
  // `labels` are those of the function; `stage_at` is the stage's word of the lane.
  ActivationLoop(const ControlContext& context, const FlatLabels& labels, uint32_t stage_at)
      : context_(context), labels_(labels), stage_at_(stage_at) {}
  ActivationLoop(const ActivationLoop&) = delete;  // jumps out refer to its ways

  // Variables of the loop. `f` is the frame that was entered.
  void Declare();
  void Open();
  // The function's end: its results are valid.
  void Close();
  // A state begins here: the code before it falls into it.
  void BeginState(uint32_t state);
  // "s1 = 4u; break;": text that goes on in a state.
  std::string JumpTo(uint32_t state);

  // A call of the function itself, for which there is room, and the state behind it.
  void Call(const ir::Call& call);
  // Behind the loop, where the function ends with R.w: frames and links of all activations but the
  // last.
  void Unwind();

 private:
  // Which variable holds a result between the function's end and the row behind the call: that of
  // the function itself, unless a caller's value of it may be alive then.
  std::string ResultName(size_t index) const;
  bool OwnHolds(size_t index) const;
  void TakeArguments(const ir::Call& call);
  void Return();
  void GoBehindCall(const std::string& safepoint);
  void EnterResumed();
  std::string ResultsFromStage() const;
  std::string ResultsFromFrame(uint32_t safepoint) const;
  void CloseState();
  // The states, each behind those that mostly lead to it.
  std::vector<uint32_t> Order() const;
  std::vector<uint32_t> Safepoints() const;  // of calls of the function itself
  uint32_t Distance() const;                 // words from a frame to that of a callee
  const ir::Function& function() const { return context_.form.function; }
  ValueType TypeOf(ir::Var var) const { return function().vars[var]; }

  const ControlContext context_;
  const FlatLabels& labels_;
  const uint32_t stage_at_;
  std::optional<CallersFrames> frames_;
  WaysOut ways_{0};
  uint32_t state_ = 0;                       // the open one; 0: none yet
  uint32_t depth_ = 0;                       // of its braces, as a target of jumps
  std::vector<size_t> begins_;               // where the text of each state begins
  std::vector<std::vector<uint32_t>> next_;  // per state, where it goes but to a callee
};

}  // namespace wb
