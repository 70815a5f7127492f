#include <algorithm>
#include <vector>

#include "compiler/base/check.h"
#include "compiler/passes/analysis/worst_cost.h"
#include "compiler/passes/passes.h"

namespace wb {
namespace {

using ir::Inst;
using ir::Op;

// Strongly connected components of the call graph (Tarjan), without recursion. Components come out
// callees first, which is the order that worst costs need.
class CallGraph {
 public:
  explicit CallGraph(const ir::Program& program)
      : imported_(program.module->imported_functions), nodes_(program.functions.size()) {
    for (size_t i = 0; i < nodes_.size(); ++i) {
      for (const ir::Call& call : program.functions[i].calls) {
        nodes_[i].callees.push_back(call.callee - imported_);
      }
    }
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].order == 0) Visit(i);
    }
  }

  const std::vector<uint32_t>& callees_first() const { return callees_first_; }
  bool recursive(uint32_t node) const { return nodes_[node].recursive; }
  uint32_t component(uint32_t node) const { return nodes_[node].component; }

 private:
  struct Node {
    std::vector<uint32_t> callees;
    uint32_t order = 0;
    uint32_t low = 0;
    uint32_t next = 0;
    uint32_t component = 0;
    bool on_stack = false;
    bool recursive = false;
  };

  void Enter(uint32_t at) {
    nodes_[at].order = nodes_[at].low = ++count_;
    nodes_[at].on_stack = true;
    component_.push_back(at);
    path_.push_back(at);
  }

  void Visit(uint32_t root) {
    Enter(root);
    while (!path_.empty()) {
      uint32_t at = path_.back();
      Node& node = nodes_[at];
      if (node.next < node.callees.size()) {
        uint32_t to = node.callees[node.next++];
        if (to == at) node.recursive = true;
        if (nodes_[to].order == 0) {
          Enter(to);
        } else if (nodes_[to].on_stack) {
          node.low = std::min(node.low, nodes_[to].order);
        }
        continue;
      }
      path_.pop_back();
      if (!path_.empty()) nodes_[path_.back()].low = std::min(nodes_[path_.back()].low, node.low);
      if (node.low == node.order) CloseComponent(at);
    }
  }

  void CloseComponent(uint32_t root) {
    const bool cycle = component_.back() != root;
    for (;;) {
      uint32_t member = component_.back();
      component_.pop_back();
      nodes_[member].on_stack = false;
      nodes_[member].recursive = nodes_[member].recursive || cycle;
      nodes_[member].component = root;
      callees_first_.push_back(member);
      if (member == root) return;
    }
  }

  uint32_t imported_;
  uint32_t count_ = 0;
  std::vector<Node> nodes_;
  std::vector<uint32_t> path_;
  std::vector<uint32_t> component_;
  std::vector<uint32_t> callees_first_;
};

void Classify(ir::Program& program, ir::Function& function, bool recursive) {
  function.recursive = recursive;
  // The members of a cycle reach one another and are not all classified yet: assume the worst.
  function.grows_memory = recursive && program.grows_memory;
  bool bounded = !recursive;
  for (const Inst& inst : function.insts) {
    switch (inst.op) {
      case Op::kAsk:
      case Op::kLoop:
      case Op::kMemoryGrow:
      case Op::kPayVar:
      case Op::kPayPer16: bounded = false; break;
      default: break;
    }
    const bool grows = inst.op == Op::kMemoryGrow && inst.memory == 0;
    function.grows_memory = function.grows_memory || grows;
  }
  for (const ir::Call& call : function.calls) {
    const ir::Function& callee = program.function(call.callee);
    bounded = bounded && callee.bounded;
    function.grows_memory = function.grows_memory || callee.grows_memory;
  }
  if (bounded) {
    function.worst_cost = WorstCost(program, function);
    bounded = function.worst_cost <= kMaxBoundedCost;
  }
  function.bounded = bounded;
  if (function.synthetic && !bounded) function.worst_cost = WorstCost(program, function);
  if (!bounded || function.synthetic) return;
  WB_CHECK(function.insts[1].op == Op::kSafepoint);
  function.insts.erase(function.insts.begin() + 1);
  function.stack_slots = 0;
}

// Both ends of a call that replaces its caller are roots: the callee is entered by the outer loop,
// and the caller's own caller must know that another function than the one it called may return.
void MarkTailCalls(ir::Program& program) {
  for (ir::Function& function : program.functions) {
    for (const ir::Call& call : function.calls) {
      if (!program.ReplacesCaller(call)) continue;
      function.recursive = true;
      program.functions[call.callee - program.module->imported_functions].recursive = true;
    }
  }
}

}  // namespace

void ClassifyFunctions(ir::Program& program) {
  CallGraph graph(program);
  for (uint32_t node : graph.callees_first()) {
    program.functions[node].component = graph.component(node);
    Classify(program, program.functions[node], graph.recursive(node));
  }
  MarkTailCalls(program);
}

}  // namespace wb
