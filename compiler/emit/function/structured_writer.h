#pragma once

// Blocks, loops and ifs as braces of the text: `do { } while (false)`, `while (true)`, `if`. A
// block or if that no branch names has no braces of its own to break out of.

#include <cstdint>
#include <string>

#include "compiler/emit/function/control_context.h"
#include "compiler/emit/function/safepoint_writer.h"
#include "compiler/ir/ir.h"

namespace wb {

class StructuredWriter {
 public:
  StructuredWriter(const ControlContext& context, SafepointWriter& safepoints)
      : context_(context), safepoints_(safepoints) {}

  // kBlock, kLoop (with the rows of its header), kIf, kElse or kEnd.
  void Write(const ir::Inst& inst);

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
  void End(const ir::Construct& construct);

  const ControlContext context_;
  SafepointWriter& safepoints_;
};

}  // namespace wb
