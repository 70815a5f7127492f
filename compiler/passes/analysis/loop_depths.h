#pragma once

// Loops around the rows of functions, those around calls of them included: how often a row may run,
// before anything has run.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "compiler/ir/ir.h"

namespace wb {

class LoopDepths {
 public:
  explicit LoopDepths(const ir::Program& program);  // outlives this

  // Calls visit(row, loops) for each row of the program's functions[function].
  void Walk(size_t function, const std::function<void(uint32_t row, uint32_t loops)>& visit) const;
  // How much a row counts that has so many loops around it.
  static uint64_t WeightOf(uint32_t loops);

 private:
  void PassOn(size_t function);

  const ir::Program& program_;
  std::vector<uint32_t> around_;  // by function
};

}  // namespace wb
