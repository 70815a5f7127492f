#pragma once

// A call as lines of kernel text: for both ways of printing the control structure around it.
//
// A callee that is not recursive is called natively and, when its caller resumes, again. A
// recursive one is a root (runtime/calls.metal): a caller that resumes at its call finds it
// returned, with its results in the stage. NativeCalls says which of their calls are native. A tail
// call of a function that is not bounded ends its caller: the callee is then run as the root that
// the caller was.

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/abi/lane_layout.h"
#include "compiler/emit/function/expressions.h"
#include "compiler/emit/function/jump_targets.h"
#include "compiler/emit/plan/native_calls.h"
#include "compiler/emit/text/function_copy.h"
#include "compiler/emit/text/text.h"
#include "compiler/ir/ir.h"

namespace wb {

class CallWriter {
 public:
  // Appends to `text`; `expressions` are those of the function.
  CallWriter(const ir::Program& program, const LaneLayout& layout, const NativeCalls& native,
             const FunctionCopy& form, Expressions& expressions, JumpTargets& targets, Text& text)
      : program_(program),
        layout_(layout),
        native_(native),
        form_(form),
        expressions_(expressions),
        targets_(targets),
        text_(text) {}

  // The whole call: room on the stack, arguments, how the callee ended, results. Where it has a
  // safepoint and the function is resumable, `r` is 0 or that safepoint before, and 0 behind. May
  // end the function.
  void Write(const ir::Inst& inst);
  // Before a call: ends the function if too few slots are left.
  void CheckRoom(const ir::Inst& inst, const ir::Function& callee);

 private:
  void CallAgain(const ir::Inst& inst, const ir::Call& call);
  void CallRoot(const ir::Inst& inst, const ir::Call& call, uint32_t copy);
  void Leave(const ir::Inst& inst, const ir::Call& call);
  void Replace(const ir::Inst& inst, const ir::Call& call);
  void StageArguments(const ir::Call& call);

  // `result`: "WbR_i c0".
  void EnterOrResume(const ir::Call& call, uint32_t copy, const std::string& result,
                     const std::string& args);

  // ", l0", and "wf_3(L, f + 7u, room - 5u, low, fuel, r, l0)"; without `r` where that is empty.
  std::string ArgumentsText(const ir::Call& call);
  std::string CallText(const ir::Call& call, uint32_t copy, const std::string& r,
                       const std::string& args) const;
  void TakeResults(const ir::Call& call, const std::string& result);
  // The stage's words for values of these variables, one behind the other.
  std::vector<std::string> StageWords(const std::vector<ir::Var>& vars) const;
  ValueType TypeOf(ir::Var var) const { return form_.function.vars[var]; }
  std::string FrameEnd(uint32_t beyond) const;

  const ir::Program& program_;
  const LaneLayout& layout_;
  const NativeCalls& native_;
  const FunctionCopy& form_;
  Expressions& expressions_;
  JumpTargets& targets_;
  Text& text_;
  uint32_t calls_printed_ = 0;
};

}  // namespace wb
