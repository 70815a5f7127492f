#pragma once

// Which functions of the text a compiler must not copy into their callers.
//
// Compilers inline bottom up. A function called in two places of one that is itself called in two
// places therefore stands in the code four times. NVRTC took over a minute for modules of 20 KB,
// which it had made twenty times as large. GPU code that does not fit the instruction cache is also
// slow. So the rows of a function are counted together with all that may be copied into it. A
// function over the limit is not copied. The limit is the highest of a few with which the whole
// text stays small.
//
// A pure function of the program; linear in its calls.

#include <cstdint>
#include <vector>

#include "compiler/emit/plan/native_calls.h"
#include "compiler/ir/ir.h"

namespace wb {

class InlinePlan {
 public:
  // The limits, in rows; `most_rows` and the size of the text choose one. With 1,000 a sort and a
  // recursion ran as fast as without any limit (H200), with 300 half as fast. NVRTC takes some ten
  // seconds for 10,000 rows.
  static constexpr uint64_t kLimits[] = {1000, 300, 100, 0};
  static constexpr uint64_t kMostRows = 10'000;

  // No function of more than `most_rows` may be copied, even in a small text.
  InlinePlan(const ir::Program& program, const NativeCalls& native, uint64_t most_rows);

  bool MayInline(uint32_t function, uint32_t copy) const;
  uint64_t limit() const { return limit_; }
  uint64_t rows() const {
    return rows_;
  }  // of the whole text; copied rows count where they are copied to

 private:
  struct Node {
    uint32_t position = 0;
    uint32_t copy = 0;
    uint64_t rows = 0;    // with what is copied into it
    uint64_t rounds = 0;  // rows that rounds of counted loops add to these in a device's code
    bool called = false;  // natively; the outer loop alone enters the others
    bool visited = false;
    uint32_t next_call = 0;
  };
  static constexpr uint32_t kNone = 0xffffffffu;

  void AddNodes();
  void OrderCalleesFirst();
  uint32_t Callee(const Node& caller, const ir::Call& call) const;  // a node or kNone
  uint64_t Measure(uint64_t limit);
  // A part of a function that was too large is never copied back. What only resumes, beside a copy
  // that is entered anew, is not either.
  bool MayCopy(const Node& callee, uint64_t limit) const {
    const ir::Function& function = program_.functions[callee.position];
    return callee.rows + callee.rounds <= limit && function.part_of == ir::kNoFunction &&
           !(callee.copy == 0 && native_.HasFreshCopy(function.index));
  }

  const ir::Program& program_;
  const NativeCalls& native_;
  std::vector<uint32_t> first_node_;  // by position; the copies of a function lie side by side
  std::vector<Node> nodes_;
  std::vector<uint32_t> order_;  // callees before callers
  uint64_t limit_ = 0;
  uint64_t rows_ = 0;
};

}  // namespace wb
