#include "compiler/emit/plan/flat_plan.h"

#include <algorithm>

#include "compiler/base/check.h"

namespace wb {
namespace {

using ir::Construct;
using ir::ConstructKind;
using ir::Inst;
using ir::Op;

constexpr uint32_t kNone = FlatPlan::kNone;
constexpr size_t kFunctionBraces = 2;  // its own and those of its one exit
constexpr size_t kRegionBraces = 5;    // guard, root, while, switch, case
constexpr size_t kLeafBraces = 4;      // straight guard, call, table, one to spare

// Parents by the nesting of rows, and the construct and the loop each br_table stands in.
class Nesting {
 public:
  struct Table {
    uint32_t targets = 0;  // index into Function::br_tables
    uint32_t construct = 0;
    uint32_t loop = 0;  // 0: none
  };

  explicit Nesting(const ir::Function& function) : parent(function.constructs.size(), 0) {
    std::vector<uint32_t> open = {0}, loops = {0};
    for (const Inst& inst : function.insts) {
      const uint32_t construct = static_cast<uint32_t>(inst.imm);
      if (inst.op == Op::kBlock || inst.op == Op::kLoop || inst.op == Op::kIf) {
        WB_CHECK(construct > open.back());  // numbered as they open
        parent[construct] = open.back();
        open.push_back(construct);
        if (inst.op == Op::kLoop) loops.push_back(construct);
      } else if (inst.op == Op::kEnd) {
        open.pop_back();
        if (loops.back() == construct) loops.pop_back();
      } else if (inst.op == Op::kBrTable) {
        tables.push_back({construct, open.back(), loops.back()});
      } else if (inst.op == Op::kCall && function.CallsItself(function.calls[inst.imm])) {
        self_calls.push_back(open.back());
      }
    }
  }

  std::vector<uint32_t> parent;
  std::vector<Table> tables;
  std::vector<uint32_t> self_calls;  // the construct that each stands in
};

// What a call of the function to itself stands in becomes part of the region of the function, with
// the regions that hold it.
void JoinSelfCalls(const Nesting& nesting, std::vector<uint32_t>& region) {
  region[0] = 0;
  for (uint32_t construct : nesting.self_calls) {
    for (; construct != 0; construct = nesting.parent[construct]) region[construct] = 0;
  }
  for (uint32_t& root : region) {
    if (root != kNone && region[root] == 0) root = 0;
  }
}

class Planner {
 public:
  explicit Planner(const ir::Function& function)
      : function_(function),
        nesting_(function),
        region_(function.constructs.size(), kNone),
        height_(function.constructs.size(), kLeafBraces) {}

  std::vector<uint32_t> Run(bool loops) {
    FlattenWideTables();
    if (loops) JoinSelfCalls(nesting_, region_);
    MeasureHeights();
    if (height_[0] + kFunctionBraces > kMaxBraceDepth) FlattenDeepNest();
    return std::move(region_);
  }

 private:
  size_t size() const { return region_.size(); }

  // From the table's own construct out to its outermost target, loops left out.
  void FlattenWideTables() {
    std::vector<uint32_t> wanted(size(), kNone);  // per construct: a root around it
    for (const Nesting::Table& table : nesting_.tables) {
      std::vector<uint32_t> targets = function_.br_tables[table.targets];
      std::erase_if(targets, [&](uint32_t target) { return target <= table.loop; });
      std::sort(targets.begin(), targets.end());
      targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
      if (targets.size() < kWideTable) continue;
      wanted[table.construct] = std::min(wanted[table.construct], targets.front());
    }
    for (size_t i = size(); i-- > 1;) {
      if (wanted[i] >= i) continue;
      uint32_t& outer = wanted[nesting_.parent[i]];
      outer = std::min(outer, wanted[i]);
    }
    for (uint32_t i = 1; i < size(); ++i) {
      if (wanted[i] > i) continue;
      region_[i] = wanted[i] == i ? i : region_[nesting_.parent[i]];
    }
  }

  // The last safepoint of the row sequence that a construct stands in.
  uint32_t LastSafepointAround(uint32_t index) const {
    const Construct& parent = function_.constructs[nesting_.parent[index]];
    const bool then_arm = parent.kind == ConstructKind::kIf && parent.else_at != 0 &&
                          function_.constructs[index].begin < parent.else_at;
    return then_arm ? parent.else_safepoint - 1 : parent.last_safepoint;
  }

  size_t OwnBraces(uint32_t index) const {
    const Construct& construct = function_.constructs[index];
    const bool has_safepoints = construct.first_safepoint <= construct.last_safepoint;
    size_t braces = has_safepoints && construct.last_safepoint < LastSafepointAround(index) ? 1 : 0;
    if (construct.kind != ConstructKind::kLoop && construct.targeted) ++braces;
    if (construct.kind != ConstructKind::kBlock) ++braces;
    return braces;
  }

  // How deep the braces of each construct's text are; of a state, what stands inside it.
  void MeasureHeights() {
    for (uint32_t i = static_cast<uint32_t>(size()); i-- > 1;) {
      size_t outside = height_[i];
      if (region_[i] == kNone) {
        outside += OwnBraces(i);
      } else if (region_[i] == i) {
        outside += kRegionBraces;
      }
      const bool inside_region = region_[i] != kNone && region_[i] != i;
      if (!inside_region) height_[i] = outside;
      size_t& around = height_[inside_region ? region_[i] : nesting_.parent[i]];
      around = std::max(around, outside);
    }
  }

  // Constructs that are too high, from the function inwards, become one region with the function as
  // its root.
  void FlattenDeepNest() {
    region_[0] = 0;
    for (uint32_t i = 1; i < size(); ++i) {
      const bool joined = region_[i] != kNone && region_[region_[i]] == 0;
      if (joined || height_[i] > kIslandBraces) region_[i] = 0;
    }
  }

  const ir::Function& function_;
  const Nesting nesting_;
  std::vector<uint32_t> region_;
  std::vector<size_t> height_;
};

// Any assignment is right. This one has regions in regions, states, and structured code in states.
std::vector<uint32_t> Mixed(const ir::Function& function, bool loops) {
  const Nesting nesting(function);
  std::vector<uint32_t> region(function.constructs.size(), kNone);
  for (uint32_t i = 0; i < region.size(); ++i) {
    const uint32_t dice = ((function.index * 977 + i) * 0x9e3779b1u) >> 28;
    const uint32_t around = i == 0 ? kNone : region[nesting.parent[i]];
    if (around != kNone && dice < 9) {
      region[i] = around;
    } else if (dice >= 12) {
      region[i] = i;
    }
  }
  if (loops) JoinSelfCalls(nesting, region);
  return region;
}

}  // namespace

FlatPlan PlanFlattening(const ir::Function& function, Flattening flattening, bool loops) {
  switch (flattening) {
    case Flattening::kAlways: return {std::vector<uint32_t>(function.constructs.size(), 0), loops};
    case Flattening::kMixed: return {Mixed(function, loops), loops};
    case Flattening::kWhereNeeded: break;
  }
  return {Planner(function).Run(loops), loops};
}

}  // namespace wb
