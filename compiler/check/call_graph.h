#pragma once

// Which function calls which in a text, to find cycles.

#include <map>
#include <set>
#include <vector>

namespace clang {
class FunctionDecl;
}

namespace wb {

class CallGraph {
 public:
  using Function = const clang::FunctionDecl*;  // canonical declarations
  void Add(Function caller, Function callee) { callees_[caller].insert(callee); }

  // Every function from which a chain of calls leads into a cycle; empty if there is none.
  std::vector<Function> Recursive() const;

 private:
  std::map<Function, std::set<Function>> callees_;
};

}  // namespace wb
