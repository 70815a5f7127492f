#pragma once

// Which rows of a large function become functions of their own. Pure; near linear in the rows.

#include <cstdint>
#include <vector>

#include "compiler/ir/ir.h"

namespace wb {

// In rows, of which each call counts for ten: the function may be resumed behind it, so paths meet
// there. NVRTC takes some seconds for a function of 2,500 rows, six minutes for a module with one
// of 8,000, and more than ten for one of 17,000; 19 s for 500 calls, more than 200 for 1,000 (5,020
// rows).
struct CutSizes {
  uint32_t whole = 6000;  // a function of so many rows stays whole
  uint32_t most = 2500;   // what a part and the rest of its function should not exceed
  uint32_t least = 48;    // fewer rows are not worth a call
  uint32_t call = 16;     // what the call of a part costs its caller: it copies the results
};

// Rows [begin, end) that become a part. It is left behind the last of them, or by a branch to a
// construct around them.
//
// Without labels they are rows of one construct, or of one arm of an if, entered at the first.
//
// With labels they are a ladder, as compilers make of a switch with many small cases: what stands
// behind blocks that begin within one another.
//
//     block 1 block 2 block 3 (... br_table ...) end 3 [rows end 2 rows end 1 rows]
//
// The labels are those blocks, the innermost first. The part is entered behind any of them.
struct RowRange {
  uint32_t begin = 0;
  uint32_t end = 0;
  std::vector<uint32_t> labels = {};
  bool operator==(const RowRange&) const = default;
};

// A part that can be left in more ways stays where it is: its caller would be as large as it.
inline constexpr size_t kMostExits = 24;
// Parts inside parts.
inline constexpr uint32_t kMostPartDepth = 8;

uint64_t CutWeight(const ir::Function& function);  // its rows, counted so

// By rising begin, an outer cut before those inside it. A part is taken from the inside outwards,
// so that an inner loop stays in one part where it fits. A ladder is cut where the rest of the
// function would be more than `whole` rows otherwise. None for a function that weighs at most
// `whole`. Rows stay where they are: the head of the function, the head of a loop, and what holds a
// tail call, which ends the whole function.
std::vector<RowRange> PlanCuts(const ir::Function& function, const CutSizes& sizes);

}  // namespace wb
