#include "compiler/emit/plan/flat_labels.h"

#include <algorithm>

namespace wb {

using ir::Construct;
using ir::ConstructKind;
using ir::Inst;
using ir::Op;

namespace {

bool BeginsAsHeader(const ir::Function& function) {
  const std::vector<Inst>& rows = function.insts;
  return rows.size() > 1 && rows[0].op == Op::kPay && rows[1].op == Op::kSafepoint;
}

// A loop of the region of the function.
bool BeginsWithState(const ir::Function& function, const FlatPlan& plan) {
  const std::vector<Inst>& rows = function.insts;
  return !rows.empty() && rows[0].op == Op::kLoop && plan.region[rows[0].imm] == 0;
}

}  // namespace

FlatLabels::FlatLabels(const ir::Function& function, const FlatPlan& plan)
    : function_(function),
      plan_(plan),
      region_of_(function.constructs.size(), FlatPlan::kNone),
      state_of_(function.constructs.size(), 0),
      else_of_(function.constructs.size(), 0),
      behind_(function.safepoints + 1, 0),
      inside_({0}) {
  if (plan.IsRoot(0)) OpenRegion(0);
  if (plan.loops && !BeginsWithState(function, plan)) {
    Begin(0, 1, 0);
    regions_[0].states[0].entry = BeginsAsHeader(function);
  }
  for (const Inst& inst : function.insts) Visit(inst);
  if (plan.loops && function.constructs[0].targeted) {
    state_of_[0] = Begin(0, function.safepoints + 1, 0);
  }
}

void FlatLabels::OpenRegion(uint32_t root) {
  const Construct& construct = function_.constructs[root];
  open_.push_back(root);
  region_of_[root] = static_cast<uint32_t>(regions_.size());
  FlatRegion& region = regions_.emplace_back();
  region.root = root;
  region.level = static_cast<uint32_t>(open_.size());
  region.entry = {0, construct.first_safepoint, construct.last_safepoint};
  levels_ = std::max(levels_, region.level);
}

uint32_t FlatLabels::Begin(uint32_t root, uint32_t first_safepoint, uint32_t loop) {
  FlatRegion& region = regions_[region_of_[root]];
  FlatState& before = region.states.empty() ? region.entry : region.states.back();
  const uint32_t last_safepoint = before.last_safepoint;  // the region's, so far
  before.last_safepoint = first_safepoint - 1;
  region.states.push_back({loop, first_safepoint, last_safepoint});
  return static_cast<uint32_t>(region.states.size());
}

void FlatLabels::Visit(const Inst& inst) {
  const bool opens = inst.op == Op::kBlock || inst.op == Op::kLoop || inst.op == Op::kIf;
  if (opens) inside_.push_back(static_cast<uint32_t>(inst.imm));
  if (inst.op == Op::kEnd) inside_.pop_back();
  if (inst.op == Op::kSafepoint || inst.op == Op::kCall) VisitSafepoint(inst);
  if (!opens && inst.op != Op::kElse && inst.op != Op::kEnd) return;
  if (!plan_.IsFlat(inst.imm)) return;
  const uint32_t index = static_cast<uint32_t>(inst.imm);
  const Construct& construct = function_.constructs[index];
  const uint32_t root = plan_.region[index];
  if (opens && root == index) OpenRegion(root);
  if (inst.op == Op::kLoop) state_of_[index] = Begin(root, construct.first_safepoint, index);
  if (inst.op == Op::kElse) else_of_[index] = Begin(root, construct.else_safepoint, 0);
  if (inst.op == Op::kEnd) End(index);
}

// A loop's header is a label already.
void FlatLabels::VisitSafepoint(const Inst& inst) {
  const uint32_t inside = inside_.back();
  if (!plan_.loops || plan_.region[inside] != 0) return;
  uint32_t safepoint = static_cast<uint32_t>(inst.imm);
  if (inst.op == Op::kCall) {
    const ir::Call& call = function_.calls[inst.imm];
    if (!function_.CallsItself(call)) return;
    safepoint = call.safepoint;
  } else if (function_.constructs[inside].header_safepoint == safepoint) {
    return;
  } else if (safepoint == 1 && regions_[0].states[0].entry) {
    return;
  }
  behind_[safepoint] = Begin(0, safepoint, 0);
  regions_[region_of_[0]].states.back().behind_safepoint = true;
}

void FlatLabels::End(uint32_t index) {
  const Construct& construct = function_.constructs[index];
  if (plan_.IsRoot(index)) {
    open_.pop_back();
    return;
  }
  if (construct.kind == ConstructKind::kLoop) return;
  // An if is left from its condition, or from its then arm, even where no branch names it.
  if (construct.kind == ConstructKind::kBlock && !construct.targeted) return;
  state_of_[index] = Begin(plan_.region[index], construct.last_safepoint + 1, 0);
}

}  // namespace wb
