#include "compiler/passes/rows/control_flow.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "compiler/base/check.h"

namespace wb {

using ir::ConstructKind;
using ir::Op;
using ir::Var;

namespace {

std::vector<uint32_t> Distinct(std::vector<uint32_t> depths) {
  std::sort(depths.begin(), depths.end());
  depths.erase(std::unique(depths.begin(), depths.end()), depths.end());
  return depths;
}

}  // namespace

// ---- the body

void ControlFlow::OpenBody(const std::vector<ValueType>& results, bool loop) {
  Label& label = labels_.emplace_back();
  label.results = rows_.NewVars(results);
  rows_.function().results = label.results;
  if (loop) body_construct_ = rows_.Open(ConstructKind::kLoop, label.construct);
  StartBlock();
}

void ControlFlow::CloseBody() {
  ir::Function& function = rows_.function();
  if (reachable_) Assign(function.results);
  if (body_construct_ == 0) return;
  rows_.End(body_construct_);
  ir::Construct& loop = function.constructs[body_construct_];
  if (loop.targeted) return;
  // The tail call is in unreachable code: no loop. The entry's kPay and kSafepoint come first.
  loop.kind = ConstructKind::kBlock;
  function.insts[0].op = Op::kBlock;
  std::rotate(function.insts.begin(), function.insts.begin() + 1, function.insts.begin() + 3);
}

void ControlFlow::ReturnValues(const std::vector<Var>& values) {
  const Label& label = labels_.front();
  for (size_t i = 0; i < values.size(); ++i) rows_.Copy(label.results[i], values[i]);
  rows_.Br(label.construct);
  reachable_ = false;
}

void ControlFlow::CallItself() {
  std::vector<Var> params(rows_.function().num_params);
  std::iota(params.begin(), params.end(), 0);
  Assign(params);
  rows_.Br(body_construct_);
  reachable_ = false;
}

void ControlFlow::Trap(wb::Trap trap) {
  rows_.Emit(Op::kTrap).imm = static_cast<uint64_t>(trap);
  reachable_ = false;
}

void ControlFlow::StartBlock() {
  pay_row_ = rows_.function().insts.size();
  rows_.Emit(Op::kPay).offset = 0;  // belongs to no operator
}

// ---- values of labels

// What a branch to the label assigns: a loop's parameters, else the results.
const std::vector<Var>& ControlFlow::Targets(const Label& label) const {
  return KindOf(label) == ConstructKind::kLoop ? label.params : label.results;
}

// The top `vars.size()` operands into the variables, as one parallel assignment.
void ControlFlow::Assign(const std::vector<Var>& vars) {
  const size_t base = operands_.height() - vars.size();
  std::vector<std::pair<Var, Var>> moves;  // destination, source
  for (size_t i = 0; i < vars.size(); ++i) {
    const Var source = operands_.at(base + i);
    if (source != vars[i]) moves.push_back({vars[i], source});
  }
  // A source that an earlier move overwrites is read first (loop parameters may swap).
  std::vector<Var> written;
  for (auto& [to, from] : moves) {
    if (std::binary_search(written.begin(), written.end(), from)) {
      for (auto& [to2, from2] : moves) from2 = rows_.Own(from2);
      break;
    }
    written.insert(std::upper_bound(written.begin(), written.end(), to), to);
  }
  for (auto& [to, from] : moves) rows_.Copy(to, from);
}

// ---- blocks

void ControlFlow::Open(ConstructKind kind, const BlockType& type) {
  const Var condition = kind == ConstructKind::kIf ? operands_.Pop() : ir::kNoVar;
  operands_.SnapshotAll();
  Label label;
  label.height = operands_.height() - static_cast<uint32_t>(type.params.size());
  label.results = rows_.NewVars(type.results);
  if (kind == ConstructKind::kLoop) EnterLoop(type, label);
  if (kind == ConstructKind::kIf) {
    for (size_t i = label.height; i < operands_.height(); ++i) {
      label.entry_operands.push_back(operands_.at(i));
    }
  }
  label.construct = rows_.Open(kind, Parent(), condition);
  labels_.push_back(std::move(label));
  if (kind == ConstructKind::kBlock) return;  // straight line: same basic block
  StartBlock();
  if (kind == ConstructKind::kLoop) rows_.Emit(Op::kSafepoint);
}

// The loop's parameters become variables, which every round assigns.
void ControlFlow::EnterLoop(const BlockType& type, Label& label) {
  if (type.params.empty()) return;
  label.params = rows_.NewVars(type.params);
  Assign(label.params);
  operands_.DropTo(label.height);
  operands_.PushAll(label.params);
}

void ControlFlow::Else() {
  Label& label = labels_.back();
  if (reachable_) Assign(label.results);
  label.then_ends = reachable_;
  operands_.DropTo(label.height);
  operands_.PushAll(label.entry_operands);
  label.has_else = true;
  reachable_ = true;
  rows_.Else(label.construct);
  StartBlock();
}

void ControlFlow::End() {
  const Label label = std::move(labels_.back());
  labels_.pop_back();
  const ConstructKind kind = KindOf(label);
  const bool targeted = rows_.function().constructs[label.construct].targeted;
  const bool open_if = kind == ConstructKind::kIf && !label.has_else;
  // Values that only the fall-through brings need no variables of their own.
  const bool keep = reachable_ && !targeted && kind != ConstructKind::kIf;
  const std::vector<Var> results = keep ? operands_.PopAll(label.results.size()) : label.results;
  if (reachable_ && !keep) Assign(results);
  if (open_if) PassThrough(label);
  const bool branched = targeted && kind != ConstructKind::kLoop;
  reachable_ = reachable_ || label.then_ends || branched || open_if;
  operands_.DropTo(label.height);
  rows_.End(label.construct);
  if (!reachable_) return;
  operands_.PushAll(results);
  StartBlock();
}

// The missing else arm passes the parameters on; their types equal the results'.
void ControlFlow::PassThrough(const Label& label) {
  WB_CHECK(label.entry_operands.size() == label.results.size());
  if (label.results.empty()) return;
  rows_.Else(label.construct);
  for (size_t i = 0; i < label.results.size(); ++i) {
    rows_.Copy(label.results[i], label.entry_operands[i]);
  }
}

// ---- branches

void ControlFlow::Br(uint32_t depth) {
  const Label& label = LabelAt(depth);
  Assign(Targets(label));
  rows_.Br(label.construct);
  reachable_ = false;
}

void ControlFlow::BrIf(uint32_t depth) {
  const Var condition = operands_.Pop();
  const Label& label = LabelAt(depth);
  if (label.params.empty()) {
    // A block's results are read after its end only: on the path not taken this does no harm.
    Assign(Targets(label));
    rows_.BrIf(condition, label.construct);
  } else {
    // A loop's parameters are alive in its body: assign them only on the taken path.
    operands_.SnapshotAll();
    const uint32_t construct = rows_.Open(ConstructKind::kIf, Parent(), condition);
    Assign(label.params);
    rows_.Br(label.construct);
    rows_.End(construct);
  }
  StartBlock();
}

// A loop's parameters are alive in its body, so only the path taken may assign them. The table goes
// to a block of our own; the assignment and the branch stand behind its end. A block's results are
// read after its end only, so an assignment on the other paths does no harm.
void ControlFlow::BrTable(const std::vector<uint32_t>& depths) {
  const Var index = operands_.Pop();
  const std::vector<uint32_t> unique = Distinct(depths);
  std::vector<uint32_t> constructs;  // where the table goes, per unique depth
  std::vector<size_t> landings;      // positions in `unique` that go to a block of ours
  for (size_t i = 0; i < unique.size(); ++i) {
    const Label& label = LabelAt(unique[i]);
    if (label.params.empty()) {
      Assign(Targets(label));
      constructs.push_back(label.construct);
    } else {
      const uint32_t parent = landings.empty() ? Parent() : constructs[landings.back()];
      constructs.push_back(rows_.Open(ConstructKind::kBlock, parent));
      landings.push_back(i);
    }
  }
  std::vector<uint32_t> targets;
  targets.reserve(depths.size());
  for (uint32_t depth : depths) {
    const auto at = std::lower_bound(unique.begin(), unique.end(), depth);
    targets.push_back(constructs[at - unique.begin()]);
  }
  rows_.BrTable(index, std::move(targets));
  for (; !landings.empty(); landings.pop_back()) {
    const Label& label = LabelAt(unique[landings.back()]);
    rows_.End(constructs[landings.back()]);
    Assign(label.params);
    rows_.Br(label.construct);
  }
  reachable_ = false;
}

}  // namespace wb
