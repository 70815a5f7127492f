#pragma once

// One round of a loop that has loops inside, as rows one behind the other, where the rounds of all
// inner loops follow from constants: the rows are run with what is known of each i32 (KnownBits).
// Branches that are decided by it are gone, and a round of an inner loop stands there as often as
// it has rounds. Branches that are not decided stay, with the blocks and ifs that they need.

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/ir/ir.h"
#include "compiler/passes/analysis/known_bits.h"

namespace wb {

struct RoundTrace {
  static constexpr uint32_t kMostRows = 1'000;   // of the loop
  static constexpr uint32_t kMostSteps = 2'000;  // of the trace
  static constexpr uint32_t kMostDepth = 16;     // of what is open at a step

  std::vector<ir::RoundStep> steps;
  // By step: what its row gives dst, where that is an i32 and one of its bits is known.
  std::vector<KnownBits> results;
};

// A row without branches that may stand in a counted loop's round: it neither leaves nor calls, and
// grows nothing.
bool IsStraightRow(ir::Op op);
// That, or a row of blocks, ifs and their branches; no loop.
bool IsRoundRow(ir::Op op);

// Nothing: the loop is innermost or too long, an inner loop's rounds are not known, or a row
// leaves, calls or grows memory. Each step takes one from `budget`.
std::optional<RoundTrace> TraceRound(const ir::Function& function, uint32_t construct,
                                     const std::vector<KnownBits>& facts, uint64_t* budget);

}  // namespace wb
