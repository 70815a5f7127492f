#pragma once

// Variables that a loop changes once a round, and compares with a constant before it goes round
// again: in a round they have bounds up to where they are changed, whatever they are behind the
// loop. So it is with `for (i = 0; i != 16; ++i)` and `while (node < 128) node = 2 * node + side`.

#include <cstdint>
#include <vector>

#include "compiler/ir/ir.h"

namespace wb {

struct LoopBound {
  uint32_t begin = 0;   // row of the loop
  uint32_t change = 0;  // row in it that gives the variable its next value
  uint32_t start = 0;   // row before the loop that gives it the first one
  // The loop goes on while the next value is not `to` (stepped), or below it.
  bool steps = false;
  uint32_t step = 0;  // modulo 2^32, if it steps: next = value + step
  uint32_t to = 0;
};

class LoopBounds {
 public:
  // `rows`: of each variable the one that defines it, or `no_row`.
  LoopBounds(const ir::Function& function, const std::vector<uint32_t>& rows, uint32_t no_row);

  // What is known of the variable where this row reads it; null: nothing.
  const LoopBound* At(ir::Var var, uint32_t row) const;

 private:
  static constexpr uint32_t kNone = 0xffffffffu;
  struct Loop {
    uint32_t branches = 0;  // to its header
    uint32_t branch = 0;    // the row of the last, if it is a br_if of the loop itself
  };

  void Walk();
  void NoteBranch(uint32_t row, uint32_t target, bool may_decide);
  void FindBound(uint32_t construct);
  void Take(uint32_t construct, uint32_t row, LoopBound bound);
  ir::Var ReadTest(ir::Var condition, LoopBound* bound) const;
  bool ReadStep(uint32_t construct, ir::Var var, LoopBound* bound) const;
  bool IsBetween(uint32_t construct, uint32_t begin, uint32_t row, uint32_t end) const;
  bool IsConstant(ir::Var var, uint32_t* value) const;
  const ir::Inst* RowOf(ir::Var var) const;
  bool Encloses(uint32_t construct, uint32_t row) const { return around_[row] == construct; }

  const ir::Function& function_;
  const std::vector<uint32_t>& rows_;
  const uint32_t no_row_;
  std::vector<uint32_t> around_;                    // of each row: the construct that it stands in
  std::vector<Loop> loops_;                         // by construct
  std::vector<std::vector<uint32_t>> definitions_;  // of each variable; more than two: three
  std::vector<std::vector<uint32_t>> copies_;       // of each variable: the first rows that copy it
  std::vector<uint32_t> bound_of_;                  // of each variable; kNone
  std::vector<LoopBound> bounds_;
};

}  // namespace wb
