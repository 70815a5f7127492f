#include "compiler/emit/plan/inline_plan.h"

#include <algorithm>
#include <limits>

#include "compiler/base/check.h"
#include "compiler/emit/plan/rounds.h"

namespace wb {

InlinePlan::InlinePlan(const ir::Program& program, const NativeCalls& native, uint64_t most_rows)
    : program_(program), native_(native) {
  AddNodes();
  OrderCalleesFirst();
  for (uint64_t limit : kLimits) {
    limit_ = std::min(limit, most_rows);
    rows_ = Measure(limit_);
    if (rows_ <= kMostRows) break;
  }
}

void InlinePlan::AddNodes() {
  for (size_t i = 0; i < program_.functions.size(); ++i) {
    first_node_.push_back(static_cast<uint32_t>(nodes_.size()));
    for (uint32_t copy : native_.CopiesOf(program_.functions[i].index)) {
      nodes_.push_back({.position = static_cast<uint32_t>(i), .copy = copy});
    }
  }
}

uint32_t InlinePlan::Callee(const Node& caller, const ir::Call& call) const {
  if (program_.ReplacesCaller(call)) return kNone;
  const uint32_t from = program_.functions[caller.position].index;
  const uint32_t copy = native_.Target(from, caller.copy, call.callee);
  if (copy == NativeCalls::kLeaves) return kNone;
  const std::vector<uint32_t>& copies = native_.CopiesOf(call.callee);
  const auto at = std::lower_bound(copies.begin(), copies.end(), copy);
  WB_CHECK(at != copies.end() && *at == copy);
  const uint32_t position = call.callee - program_.module->imported_functions;
  return first_node_[position] + static_cast<uint32_t>(at - copies.begin());
}

// The text does not recurse, so it suffices to leave a node after all its callees.
void InlinePlan::OrderCalleesFirst() {
  std::vector<uint32_t> path;
  for (uint32_t start = 0; start < nodes_.size(); ++start) {
    if (!nodes_[start].visited) path.push_back(start);
    nodes_[start].visited = true;
    while (!path.empty()) {
      Node& node = nodes_[path.back()];
      const std::vector<ir::Call>& calls = program_.functions[node.position].calls;
      if (node.next_call == calls.size()) {
        order_.push_back(path.back());
        path.pop_back();
        continue;
      }
      const uint32_t callee = Callee(node, calls[node.next_call++]);
      if (callee == kNone) continue;
      nodes_[callee].called = true;
      if (nodes_[callee].visited) continue;
      nodes_[callee].visited = true;
      path.push_back(callee);
    }
  }
}

// The rows of all functions that are not copied.
uint64_t InlinePlan::Measure(uint64_t limit) {
  constexpr uint64_t kEnough = std::numeric_limits<uint64_t>::max() / 4;
  uint64_t all = 0;
  for (uint32_t number : order_) {
    Node& node = nodes_[number];
    const ir::Function& function = program_.functions[node.position];
    node.rows = function.insts.size();
    node.rounds = RowsOfRounds(function);
    for (const ir::Call& call : function.calls) {
      const uint32_t callee = Callee(node, call);
      if (callee == kNone || !MayCopy(nodes_[callee], limit)) continue;
      node.rows = std::min(kEnough, node.rows + nodes_[callee].rows);
      node.rounds = std::min(kEnough, node.rounds + nodes_[callee].rounds);
    }
    if (!MayCopy(node, limit) || !node.called) all = std::min(kEnough, all + node.rows);
  }
  return all;
}

bool InlinePlan::MayInline(uint32_t function, uint32_t copy) const {
  const uint32_t position = function - program_.module->imported_functions;
  const std::vector<uint32_t>& copies = native_.CopiesOf(function);
  const auto at = std::lower_bound(copies.begin(), copies.end(), copy);
  WB_CHECK(at != copies.end() && *at == copy);
  return MayCopy(nodes_[first_node_[position] + static_cast<uint32_t>(at - copies.begin())],
                 limit_);
}

}  // namespace wb
