#pragma once

// A kernel text for CUDA. There every constant of a file is a variable of the GPU, used or not: a
// load of the code allocates and fills them, which takes longer than all else of it
// (bench/docs/gpu_kernels.md).

#include <string>
#include <string_view>

namespace wb {

// The text with a macro in place of each constant that is one number: `constant uint WB_LEFT = 1u;`
// becomes `#define WB_LEFT 1u`. Lines keep their numbers.
std::string WithNumbersAsMacros(std::string_view text);

}  // namespace wb
