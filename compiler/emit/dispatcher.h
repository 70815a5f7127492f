#pragma once

#include <cstdint>
#include <vector>

#include "compiler/emit/kernel.h"
#include "compiler/emit/text/text.h"
#include "compiler/ir/ir.h"

namespace wb {

// wb_run, which the outer loop (runtime/outer_loop.metal) calls to enter or resume one of `roots`
// (function indices, ascending). Arguments and results lie in the lane's stage.
void WriteDispatcher(const ir::Program& program, const LaneLayout& layout,
                     const std::vector<uint32_t>& roots, Text& text);

}  // namespace wb
