#pragma once

// What passes between a part and the function around it. Pure; near linear in the part's rows.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "compiler/ir/ir.h"
#include "compiler/passes/analysis/liveness.h"
#include "compiler/passes/cut/plan_cuts.h"

namespace wb {

// Variables that one `const` row alone defines, and that row.
using Constants = std::unordered_map<ir::Var, ir::Inst>;
Constants ConstantsOf(const ir::Function& function);

// Variables and constructs are those of the function that is cut. The lists ascend.
struct PartBorder {
  std::vector<ir::Var> args;       // touched by the part, and alive where it begins
  std::vector<ir::Var> constants;  // likewise; the part has the row that defines one itself
  std::vector<ir::Var> results;    // written by the part, and alive where some way out leads
  std::vector<uint32_t> exits;     // constructs around the part that it branches to
  std::vector<uint32_t> labels;    // RowRange::labels, in its order
  bool falls_through = false;      // its last row leads to the one behind it

  // A call of a part with more of them would cost more than the part saves, and a compiler's limit
  // of parameters is near.
  static constexpr size_t kMostCrossing = 256;
  bool is_narrow() const { return args.size() + results.size() <= kMostCrossing; }
  // Behind the arguments, the part takes the position of the label where it is entered.
  bool takes_label() const { return !labels.empty(); }
  // The part returns a number beside its results: 0 where it fell through, else one more than the
  // position of the exit. A part with one way out returns none.
  bool returns_exit() const { return exits.size() + (falls_through ? 1 : 0) > 1; }
};

// `liveness` has run over all variables, and watched the rows where cuts begin and end.
PartBorder BorderOf(const ir::Function& function, const Liveness& liveness,
                    const Constants& constants, const RowRange& cut);

}  // namespace wb
