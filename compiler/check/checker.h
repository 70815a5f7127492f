#pragma once

// Does a kernel text stay within our subset of the Metal Shading Language? The text is parsed as
// C++ for OpenCL 2021, whose address spaces are those of Metal, with compiler/prelude/check as its
// <metal_stdlib>; rules.h adds what that language allows and the subset does not. Pure: reads no
// file, and any thread may call it.

#include <string_view>
#include <vector>

#include "compiler/check/violation.h"

namespace wb {

// In the order of lines; empty if the text is in the subset. After an error of the language itself
// only that and what precedes it may be reported.
std::vector<Violation> CheckKernelText(std::string_view text);

}  // namespace wb
