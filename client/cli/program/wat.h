#pragma once

// WebAssembly text -> binary.

#include <string>
#include <string_view>

#include "compiler/base/status.h"

namespace wb::cli {

// The binary of `text`; `file` names it in errors. WAT_INVALID with "at" = "FILE:LINE:COLUMN" for
// text that is no valid module, or that nests deeper than kMaxWatDepth.
Result<std::string> AssembleWat(const std::string& text, const std::string& file);

// Blocks and parentheses within each other: the assembler recurses on them.
inline constexpr int kMaxWatDepth = 500;

struct WatDepth {
  int deepest = 0;
  int line = 1;  // where the deepest is first reached
  int column = 1;
};
// Never too small. Linear, no recursion.
WatDepth MeasureDepth(std::string_view text);

}  // namespace wb::cli
