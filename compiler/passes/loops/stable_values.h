#pragma once

// Variables of a function whose value never changes once they have one, as a sum of another such
// variable and a constant: pointers into a frame become the frame's pointer and a distance.

#include <vector>

#include "compiler/ir/ir.h"
#include "compiler/passes/analysis/known_bits.h"
#include "compiler/passes/loops/linear_form.h"

namespace wb {

class StableValues {
 public:
  // Of a function. What is known of each takes 100 bytes for a while.
  static constexpr size_t kMostVariables = size_t{1} << 20;

  // `facts`: of each variable, what holds for all its values. One walk over the rows.
  StableValues(const ir::Function& function, const std::vector<KnownBits>& facts);

  // Of a variable that no row of a loop changes, where that loop is entered.
  LinearForm AtEntry(ir::Var var) const {
    return values_[var].known ? values_[var] : LinearForm::Entry(var);
  }

 private:
  LinearForm SumOf(const ir::Inst& inst) const;

  const ir::Function& function_;
  const std::vector<KnownBits>& facts_;
  std::vector<LinearForm> values_;  // by variable; not known: it may change
};

// A sum's operands have no bit in common that may be set in both, so that `or` adds them.
bool AddsByOr(const KnownBits& a, const KnownBits& b);

}  // namespace wb
