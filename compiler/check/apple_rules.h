#pragma once

// What Apple's compiler and GPUs demand beyond the language (README.md names each fact), in the
// runtime's functions as in emitted ones.

#include "compiler/check/report.h"

namespace clang {
class ASTContext;
}

namespace wb {

// A function's own text may have so many bytes, and so many variables: pipelines of far larger ones
// never ended.
inline constexpr unsigned kMostFunctionBytes = 1u << 20;
inline constexpr unsigned kMostVariables = 1u << 16;

void CheckAppleRules(clang::ASTContext& context, Report* report);

}  // namespace wb
