// FunctionBuilder: blocks and branches.

#include <algorithm>
#include <utility>

#include "compiler/base/check.h"
#include "compiler/passes/function_builder.h"

namespace wb {

using ir::ConstructKind;
using ir::Inst;
using ir::Op;
using ir::Var;

namespace {

std::vector<uint32_t> Distinct(std::vector<uint32_t> depths) {
  std::sort(depths.begin(), depths.end());
  depths.erase(std::unique(depths.begin(), depths.end()), depths.end());
  return depths;
}

}  // namespace

// What a branch to the label assigns: a loop's parameters, else the results.
const std::vector<Var>& FunctionBuilder::Targets(const Label& label) const {
  bool loop = function_.constructs[label.construct].kind == ConstructKind::kLoop;
  return loop ? label.params : label.results;
}

void FunctionBuilder::Assign(const std::vector<Var>& vars, uint32_t offset) {
  const size_t base = stack_.size() - vars.size();
  std::vector<std::pair<Var, Var>> moves;  // destination, source
  for (size_t i = 0; i < vars.size(); ++i) {
    Var source = stack_[base + i].var;
    if (source != vars[i]) moves.push_back({vars[i], source});
  }
  // A source that an earlier move overwrites is read first (loop parameters may swap).
  std::vector<Var> written;
  for (auto& [to, from] : moves) {
    if (std::binary_search(written.begin(), written.end(), from)) {
      for (auto& [to2, from2] : moves) {
        Var copy = NewVar(function_.vars[from2]);
        EmitCopy(copy, std::exchange(from2, copy), offset);
      }
      break;
    }
    written.insert(std::upper_bound(written.begin(), written.end(), to), to);
  }
  for (auto& [to, from] : moves) EmitCopy(to, from, offset);
}

void FunctionBuilder::MarkTargeted(Label& label) {
  ir::Construct& construct = function_.constructs[label.construct];
  construct.targeted = true;
  if (construct.kind != ConstructKind::kLoop) label.reachable_end = true;
}

void FunctionBuilder::Open(ConstructKind kind, const Instruction& instruction) {
  const BlockType& type = body_.block_types[instruction.imm];
  Var condition = kind == ConstructKind::kIf ? Pop() : ir::kNoVar;
  SnapshotAll();
  Label label;
  label.construct = static_cast<uint32_t>(function_.constructs.size());
  label.type = &type;
  label.height = static_cast<uint32_t>(stack_.size() - type.params.size());
  for (ValueType result : type.results) label.results.push_back(NewVar(result));
  if (kind == ConstructKind::kLoop && !type.params.empty()) {
    for (ValueType param : type.params) label.params.push_back(NewVar(param));
    Assign(label.params, instruction.offset);
    DropTo(label.height);
    for (Var param : label.params) Push(param);
  }
  if (kind == ConstructKind::kIf) {
    for (size_t i = label.height; i < stack_.size(); ++i) {
      label.entry_operands.push_back(stack_[i].var);
    }
  }
  Op op = kind == ConstructKind::kBlock  ? Op::kBlock
          : kind == ConstructKind::kLoop ? Op::kLoop
                                         : Op::kIf;
  Inst& inst = Emit(op, instruction.offset);
  inst.imm = label.construct;
  inst.a = condition;
  function_.constructs.push_back({.kind = kind, .parent = Parent()});
  labels_.push_back(std::move(label));
  if (kind == ConstructKind::kBlock) return;  // straight line: same basic block
  StartBlock();
  if (kind == ConstructKind::kLoop) Emit(Op::kSafepoint, instruction.offset);
}

void FunctionBuilder::Else(uint32_t offset) {
  Label& label = labels_.back();
  if (reachable_) {
    Assign(label.results, offset);
    label.reachable_end = true;
  }
  DropTo(label.height);
  for (Var operand : label.entry_operands) Push(operand);
  label.has_else = true;
  reachable_ = true;
  Emit(Op::kElse, offset).imm = label.construct;
  StartBlock();
}

void FunctionBuilder::End(uint32_t offset) {
  Label& label = labels_.back();
  const ir::Construct& construct = function_.constructs[label.construct];
  const bool open_if = construct.kind == ConstructKind::kIf && !label.has_else;
  // Values that only the fall-through brings need no variables of their own.
  const bool keep = reachable_ && !construct.targeted && construct.kind != ConstructKind::kIf;
  std::vector<Var> results = label.results;
  if (keep) {
    results.assign(label.results.size(), ir::kNoVar);
    for (size_t i = results.size(); i-- > 0;) results[i] = Pop();
  } else if (reachable_) {
    Assign(results, offset);
  }
  if (open_if) {
    // The missing else arm passes the parameters through; their types equal the results'.
    WB_CHECK(label.entry_operands.size() == results.size());
    if (!results.empty()) {
      Emit(Op::kElse, offset).imm = label.construct;
      for (size_t i = 0; i < results.size(); ++i) {
        EmitCopy(results[i], label.entry_operands[i], offset);
      }
    }
  }
  reachable_ = reachable_ || label.reachable_end || open_if;
  DropTo(label.height);
  Emit(Op::kEnd, offset).imm = label.construct;
  labels_.pop_back();
  if (!reachable_) return;
  for (Var result : results) Push(result);
  StartBlock();
}

void FunctionBuilder::EmitBr(const Label& label, uint32_t offset) {
  Emit(Op::kBr, offset).imm = label.construct;
}

void FunctionBuilder::Br(uint32_t depth, uint32_t offset) {
  Label& label = LabelAt(depth);
  Assign(Targets(label), offset);
  MarkTargeted(label);
  EmitBr(label, offset);
  reachable_ = false;
}

void FunctionBuilder::Return(uint32_t offset) {
  Br(static_cast<uint32_t>(labels_.size() - 1), offset);
}

void FunctionBuilder::BrIf(uint32_t depth, uint32_t offset) {
  Var condition = Pop();
  Label& label = LabelAt(depth);
  MarkTargeted(label);
  const bool loop = function_.constructs[label.construct].kind == ConstructKind::kLoop;
  if (loop && !label.params.empty()) {
    // A loop's parameters are alive in its body: assign them only on the taken path.
    SnapshotAll();
    const uint32_t construct = static_cast<uint32_t>(function_.constructs.size());
    function_.constructs.push_back({.kind = ConstructKind::kIf, .parent = Parent()});
    Inst& inst = Emit(Op::kIf, offset);
    inst.a = condition;
    inst.imm = construct;
    Assign(label.params, offset);
    EmitBr(label, offset);
    Emit(Op::kEnd, offset).imm = construct;
  } else {
    // A block's results are read after its end only: on the path not taken this does no harm.
    Assign(Targets(label), offset);
    Inst& inst = Emit(Op::kBrIf, offset);
    inst.a = condition;
    inst.imm = label.construct;
  }
  StartBlock();
}

// A loop's parameters are alive in its body, so only the path taken may assign them. The table goes
// to a block of our own; the assignment and the branch stand behind its end. A block's results are
// read after its end only, so an assignment on the other paths does no harm.
void FunctionBuilder::BrTable(const std::vector<uint32_t>& depths, uint32_t offset) {
  Var index = Pop();
  const std::vector<uint32_t> unique = Distinct(depths);
  std::vector<uint32_t> constructs;  // where the table goes, per unique depth
  std::vector<size_t> landings;      // positions in `unique` that go to a block of ours
  for (size_t i = 0; i < unique.size(); ++i) {
    Label& label = LabelAt(unique[i]);
    MarkTargeted(label);
    if (label.params.empty()) {
      Assign(Targets(label), offset);
      constructs.push_back(label.construct);
    } else {
      const uint32_t parent = landings.empty() ? Parent() : constructs[landings.back()];
      constructs.push_back(static_cast<uint32_t>(function_.constructs.size()));
      landings.push_back(i);
      function_.constructs.push_back(
          {.kind = ConstructKind::kBlock, .targeted = true, .parent = parent});
      Emit(Op::kBlock, offset).imm = constructs.back();
    }
  }
  std::vector<uint32_t> targets;
  targets.reserve(depths.size());
  for (uint32_t depth : depths) {
    auto at = std::lower_bound(unique.begin(), unique.end(), depth);
    targets.push_back(constructs[at - unique.begin()]);
  }
  Inst& inst = Emit(Op::kBrTable, offset);
  inst.a = index;
  inst.imm = function_.br_tables.size();
  function_.br_tables.push_back(std::move(targets));
  for (; !landings.empty(); landings.pop_back()) {
    Label& label = LabelAt(unique[landings.back()]);
    Emit(Op::kEnd, offset).imm = constructs[landings.back()];
    Assign(label.params, offset);
    EmitBr(label, offset);
  }
  reachable_ = false;
}

}  // namespace wb
