#pragma once

// What the printers of one function's rows print from and to. FunctionWriter owns the last three
// and outlives the printers, as program and layout do.

#include <cstdint>
#include <string>

#include "compiler/abi/lane_layout.h"
#include "compiler/emit/function/expressions.h"
#include "compiler/emit/function/jump_targets.h"
#include "compiler/emit/plan/hot_bytes.h"
#include "compiler/emit/plan/windows.h"
#include "compiler/emit/text/data_copy.h"
#include "compiler/emit/text/text.h"
#include "compiler/ir/ir.h"

namespace wb {

struct RowContext {
  const ir::Program& program;
  const LaneLayout& layout;
  const ir::Function& function;
  WindowForm windows = WindowForm::kNone;
  HotBytes hot;
  Expressions& expressions;
  JumpTargets& targets;
  Text& text;
  CopyUse& copies;  // of the loads that are printed now

  // "12u": the word of the lane where the global lies.
  std::string GlobalWord(uint32_t global) const {
    return std::to_string(layout.globals_at + program.global_words[global]) + "u";
  }
};

}  // namespace wb
