#pragma once

// The rules of the subset that the parser does not enforce by itself, on the parsed text.

#include "compiler/check/report.h"

namespace clang {
class ASTContext;
}

namespace wb {

void CheckRules(clang::ASTContext& context, Report* report);

}  // namespace wb
