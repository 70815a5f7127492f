#pragma once

// Rules on preprocessor directives: no conditionals, no macros, no include but <metal_stdlib>, and
// a text with a kernel says how floats behave.

#include <clang/Lex/PPCallbacks.h>

#include <memory>

#include "compiler/check/report.h"

namespace wb {

std::unique_ptr<clang::PPCallbacks> MakeDirectiveRules(const clang::SourceManager& sources,
                                                       Report* report);

}  // namespace wb
