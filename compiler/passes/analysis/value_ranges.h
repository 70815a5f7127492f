#pragma once

// The numbers that an i32 variable may have, from a least one to a most. Narrower than its known
// bits where a number with a bound is added to a constant, as addresses in an array are. One walk
// for each question, of a bounded depth.

#include <cstdint>
#include <vector>

#include "compiler/ir/ir.h"
#include "compiler/passes/analysis/known_bits.h"
#include "compiler/passes/analysis/loop_bounds.h"

namespace wb {

struct ValueRange {
  uint32_t least = 0;
  uint32_t most = ~0u;
  bool operator==(const ValueRange&) const = default;
};

class ValueRanges {
 public:
  // `facts`: of each variable of the function, what holds for all its values. Both outlive this.
  ValueRanges(const ir::Function& function, const std::vector<KnownBits>& facts);

  // Holds for all values that the variable ever has where this row reads it, if it comes to be
  // read.
  ValueRange Of(ir::Var var, uint32_t row) const { return Of(var, row, kMostDepth); }

 private:
  // A copy is a step, and what computes is two.
  static constexpr uint32_t kMostDepth = 12;
  static constexpr uint32_t kNoRow = 0xffffffffu;

  ValueRange Of(ir::Var var, uint32_t reader, uint32_t depth) const;
  ValueRange OfRow(uint32_t row, uint32_t depth) const;
  ValueRange OfNumeric(uint32_t row, uint32_t depth) const;
  ValueRange InRounds(const LoopBound& bound, uint32_t depth) const;

  const ir::Function& function_;
  const std::vector<KnownBits>& facts_;
  std::vector<uint32_t> rows_;  // of each variable: the one that defines it; kNoRow: not one alone
  const LoopBounds bounds_;
};

}  // namespace wb
