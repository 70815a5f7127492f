#pragma once

#include <clang/AST/Decl.h>

namespace wb {

// The name, empty for what has none of letters (operators, constructors).
inline llvm::StringRef PlainName(const clang::NamedDecl* decl) {
  return decl->getDeclName().isIdentifier() ? decl->getName() : llvm::StringRef();
}

// A function that a module's text has of its own (`wf_`), not the runtime's (`wb_`).
inline bool IsEmitted(const clang::FunctionDecl* function) {
  return function != nullptr && PlainName(function).startswith("wf_");
}

}  // namespace wb
