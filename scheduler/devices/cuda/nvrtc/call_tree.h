#pragma once

// Which of a kernel's calls are enough to know its functions and its stack. Pure.

#include <cstdint>
#include <optional>
#include <vector>

namespace wb {

struct CallGraph {
  struct Call {
    uint32_t caller = 0;
    uint32_t callee = 0;
  };
  std::vector<uint32_t> frames;  // bytes of stack that each function takes; it is its number here
  std::vector<Call> calls;
  uint32_t kernel = 0;
};

struct CallTree {
  std::vector<bool> kept;    // for each call
  uint64_t stack_bytes = 0;  // the frames of the deepest chain of calls, with the kernel's own
};

// Of the calls of each function that the kernel reaches one is kept: that of the caller whose stack
// is the deepest. So the tree has the graph's functions and its greatest stack, and one path to
// each function where the graph may have more than can be walked. Calls by functions that the
// kernel does not reach are kept. Nothing if functions call themselves, perhaps through others: no
// stack is known to be enough then. Every function in `calls`, and the kernel, has a frame.
std::optional<CallTree> DeepestCalls(const CallGraph& graph);

}  // namespace wb
