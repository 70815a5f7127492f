#pragma once

// The rows of one loop, innermost or as a trace of its round (round_trace.h), and what is known of
// their operands in terms of the loop's entry and the number of the round (LinearForm). Rows that
// run once are a loop of one round. One walk over the rows, linear in them.

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "compiler/ir/ir.h"
#include "compiler/passes/analysis/known_bits.h"
#include "compiler/passes/loops/clamps.h"
#include "compiler/passes/loops/linear_form.h"
#include "compiler/passes/loops/round_trace.h"
#include "compiler/passes/loops/stable_values.h"

namespace wb {

inline bool IsAccess(const ir::Inst& inst) {
  return (inst.op == ir::Op::kLoad || inst.op == ir::Op::kStore) && inst.memory == 0;
}

class LoopRows {
 public:
  static constexpr uint32_t kMostRows = 320;  // of an innermost one
  static constexpr uint32_t kMostRowsOnce = 8'000;
  static constexpr uint32_t kMostDepth = 16;  // of constructs inside

  // `facts`: of each variable of the function, what holds for all its values.
  // `trace`: of a loop with loops inside; it outlives this.
  LoopRows(const ir::Function& function, uint32_t construct, const std::vector<KnownBits>& facts,
           const StableValues& stable, const RoundTrace* trace = nullptr);

  // Rows of one sequence that run once, from `begin` on, at most to `end` and at most
  // kMostRowsOnce. They end before a row or construct with an access of whose address nothing is
  // known, since more may be known of it where rows begin behind what gives it. Without `stable`
  // each value is a sum of variables that these rows read before they change them.
  LoopRows(const ir::Function& function, uint32_t begin, uint32_t end,
           const std::vector<KnownBits>& facts, const StableValues* stable);

  // Innermost, not too long, one branch to its header, and nothing in it that leaves, calls, grows
  // memory or pays what is not constant. The rest holds only then.
  bool simple() const { return simple_; }

  const ir::Function& function() const { return function_; }
  // Places in the round: rows of the function, or of a trace its steps.
  bool is_trace() const { return trace_ != nullptr; }
  bool is_once() const { return once_; }
  uint32_t first() const { return first_; }
  uint32_t end() const { return end_; }
  uint32_t back_row() const { return back_row_; }
  uint64_t cost() const { return cost_; }
  const ir::Inst& inst(uint32_t row) const;

  // The row stands in no construct inside the loop: a round that comes back has passed it.
  bool IsDirect(uint32_t row) const { return rows_[row - first()].depth == 0; }
  bool IsOutside(uint32_t construct) const {
    return function_.constructs[construct].begin < loop_.begin || construct == 0;
  }
  // Operands a and b as the row reads them.
  const LinearForm& a(uint32_t row) const { return rows_[row - first()].a; }
  const LinearForm& b(uint32_t row) const { return rows_[row - first()].b; }
  // The row in this round that gave operand a its value, where one did for certain.
  std::optional<uint32_t> WhereDefined(uint32_t row) const { return rows_[row - first()].defined; }

  // By how much a variable changes in each round: one row of the loop alone changes it, by a
  // constant, in every round that comes back.
  bool IsStepped(ir::Var var) const { return steps_.count(var) != 0; }
  // How many of the lowest bits of a value are known to be 0: up to 32.
  uint32_t LowZeros(const ir::LoopValue& value) const;

 private:
  struct Row {
    uint32_t depth = 0;
    LinearForm a, b;
    std::optional<uint32_t> defined;
  };
  struct Step {
    uint32_t row = 0;
    uint32_t by = 0;
  };
  struct Value {
    LinearForm form;
    uint32_t row = 0;
    Interval interval = {};
  };

  LinearForm ValueAtEntry(ir::Var var) const;
  bool Measure();
  bool NoteBranch(uint32_t row);
  void FindSteps();
  std::optional<Step> StepAt(uint32_t row, ir::Var var) const;
  void Walk();
  void WalkOnce();
  void Visit(uint32_t row);
  void Define(uint32_t row);
  LinearForm ValueOf(uint32_t row, ir::Var var) const;
  LinearForm ResultOf(uint32_t row) const;
  LinearForm NumericResult(uint32_t row) const;
  Interval SelectResult(uint32_t row) const;
  Interval IntervalAt(uint32_t row, ir::Var var) const;
  bool IsKept(uint32_t row, ir::Var var, uint32_t later) const;
  bool IsSame(uint32_t row, ir::Var var, uint32_t later, ir::Var other) const;

  const ir::Function& function_;
  const uint32_t construct_;
  const ir::Construct& loop_;
  const std::vector<KnownBits>& facts_;
  const StableValues* const stable_;
  const RoundTrace* const trace_;
  const bool once_;
  const uint32_t first_;
  uint32_t end_;
  bool simple_ = false;
  uint32_t back_row_ = 0;
  uint64_t cost_ = 0;
  std::vector<Row> rows_;
  // How many rows of the loop, and the last of them; of rows that run once those so far.
  std::unordered_map<ir::Var, uint32_t> definitions_;
  std::unordered_map<ir::Var, uint32_t> definition_;
  std::unordered_map<ir::Var, Step> steps_;
  std::unordered_map<ir::Var, Value> values_;  // of this round, while the walk goes on
  std::vector<std::vector<ir::Var>> inside_;   // defined in each open construct
};

}  // namespace wb
