#pragma once

// Which calls of recursive functions are native calls of the text, and which leave to the outer
// loop. The text must not recurse, so of every cycle some call leaves.
//
// The functions of a component (those that call each other in a cycle) are printed several times.
// Copy 0 is resumable and the one that the outer loop enters. Copies from 1 on are only entered
// anew, which makes them smaller and faster. Calls along the order of a depth-first walk stay in
// their copy; one that closes a cycle goes from copy k to copy k + 1, and in the last copy leaves.
// Small components get many copies, large ones none: then what closes a cycle always leaves.
//
// A pure function of the program and the options. Frames do not depend on it.

#include <cstdint>
#include <vector>

#include "compiler/emit/kernel.h"
#include "compiler/ir/ir.h"

namespace wb {

class NativeCalls {
 public:
  static constexpr uint32_t kLeaves = 0xffffffffu;
  // Functions of a component that are under way natively at the same time, at most: a GPU reserves
  // the stack of the deepest chain for every thread.
  static constexpr uint32_t kMaxChain = 64;

  // `entries`: function indices that are called from outside.
  NativeCalls(const ir::Program& program, const std::vector<uint32_t>& entries,
              const CompileOptions& options);

  // The copy of `callee` that this copy of `caller` calls, or kLeaves. Function indices.
  uint32_t Target(uint32_t caller, uint32_t copy, uint32_t callee) const;

  // The copies of a function that something calls, or the outer loop enters; ascending. Empty: the
  // function is not reachable.
  const std::vector<uint32_t>& CopiesOf(uint32_t function) const {
    return nodes_[function - imported_].used;
  }
  bool IsReachable(uint32_t function) const { return !CopiesOf(function).empty(); }

 private:
  struct Node {
    uint32_t component = 0;
    bool recursive = false;
    bool visited = false;
    uint32_t finished = 0;  // place in the order in which the walk leaves functions
    uint32_t next_call = 0;
    uint32_t depth = 0;  // longest chain of forward calls inside the component that leads here
    std::vector<uint32_t> used;
  };
  struct Component {
    uint64_t rows = 0;
    uint32_t deepest = 0;
    uint32_t copies = 0;
  };

  void Walk(const std::vector<uint32_t>& entries);
  void MeasureChains();
  void ChooseCopies(const CompileOptions& options);
  void FindUsed(const std::vector<uint32_t>& entries);
  bool IsForward(const Node& caller, const Node& callee) const {
    return caller.finished > callee.finished;
  }

  const ir::Program& program_;
  uint32_t imported_;
  std::vector<Node> nodes_;
  std::vector<uint32_t> finish_order_;  // positions, callees before callers but for cycles
  std::vector<Component> components_;   // by number
};

}  // namespace wb
