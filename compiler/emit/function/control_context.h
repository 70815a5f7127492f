#pragma once

// What the printers of one function's control structure print from and to. FunctionWriter owns all
// of it and outlives the printers.

#include "compiler/emit/function/expressions.h"
#include "compiler/emit/function/jump_targets.h"
#include "compiler/emit/function/resume_guards.h"
#include "compiler/emit/text/function_copy.h"
#include "compiler/emit/text/text.h"

namespace wb {

struct ControlContext {
  const FunctionCopy& form;
  Expressions& expressions;
  JumpTargets& targets;
  ResumeGuards& guards;
  Text& text;
};

}  // namespace wb
