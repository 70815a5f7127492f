#include "scheduler/devices/cuda/nvrtc/call_tree.h"

#include <algorithm>
#include <cstddef>

namespace wb {
namespace {

using CallsOf = std::vector<std::vector<size_t>>;  // the calls that each function makes

CallsOf ByCaller(const CallGraph& graph) {
  CallsOf calls_of(graph.frames.size());
  for (size_t i = 0; i < graph.calls.size(); ++i) calls_of[graph.calls[i].caller].push_back(i);
  return calls_of;
}

// What the kernel reaches.
struct Reached {
  std::vector<uint32_t> calls_to;  // of each function, by functions that are reached
  size_t functions = 0;
};

Reached Reach(const CallGraph& graph, const CallsOf& calls_of) {
  Reached reached;
  reached.calls_to.resize(graph.frames.size());
  std::vector<bool> seen(graph.frames.size());
  std::vector<uint32_t> waiting = {graph.kernel};
  seen[graph.kernel] = true;
  while (!waiting.empty()) {
    const uint32_t function = waiting.back();
    waiting.pop_back();
    ++reached.functions;
    for (const size_t call : calls_of[function]) {
      const uint32_t callee = graph.calls[call].callee;
      ++reached.calls_to[callee];
      if (!seen[callee]) waiting.push_back(callee);
      seen[callee] = true;
    }
  }
  return reached;
}

}  // namespace

// A function's turn comes when all that call it had theirs. Functions on a cycle never have it.
std::optional<CallTree> DeepestCalls(const CallGraph& graph) {
  const CallsOf calls_of = ByCaller(graph);
  Reached reached = Reach(graph, calls_of);
  if (reached.calls_to[graph.kernel] != 0) return std::nullopt;
  CallTree tree;
  tree.kept.assign(graph.calls.size(), true);
  std::vector<uint64_t> stacks(graph.frames.size());  // down to each function; 0: no way to it yet
  std::vector<size_t> deepest(graph.frames.size());   // the call on that way
  std::vector<uint32_t> ready = {graph.kernel};
  stacks[graph.kernel] = graph.frames[graph.kernel];
  size_t done = 0;
  for (; !ready.empty(); ++done) {
    const uint32_t function = ready.back();
    ready.pop_back();
    tree.stack_bytes = std::max(tree.stack_bytes, stacks[function]);
    for (const size_t call : calls_of[function]) {
      const uint32_t callee = graph.calls[call].callee;
      const uint64_t stack = stacks[function] + graph.frames[callee];
      tree.kept[call] = false;
      if (stack >= stacks[callee]) {
        stacks[callee] = stack;
        deepest[callee] = call;
      }
      if (--reached.calls_to[callee] != 0) continue;
      tree.kept[deepest[callee]] = true;
      ready.push_back(callee);
    }
  }
  if (done != reached.functions) return std::nullopt;
  return tree;
}

}  // namespace wb
