#pragma once

// Blocks, loops and ifs as braces of the text: `do { } while (false)`, `while (true)`, `if`. A
// block or if that no branch names has no braces of its own to break out of. A block that one br_if
// leaves is an `if` around what it skips (plan/skip_plan.h).

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/emit/function/control_context.h"
#include "compiler/emit/function/safepoint_writer.h"
#include "compiler/emit/plan/skip_plan.h"
#include "compiler/ir/ir.h"

namespace wb {

class StructuredWriter {
 public:
  StructuredWriter(const ControlContext& context, SafepointWriter& safepoints)
      : context_(context),
        safepoints_(safepoints),
        skips_(PlanSkips(context.form.function, context.form.resumable())) {}

  // kBlock, kLoop (with the rows of its header), kIf, kElse or kEnd.
  void Write(const ir::Inst& inst);

  // The construct is a block that is left by `Skip` alone.
  bool IsSkip(uint32_t index) const { return skips_[index]; }
  // kBrIf of such a block: `condition` leaves it.
  void Skip(const std::string& condition);

  // A loop whose rounds are printed more than once: its entry, then OpenRounds and CloseRounds once
  // for each form, with the rows of a round in between, then its end.
  void EnterLoop(uint32_t index);
  // `head`: what stands before the brace. `asks`: the header tests the fuel.
  void OpenRounds(uint32_t index, const std::string& head, bool asks);
  JumpTarget CloseRounds();
  void LeaveLoop(const JumpTarget& closed);

 private:
  void OpenBlock(uint32_t index);
  void OpenIf(uint32_t index, ir::Var condition);
  void Else(const ir::Construct& construct);
  void End(uint32_t index);
  // It has braces that a branch breaks out of.
  bool HasBraces(uint32_t index) const {
    return context_.form.function.constructs[index].targeted && !skips_[index];
  }

  const ControlContext context_;
  SafepointWriter& safepoints_;
  const std::vector<bool> skips_;     // per construct
  std::vector<uint32_t> open_skips_;  // per open block that is one: 1 behind its br_if
};

}  // namespace wb
