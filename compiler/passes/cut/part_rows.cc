#include "compiler/passes/cut/part_rows.h"

#include <algorithm>
#include <utility>

#include "compiler/base/check.h"

namespace wb {
namespace {

using ir::ConstructKind;
using ir::Inst;
using ir::Op;
using ir::Var;

ir::Function HeadOfRest(const ir::Function& whole) {
  ir::Function head;
  head.index = whole.index;
  head.num_params = whole.num_params;
  head.num_locals = whole.num_locals;
  head.vars = whole.vars;
  head.results = whole.results;
  head.code_offset = whole.code_offset;
  head.stack_slots = whole.stack_slots;
  head.copy_of = whole.copy_of;
  return head;
}

bool Has(const std::vector<Var>& sorted, Var var) {
  return std::binary_search(sorted.begin(), sorted.end(), var);
}

// Rows other than copies write no local, so locals of the whole function alone are locals here.
ir::Function HeadOfPart(const ir::Function& whole, uint32_t index, const PartBorder& border) {
  ir::Function head;
  head.index = index;
  head.synthetic = true;
  head.part_of = whole.index;
  head.copy_of = whole.copy_of;
  head.code_offset = whole.code_offset;
  for (Var var : border.args) head.vars.push_back(whole.vars[var]);
  if (border.takes_label()) head.vars.push_back(ValueType::kI32);
  head.num_params = static_cast<uint32_t>(head.vars.size());
  for (Var var : border.results) {
    if (var < whole.num_locals && !Has(border.args, var)) head.vars.push_back(whole.vars[var]);
  }
  head.num_locals = static_cast<uint32_t>(head.vars.size());
  return head;
}

ConstructKind KindOf(Op op) {
  if (op == Op::kLoop) return ConstructKind::kLoop;
  return op == Op::kIf ? ConstructKind::kIf : ConstructKind::kBlock;
}

// Index of a copy of entry `imm` of a table of side structs.
template <typename T>
uint64_t Copied(const std::vector<T>& from, uint64_t imm, std::vector<T>& to) {
  to.push_back(from[imm]);
  return to.size() - 1;
}

}  // namespace

PartRows::PartRows(const ir::Function& whole)
    : whole_(whole),
      is_rest_(true),
      end_(static_cast<uint32_t>(whole.insts.size())),
      rows_(HeadOfRest(whole)) {
  constructs_.emplace(0, 0);
}

PartRows::PartRows(const ir::Function& whole, uint32_t index, const RowRange& cut,
                   PartBorder border, const Constants& constants)
    : whole_(whole),
      is_rest_(false),
      end_(cut.end),
      border_(std::move(border)),
      rows_(HeadOfPart(whole, index, border_)) {
  rows_.MoveTo(whole.insts[cut.begin].offset);
  TakeParameters();
  for (Var var : border_.constants) TakeStraight(constants.at(var));
  if (border_.returns_exit()) exit_ = rows_.NewVar(ValueType::kI32);
  if (border_.takes_label()) EnterLabels();
}

// The blocks within one another again, and a table of them in the innermost.
void PartRows::EnterLabels() {
  uint32_t parent = 0;
  std::vector<uint32_t> blocks;
  for (size_t i = border_.labels.size(); i-- > 0;) {
    parent = rows_.Open(ConstructKind::kBlock, parent);
    constructs_[border_.labels[i]] = parent;
    blocks.push_back(parent);
  }
  std::reverse(blocks.begin(), blocks.end());
  const Var label = static_cast<Var>(border_.args.size());
  const uint32_t innermost = blocks.front();
  rows_.BrTable(label, std::move(blocks));
  rows_.End(innermost);
}

// A result begins with zeros if it is no argument: a way out on which it is not alive may not have
// written it.
void PartRows::TakeParameters() {
  Var next = 0;
  for (Var var : border_.args) {
    const Var parameter = next++;
    if (var < whole_.num_locals) {
      vars_.emplace(var, parameter);
    } else {
      rows_.Copy(Own(var), parameter);
    }
  }
  if (border_.takes_label()) ++next;
  for (Var var : border_.results) {
    if (Has(border_.args, var)) continue;
    if (var < whole_.num_locals) {
      vars_.emplace(var, next++);
    } else {
      SetZero(Own(var));
    }
  }
}

void PartRows::SetZero(Var own) {
  ir::Function& function = rows_.function();
  Inst& inst = rows_.Emit(Op::kConst);
  inst.dst = own;
  if (function.vars[own] != ValueType::kV128) return;
  inst.imm = function.vectors.size();
  function.vectors.push_back({});
}

Var PartRows::Own(Var var) {
  if (is_rest_ || var == ir::kNoVar) return var;
  const auto [at, is_new] = vars_.emplace(var, 0);
  if (is_new) at->second = rows_.NewVar(whole_.vars[var]);
  return at->second;
}

uint32_t PartRows::OwnConstruct(uint32_t construct) const {
  const auto at = constructs_.find(construct);
  return at == constructs_.end() ? 0 : at->second;
}

void PartRows::Take(const Inst& inst, uint32_t construct) {
  rows_.MoveTo(inst.offset);
  switch (inst.op) {
    case Op::kBlock:
    case Op::kLoop:
    case Op::kIf: Open(inst, construct); break;
    case Op::kElse: rows_.Else(OwnConstruct(static_cast<uint32_t>(inst.imm))); break;
    case Op::kEnd: rows_.End(OwnConstruct(static_cast<uint32_t>(inst.imm))); break;
    case Op::kBr: Branch(static_cast<uint32_t>(inst.imm)); break;
    case Op::kBrIf: BranchIf(Own(inst.a), static_cast<uint32_t>(inst.imm)); break;
    case Op::kBrTable: {
      BranchTable(Own(inst.a), whole_.br_tables[inst.imm], OwnConstruct(construct));
      break;
    }
    default: TakeStraight(inst); break;
  }
}

void PartRows::Open(const Inst& inst, uint32_t construct) {
  constructs_[static_cast<uint32_t>(inst.imm)] =
      rows_.Open(KindOf(inst.op), OwnConstruct(construct), Own(inst.a));
}

void PartRows::TakeStraight(const Inst& inst) {
  Inst own = inst;
  own.a = Own(inst.a);
  own.b = Own(inst.b);
  own.c = Own(inst.c);
  own.dst = Own(inst.dst);
  own.imm = TakeSideStruct(inst);
  rows_.Emit(inst.op) = own;
}

uint64_t PartRows::TakeSideStruct(const Inst& inst) {
  ir::Function& function = rows_.function();
  switch (inst.op) {
    case Op::kCall: {
      ir::Call call = whole_.calls[inst.imm];
      for (Var& arg : call.args) arg = Own(arg);
      for (Var& result : call.results) result = Own(result);
      function.calls.push_back(std::move(call));
      return function.calls.size() - 1;
    }
    case Op::kTableLookup: return Copied(whole_.table_lookups, inst.imm, function.table_lookups);
    case Op::kTableCopyChunk: return Copied(whole_.table_copies, inst.imm, function.table_copies);
    case Op::kTableInitChunk: return Copied(whole_.table_inits, inst.imm, function.table_inits);
    case Op::kCheckRoom: return Copied(whole_.room_checks, inst.imm, function.room_checks);
    case Op::kConst:
      if (whole_.vars[inst.dst] != ValueType::kV128) return inst.imm;
      return Copied(whole_.vectors, inst.imm, function.vectors);
    default: return inst.imm;
  }
}

// ---- branches

void PartRows::SayExit(uint32_t target) {
  if (exit_ == ir::kNoVar) return;
  const auto at = std::lower_bound(border_.exits.begin(), border_.exits.end(), target);
  WB_CHECK(at != border_.exits.end() && *at == target);
  Inst& inst = rows_.Emit(Op::kConst);
  inst.dst = exit_;
  inst.imm = static_cast<uint64_t>(at - border_.exits.begin()) + 1;
}

void PartRows::Branch(uint32_t target) {
  if (HasConstruct(target)) return rows_.Br(constructs_.at(target));
  SayExit(target);
  rows_.Br(0);
}

// The number is set whether the branch is taken or not: every way out behind it sets it anew.
void PartRows::BranchIf(Var condition, uint32_t target) {
  if (HasConstruct(target)) return rows_.BrIf(condition, constructs_.at(target));
  SayExit(target);
  rows_.BrIf(condition, 0);
}

// A block for each target outside: behind its end, the number of the exit is said.
void PartRows::BranchTable(Var index, const std::vector<uint32_t>& targets, uint32_t parent,
                           std::optional<uint32_t> first) {
  std::vector<uint32_t> outside;
  std::unordered_map<uint32_t, uint32_t> blocks;  // by target outside
  std::vector<uint32_t> entries;
  if (first) entries.push_back(*first);
  for (uint32_t target : targets) {
    if (!HasConstruct(target) && !blocks.contains(target)) {
      parent = rows_.Open(ConstructKind::kBlock, parent);
      blocks.emplace(target, parent);
      outside.push_back(target);
    }
    entries.push_back(HasConstruct(target) ? constructs_.at(target) : blocks.at(target));
  }
  rows_.BrTable(index, std::move(entries));
  for (size_t i = outside.size(); i-- > 0;) {
    rows_.End(blocks.at(outside[i]));
    SayExit(outside[i]);
    rows_.Br(0);
  }
}

// ---- parts

void PartRows::OpenLadder(const RowRange& cut, uint32_t construct) {
  Ladder ladder;
  ladder.labels = cut.labels;
  ladder.behind = rows_.Open(ConstructKind::kBlock, OwnConstruct(construct));
  ladder.label = rows_.NewVar(ValueType::kI32);
  ladders_.push_back(std::move(ladder));
}

void PartRows::ReachLabel(uint32_t label) {
  const Ladder& ladder = ladders_.back();
  const auto at = std::find(ladder.labels.begin(), ladder.labels.end(), label);
  WB_CHECK(at != ladder.labels.end());
  Inst& inst = rows_.Emit(Op::kConst);
  inst.dst = ladder.label;
  inst.imm = static_cast<uint64_t>(at - ladder.labels.begin());
  at + 1 == ladder.labels.end() ? rows_.End(ladder.behind) : rows_.Br(ladder.behind);
}

void PartRows::CallPart(const ir::Function& part, const PartBorder& border, uint32_t offset,
                        uint32_t construct) {
  rows_.MoveTo(offset);
  ir::Call call;
  call.callee = part.index;
  for (Var arg : border.args) call.args.push_back(Own(arg));
  if (border.takes_label()) {
    call.args.push_back(ladders_.back().label);
    ladders_.pop_back();
  }
  call.results = rows_.NewVars(ir::ResultTypes(part));
  const std::vector<Var> values = call.results;
  rows_.Call(std::move(call));
  for (size_t i = 0; i < border.results.size(); ++i) {
    rows_.Copy(Own(border.results[i]), values[i]);
  }
  if (!border.returns_exit()) {
    if (!border.exits.empty()) Branch(border.exits.front());
    return;
  }
  GoOn(values.back(), border, construct);
}

void PartRows::GoOn(Var exit, const PartBorder& border, uint32_t construct) {
  const uint32_t parent = OwnConstruct(construct);
  if (!border.falls_through) {
    std::vector<uint32_t> targets = border.exits;
    targets.insert(targets.begin(), targets.front());  // no part returns 0 here
    BranchTable(exit, targets, parent);
  } else if (border.exits.size() == 1) {
    BranchIf(exit, border.exits.front());
  } else {
    const uint32_t block = rows_.Open(ConstructKind::kBlock, parent);
    BranchTable(exit, border.exits, block, block);
    rows_.End(block);
  }
}

ir::Function PartRows::Finish() {
  if (!is_rest_) {
    if (border_.falls_through && exit_ != ir::kNoVar) SetZero(exit_);
    for (Var var : border_.results) rows_.function().results.push_back(vars_.at(var));
    if (exit_ != ir::kNoVar) rows_.function().results.push_back(exit_);
  }
  return rows_.Take();
}

}  // namespace wb
