#include "compiler/check/call_graph.h"

#include <cstddef>

namespace wb {

std::vector<CallGraph::Function> CallGraph::Recursive() const {
  // What calls nothing that is left is on no cycle: take such away until none is left to take.
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
