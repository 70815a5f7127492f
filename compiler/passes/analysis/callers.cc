#include "compiler/passes/analysis/callers.h"

#include <cstdint>

#include "compiler/wasm/module.h"

namespace wb {

std::vector<bool> WithCallers(const ir::Program& program, std::vector<bool> chosen) {
  std::vector<std::vector<uint32_t>> callers(program.functions.size());
  std::vector<uint32_t> queue;
  for (uint32_t i = 0; i < program.functions.size(); ++i) {
    for (const ir::Call& call : program.functions[i].calls) {
      callers[call.callee - program.module->imported_functions].push_back(i);
    }
    if (chosen[i]) queue.push_back(i);
  }
  while (!queue.empty()) {
    const uint32_t at = queue.back();
    queue.pop_back();
    for (const uint32_t caller : callers[at]) {
      if (chosen[caller]) continue;
      chosen[caller] = true;
      queue.push_back(caller);
    }
  }
  return chosen;
}

}  // namespace wb
