#pragma once

// Test only: sizes with which functions of any size become many.

#include "compiler/passes/cut/plan_cuts.h"

namespace wb::test {

inline constexpr CutSizes kSmallParts = {.whole = 0, .most = 8, .least = 2, .call = 1};

}  // namespace wb::test
