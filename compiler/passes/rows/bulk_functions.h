#pragma once

// Bulk operators of unknown length are loops of some thirty rows. Where a module has many of a
// kind, further ones call a synthetic function that holds the loop. The bounds check stays with the
// operator, so that a trap has its place.

#include <cstdint>
#include <map>

#include "compiler/passes/rows/bulk_rows.h"

namespace wb {

class BulkFunctions {
 public:
  // So many operators of a kind have the loop in place.
  static constexpr uint32_t kMostInline = 4;

  // Functions take their indices from `next_function`.
  explicit BulkFunctions(uint32_t& next_function) : next_function_(next_function) {}

  // Counts one operator more. The function to call, or kNoFunction: the loop stands in place.
  uint32_t Find(const BulkKind& kind) {
    Use& use = uses_[kind];
    if (use.count < kMostInline) {
      ++use.count;
    } else if (use.function == ir::kNoFunction) {
      use.function = next_function_++;
    }
    return use.function;
  }

  // Calls visit(kind, index) for each function.
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (const auto& [kind, use] : uses_) {
      if (use.function != ir::kNoFunction) visit(kind, use.function);
    }
  }

 private:
  struct Use {
    uint32_t count = 0;
    uint32_t function = ir::kNoFunction;
  };

  uint32_t& next_function_;
  std::map<BulkKind, Use> uses_;
};

}  // namespace wb
