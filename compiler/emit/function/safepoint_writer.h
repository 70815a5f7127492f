#pragma once

// Safepoints as lines of kernel text, for structured and flattened constructs.

#include <cstdint>
#include <string>

#include "compiler/emit/function/control_context.h"
#include "compiler/ir/ir.h"

namespace wb {

class SafepointWriter {
 public:
  explicit SafepointWriter(const ControlContext& context) : context_(context) {}

  // A safepoint in a sequence of rows: the function leaves where `leaves` holds, and resumes here.
  // `is_label`: it resumes where a state begins.
  void Write(uint32_t safepoint, const std::string& leaves, bool is_label);
  // The header of a loop: the two rows behind its kLoop, kPay and kSafepoint, where it has them.
  // `asks`: it tests the fuel, which otherwise is known to last.
  void LoopHeader(const ir::Construct& loop, bool asks = true);
  // How many rows LoopHeader prints.
  static uint32_t HeaderRows(const ir::Construct& loop) {
    return loop.header_safepoint == 0 ? 0 : 2;
  }
  // What a loop's header pays for a round, in fuel. The loop has a header safepoint.
  static uint64_t HeaderCost(const ir::Function& function, const ir::Construct& loop) {
    return function.insts[loop.begin + 1].imm;
  }

 private:
  const ControlContext context_;
};

}  // namespace wb
