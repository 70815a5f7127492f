#pragma once

// Which calls of recursive functions are native calls of the text, and which leave to the outer
// loop. The text must not recurse, so of every cycle some call leaves.
//
// A component is the functions that call each other in a cycle. They are printed several times.
// Copy 0 can be resumed, and the outer loop enters it. Copies from 1 on are only entered anew,
// which makes them smaller and faster. Calls along the order of a depth-first walk stay in their
// copy. A call that closes a cycle goes from copy k to copy k + 1, and leaves in the last copy.
// Small components get many copies. Large ones get none: a call that closes a cycle then always
// leaves.
//
// Where lanes are interleaved, a function that is a component by itself is a loop over its
// activations instead (ActivationLoop) and has no copies: lanes of a GPU that are at different
// depths then run the same instructions.
//
// A function that is not recursive is called again when its caller resumes. What a loop calls and
// calls nothing has a copy as well that is only entered anew: only the call that resumes asks for
// places in it, and every other one runs code that knows of none. Only where lanes are interleaved:
// processors foresee these tests, a GPU waits for each.
//
// A pure function of the program and the options. Frames do not depend on it.

#include <cstdint>
#include <vector>

#include "compiler/emit/plan/compile_options.h"
#include "compiler/ir/ir.h"

namespace wb {

class NativeCalls {
 public:
  static constexpr uint32_t kLeaves = 0xffffffffu;
  // At most so many functions of a component are under way natively at the same time: a GPU
  // reserves the stack of the deepest chain for every thread.
  static constexpr uint32_t kMaxChain = 64;

  // `entries`: function indices that are called from outside.
  NativeCalls(const ir::Program& program, const std::vector<uint32_t>& entries,
              const CompileOptions& options);

  // A function of more rows has no copy that is only entered anew, and all such copies have no
  // more.
  static constexpr size_t kMostFreshRows = 300;
  static constexpr size_t kMostRowsOfFresh = 1500;

  // The copy of `callee` that this copy of `caller` calls, or kLeaves; of one that is not
  // recursive, the one that it enters anew. Function indices.
  uint32_t Target(uint32_t caller, uint32_t copy, uint32_t callee) const;

  // A loop has at most so many states: every round asks for each of them.
  static constexpr size_t kMostStates = 24;

  // The function is printed as a loop over its own activations.
  bool Loops(uint32_t function) const { return nodes_[function - imported_].loops; }

  // The function is not recursive and has copy 1 for calls that enter it anew.
  bool HasFreshCopy(uint32_t function) const { return nodes_[function - imported_].fresh; }

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
    bool loops = false;
    bool fresh = false;
    uint32_t finished = 0;  // place in the order in which the walk leaves functions
    uint32_t next_call = 0;
    uint32_t depth = 0;  // longest chain of forward calls inside the component that leads here
    std::vector<uint32_t> used;
  };
  struct Component {
    uint64_t rows = 0;
    uint32_t functions = 0;
    uint32_t deepest = 0;
    uint32_t copies = 0;
  };

  void Walk(const std::vector<uint32_t>& entries);
  void MeasureChains();
  void ChooseCopies(const CompileOptions& options);
  void ChooseLoops(const CompileOptions& options);
  void ChooseFresh(const CompileOptions& options);
  bool MayBeFresh(uint32_t position, const CompileOptions& options) const;
  bool MayLoop(const ir::Function& function, const CompileOptions& options) const;
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
