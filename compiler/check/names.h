#pragma once

#include <clang/AST/Decl.h>

namespace wb {

// The name, empty for what has none of letters (operators, constructors).
inline llvm::StringRef PlainName(const clang::NamedDecl* decl) {
  return decl->getDeclName().isIdentifier() ? decl->getName() : llvm::StringRef();
}

}  // namespace wb
