#include "compiler/emit/plan/native_calls.h"

#include <algorithm>
#include <utility>

#include "compiler/emit/plan/flat_labels.h"
#include "compiler/emit/plan/flat_plan.h"
#include "compiler/emit/plan/rounds.h"
#include "compiler/passes/analysis/loop_depths.h"

namespace wb {

NativeCalls::NativeCalls(const ir::Program& program, const std::vector<uint32_t>& entries,
                         const CompileOptions& options)
    : program_(program),
      imported_(program.module->imported_functions),
      nodes_(program.functions.size()),
      components_(program.functions.size()) {
  for (size_t i = 0; i < nodes_.size(); ++i) {
    nodes_[i].component = program.functions[i].component;
    nodes_[i].recursive = program.functions[i].recursive;
  }
  Walk(entries);
  MeasureChains();
  ChooseCopies(options);
  ChooseLoops(options);
  ChooseFresh(options);
  FindUsed(entries);
}

// Depth first along the calls, from the entries on.
void NativeCalls::Walk(const std::vector<uint32_t>& entries) {
  std::vector<uint32_t> path;
  const auto enter = [&](uint32_t position) {
    if (nodes_[position].visited) return;
    nodes_[position].visited = true;
    path.push_back(position);
  };
  for (uint32_t entry : entries) {
    enter(entry - imported_);
    while (!path.empty()) {
      const uint32_t at = path.back();
      const std::vector<ir::Call>& calls = program_.functions[at].calls;
      if (nodes_[at].next_call < calls.size()) {
        enter(calls[nodes_[at].next_call++].callee - imported_);
        continue;
      }
      path.pop_back();
      nodes_[at].finished = static_cast<uint32_t>(finish_order_.size());
      finish_order_.push_back(at);
    }
  }
}

void NativeCalls::MeasureChains() {
  for (auto it = finish_order_.rbegin(); it != finish_order_.rend(); ++it) {
    const Node& caller = nodes_[*it];
    if (!caller.recursive) continue;
    Component& component = components_[caller.component];
    component.rows += program_.functions[*it].insts.size();
    ++component.functions;
    component.deepest = std::max(component.deepest, caller.depth % kMaxChain);
    for (const ir::Call& call : program_.functions[*it].calls) {
      if (program_.ReplacesCaller(call)) continue;
      Node& callee = nodes_[call.callee - imported_];
      if (callee.component != caller.component || !IsForward(caller, callee)) continue;
      // A part is not a link of the chain: it must never be far from its function, which calls it
      // in its innermost loop perhaps.
      const bool is_part = program_.function(call.callee).part_of != ir::kNoFunction;
      callee.depth = std::max(callee.depth, caller.depth + (is_part ? 0 : 1));
    }
  }
}

void NativeCalls::ChooseCopies(const CompileOptions& options) {
  for (Component& component : components_) {
    if (component.rows == 0) continue;
    const uint64_t by_size = options.most_copied_rows / component.rows;
    const uint64_t by_chain = kMaxChain / (component.deepest + 1) - 1;
    component.copies =
        static_cast<uint32_t>(std::min({uint64_t{options.most_copies}, by_size, by_chain}));
  }
}

void NativeCalls::ChooseLoops(const CompileOptions& options) {
  if (options.layout == MemoryLayout::kContiguous) return;
  for (uint32_t position : finish_order_) {
    Node& node = nodes_[position];
    if (!node.recursive || components_[node.component].functions != 1) continue;
    node.loops = MayLoop(program_.functions[position], options);
    if (node.loops) components_[node.component].copies = 0;
  }
}

bool NativeCalls::MayLoop(const ir::Function& function, const CompileOptions& options) const {
  const bool calls_itself =
      std::any_of(function.calls.begin(), function.calls.end(),
                  [&](const ir::Call& call) { return function.CallsItself(call); });
  if (!calls_itself) return false;
  if (options.flattening != Flattening::kWhereNeeded) return true;
  const FlatPlan plan = PlanFlattening(function, options.flattening, true);
  return FlatLabels(function, plan).RegionOf(0).states.size() <= kMostStates;
}

// What compilers would not copy into the loop would only stand in the text twice. Of a function
// that calls others the time is theirs; scrypt's own loops spilled more registers with one. A part
// must never be far from its function, which calls it in its innermost loop perhaps. A primitive
// always leaves.
bool NativeCalls::MayBeFresh(uint32_t position, const CompileOptions& options) const {
  const ir::Function& function = program_.functions[position];
  return nodes_[position].visited && !function.recursive && !function.bounded &&
         function.request == 0 && function.part_of == ir::kNoFunction && function.calls.empty() &&
         function.insts.size() <= kMostFreshRows &&
         function.insts.size() + RowsOfRounds(function) <= options.most_inlined_rows;
}

// Those of the innermost loops first.
void NativeCalls::ChooseFresh(const CompileOptions& options) {
  if (options.layout == MemoryLayout::kContiguous) return;
  std::vector<uint32_t> loops(nodes_.size(), 0);
  const LoopDepths depths(program_);
  for (uint32_t position : finish_order_) {
    const ir::Function& caller = program_.functions[position];
    depths.Walk(position, [&](uint32_t row, uint32_t around) {
      const ir::Inst& inst = caller.insts[row];
      if (inst.op != ir::Op::kCall) return;
      uint32_t& most = loops[caller.calls[inst.imm].callee - imported_];
      most = std::max(most, around);
    });
  }
  std::vector<uint32_t> order;
  for (uint32_t position = 0; position < nodes_.size(); ++position) {
    if (loops[position] != 0 && MayBeFresh(position, options)) order.push_back(position);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return loops[a] > loops[b]; });
  size_t rows = 0;
  for (uint32_t position : order) {
    rows += program_.functions[position].insts.size();
    if (rows > kMostRowsOfFresh) break;
    nodes_[position].fresh = true;
  }
}

uint32_t NativeCalls::Target(uint32_t caller, uint32_t copy, uint32_t callee) const {
  const Node& from = nodes_[caller - imported_];
  const Node& to = nodes_[callee - imported_];
  if (!to.recursive) return to.fresh ? 1 : 0;
  const uint32_t copies = components_[to.component].copies;
  if (from.component != to.component || (copy == 0 && copies != 0)) return std::min(copies, 1u);
  const bool near = from.depth / kMaxChain == to.depth / kMaxChain;
  if (IsForward(from, to)) return near ? copy : kLeaves;
  return copy < copies ? copy + 1 : kLeaves;
}

void NativeCalls::FindUsed(const std::vector<uint32_t>& entries) {
  std::vector<std::pair<uint32_t, uint32_t>> work;  // position and copy
  const auto use = [&](uint32_t function, uint32_t copy) {
    std::vector<uint32_t>& used = nodes_[function - imported_].used;
    const auto at = std::lower_bound(used.begin(), used.end(), copy);
    if (at != used.end() && *at == copy) return;
    used.insert(at, copy);
    work.push_back({function - imported_, copy});
  };
  for (uint32_t entry : entries) use(entry, 0);
  while (!work.empty()) {
    const auto [position, copy] = work.back();
    work.pop_back();
    const ir::Function& function = program_.functions[position];
    for (const ir::Call& call : function.calls) {
      const uint32_t target =
          program_.ReplacesCaller(call) ? kLeaves : Target(function.index, copy, call.callee);
      if (target != kLeaves) use(call.callee, target);
      const Node& callee = nodes_[call.callee - imported_];
      if (callee.recursive || callee.fresh) use(call.callee, 0);
    }
  }
}

}  // namespace wb
