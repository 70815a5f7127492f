#include "compiler/check/call_graph.h"

#include <cstddef>

namespace wb {

std::vector<CallGraph::Function> CallGraph::Recursive() const {
  // A function that calls none of those left is on no cycle. Such functions are removed until there
  // are no more.
  std::map<Function, std::set<Function>> callers;
  std::map<Function, size_t> open;  // callees not yet taken away
  for (const auto& [caller, callees] : callees_) {
    open[caller] += callees.size();
    for (Function callee : callees) {
      callers[callee].insert(caller);
      open.emplace(callee, 0);
    }
  }
  std::vector<Function> leaves;
  for (const auto& [function, count] : open) {
    if (count == 0) leaves.push_back(function);
  }
  while (!leaves.empty()) {
    const Function leaf = leaves.back();
    leaves.pop_back();
    open.erase(leaf);
    for (Function caller : callers[leaf]) {
      if (--open[caller] == 0) leaves.push_back(caller);
    }
  }
  std::vector<Function> rest;
  for (const auto& [function, count] : open) rest.push_back(function);
  return rest;
}

}  // namespace wb
