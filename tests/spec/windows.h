#pragma once

// Parts of memory that tests let lanes hold.

#include "compiler/abi/lane_layout.h"
#include "compiler/emit/plan/windows.h"
#include "compiler/ir/ir.h"

namespace wb::test {

// What rows come to without a test, and else the block in the middle of what memory 0 begins with,
// or its first. It is so small that most programs soon miss it.
MemoryWindow SmallestWindow(const ir::Program& program, WindowForm form);

}  // namespace wb::test
