#include "compiler/check/loops.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <vector>

#include "compiler/check/names.h"

namespace wb {
namespace {

bool CallsSpent(const clang::Stmt* expression) {
  std::vector<const clang::Stmt*> work = {expression};
  while (!work.empty()) {
    const clang::Stmt* stmt = work.back();
    work.pop_back();
    if (stmt == nullptr) continue;
    if (const auto* call = clang::dyn_cast<clang::CallExpr>(stmt)) {
      const clang::FunctionDecl* callee = call->getDirectCallee();
      if (callee != nullptr && PlainName(callee) == "wb_spent") return true;
    }
    for (const clang::Stmt* child : stmt->children()) work.push_back(child);
  }
  return false;
}

}  // namespace

bool ChecksFuel(const clang::Stmt* body) {
  std::vector<const clang::Stmt*> work = {body};
  while (!work.empty()) {
    const clang::Stmt* stmt = work.back();
    work.pop_back();
    if (stmt == nullptr || clang::isa<clang::WhileStmt>(stmt) || clang::isa<clang::ForStmt>(stmt)) {
      continue;
    }
    if (const auto* test = clang::dyn_cast<clang::IfStmt>(stmt)) {
      if (CallsSpent(test->getCond())) return true;
    }
    for (const clang::Stmt* child : stmt->children()) work.push_back(child);
  }
  return false;
}

}  // namespace wb
