#pragma once

// Which constructs of a function are printed flattened: as states of a dispatch loop (`while (true)
// { switch (s) { ... } }`) rather than as braces within braces. A pure decision over the IR.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "compiler/emit/plan/compile_options.h"
#include "compiler/ir/ir.h"

namespace wb {

// Braces deeper than this break compilers (clang stops at 256; Metal's limit is unknown).
inline constexpr size_t kMaxBraceDepth = 100;

struct FlatPlan {
  static constexpr uint32_t kNone = 0xffffffffu;

  // Per construct: the root of the dispatch region that it is a state of, or kNone. A region is a
  // root and the descendants that name it here; a construct between two of them names it too. The
  // function itself, construct 0, may be a root.
  std::vector<uint32_t> region;
  // The function is a loop over its own activations (ActivationLoop), and region 0 are its states.
  bool loops = false;

  bool IsFlat(uint64_t construct) const { return region[construct] != kNone; }
  bool IsRoot(uint64_t construct) const { return region[construct] == construct; }
};

// A br_table with this many different targets between itself and the next loop around it gets a
// dispatch loop: a jump is then one switch, not a walk outwards with a test at each level.
inline constexpr size_t kWideTable = 4;
// Where braces would nest too deep, a construct that needs at most this many braces stays
// structured inside a state: inner loops are hot.
inline constexpr size_t kIslandBraces = 30;

// Needs safepoint numbers (NumberSafepoints). Time and memory: linear in rows and table entries.
// `loops`: whatever a call of the function to itself stands in belongs to the region of the
// function.
FlatPlan PlanFlattening(const ir::Function& function, Flattening flattening, bool loops = false);

}  // namespace wb
