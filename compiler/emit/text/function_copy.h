#pragma once

// A function in one of the forms in which it is printed, and how that form is declared.

#include <cstdint>
#include <string>

#include "compiler/ir/ir.h"

namespace wb {

struct FunctionCopy {
  const ir::Function& function;
  uint32_t copy = 0;   // NativeCalls
  bool loops = false;  // NativeCalls::Loops
  // Takes `r`: the number of the safepoint that it resumes at, 0 to begin.
  bool resumable() const { return copy == 0 && !function.bounded; }
};

// "static WbR_i wf_3(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0)"; `resume`
// stands before the type of `r`.
std::string SignatureText(const FunctionCopy& form, const std::string& resume = {});

}  // namespace wb
