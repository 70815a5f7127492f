#include "compiler/passes/analysis/loop_bounds.h"

#include <algorithm>

namespace wb {
namespace {

using ir::Construct;
using ir::ConstructKind;
using ir::Inst;
using ir::Op;
using ir::Var;

// One before the loop, and one in it.
constexpr size_t kDefinitions = 2;
// Of a variable, that are looked at: loops within one another may all compare the same one.
constexpr size_t kMostCopies = 4;

}  // namespace

LoopBounds::LoopBounds(const ir::Function& function, const std::vector<uint32_t>& rows,
                       uint32_t no_row)
    : function_(function),
      rows_(rows),
      no_row_(no_row),
      around_(function.insts.size(), 0),
      loops_(function.constructs.size()),
      definitions_(function.vars.size()),
      copies_(function.vars.size()),
      bound_of_(function.vars.size(), kNone) {
  Walk();
  for (uint32_t i = 0; i < loops_.size(); ++i) {
    if (loops_[i].branches == 1 && loops_[i].branch != 0) FindBound(i);
  }
}

void LoopBounds::Walk() {
  std::vector<uint32_t> open = {0};
  const auto define = [&](Var var, uint32_t row) {
    if (definitions_[var].size() <= kDefinitions) definitions_[var].push_back(row);
  };
  // Locals begin as arguments or 0.
  for (Var local = 0; local < function_.num_locals; ++local) {
    definitions_[local].assign(kDefinitions, 0);
  }
  for (uint32_t row = 0; row < function_.insts.size(); ++row) {
    const Inst& inst = function_.insts[row];
    if (inst.op == Op::kEnd) open.pop_back();
    around_[row] = open.back();
    switch (inst.op) {
      case Op::kBlock:
      case Op::kLoop:
      case Op::kIf: open.push_back(static_cast<uint32_t>(inst.imm)); break;
      case Op::kBr: NoteBranch(row, static_cast<uint32_t>(inst.imm), false); break;
      case Op::kBrIf: NoteBranch(row, static_cast<uint32_t>(inst.imm), true); break;
      case Op::kBrTable:
        for (const uint32_t target : function_.br_tables[inst.imm]) NoteBranch(row, target, false);
        break;
      case Op::kCall:
        for (const Var result : function_.calls[inst.imm].results) define(result, row);
        break;
      case Op::kCopy:
        if (copies_[inst.a].size() < kMostCopies) copies_[inst.a].push_back(row);
        break;
      default: break;
    }
    if (inst.op != Op::kCall && inst.dst != ir::kNoVar) define(inst.dst, row);
  }
}

void LoopBounds::NoteBranch(uint32_t row, uint32_t target, bool may_decide) {
  Loop& loop = loops_[target];
  ++loop.branches;
  const bool is_loop = function_.constructs[target].kind == ConstructKind::kLoop;
  loop.branch = is_loop && may_decide && Encloses(target, row) ? row : 0;
}

// Test, change and branch stand in the loop itself: each round comes to all of them, in this order
// or with the change behind the test of the number that it takes.
void LoopBounds::FindBound(uint32_t construct) {
  const uint32_t branch = loops_[construct].branch;
  const Var condition = function_.insts[branch].a;
  LoopBound bound;
  bound.begin = function_.constructs[construct].begin;
  const Var compared = ReadTest(condition, &bound);
  if (compared == ir::kNoVar) return;
  const uint32_t tested = condition == compared ? branch : rows_[condition];
  const uint32_t made = rows_[compared];  // or no_row_: it is the loop's variable
  if (tested != branch && !IsBetween(construct, bound.begin, tested, branch)) return;
  if (made == no_row_) {
    const std::vector<uint32_t>& all = definitions_[compared];
    const bool is_changed = all.size() == kDefinitions && function_.insts[all[1]].op != Op::kCall &&
                            IsBetween(construct, bound.begin, all[1], tested);
    if (is_changed) Take(construct, all[1], bound);
    return;
  }
  for (const uint32_t row : copies_[compared]) {
    const bool takes = IsBetween(construct, bound.begin, row, branch) &&
                       IsBetween(construct, bound.begin, made, std::min(row, tested));
    if (takes) Take(construct, row, bound);
  }
}

// A variable that this row changes, and that has its first value from a row in front of the loop,
// in what the loop stands in: so it has that whenever the loop begins.
void LoopBounds::Take(uint32_t construct, uint32_t row, LoopBound bound) {
  const Var var = function_.insts[row].dst;
  const std::vector<uint32_t>& all = definitions_[var];
  if (all.size() != kDefinitions || all[1] != row) return;
  bound.start = all[0];
  bound.change = row;
  const Construct& around = function_.constructs[function_.constructs[construct].parent];
  const bool is_in_other_arm =
      around.else_at != 0 && bound.start < around.else_at && bound.begin > around.else_at;
  if (bound.start >= bound.begin || around_[bound.start] != around_[bound.begin] ||
      is_in_other_arm || function_.insts[bound.start].op == Op::kCall) {
    return;
  }
  if (bound.steps && !ReadStep(construct, var, &bound)) return;
  bound_of_[var] = static_cast<uint32_t>(bounds_.size());
  bounds_.push_back(bound);
}

// The variable that the loop compares before it goes round; kNoVar: not with a constant.
Var LoopBounds::ReadTest(Var condition, LoopBound* bound) const {
  const Inst* test = RowOf(condition);
  const Opcode opcode = test == nullptr || test->op != Op::kNumeric ? Opcode::kNop : test->opcode;
  switch (opcode) {
    case Opcode::kI32LtU:
      return IsConstant(test->b, &bound->to) && bound->to != 0 ? test->a : ir::kNoVar;
    case Opcode::kI32GtU:
      return IsConstant(test->a, &bound->to) && bound->to != 0 ? test->b : ir::kNoVar;
    case Opcode::kI32Ne:
      bound->steps = true;
      return IsConstant(test->b, &bound->to) ? test->a : ir::kNoVar;
    default:  // it goes on while the value is not 0
      bound->steps = true;
      bound->to = 0;
      return condition;
  }
}

// The row is a sum of the variable and a constant, or takes one that was made in this round.
bool LoopBounds::ReadStep(uint32_t construct, Var var, LoopBound* bound) const {
  const Inst* sum = &function_.insts[bound->change];
  if (sum->op == Op::kCopy) {
    const uint32_t made = rows_[sum->a];
    if (made == no_row_ || !IsBetween(construct, bound->begin, made, bound->change)) return false;
    sum = &function_.insts[made];
  }
  uint32_t by = 0;
  if (sum->op != Op::kNumeric || sum->a != var || sum->b == ir::kNoVar) return false;
  if (!IsConstant(sum->b, &by)) return false;
  if (sum->opcode == Opcode::kI32Add) bound->step = by;
  if (sum->opcode == Opcode::kI32Sub) bound->step = 0 - by;
  return bound->step != 0;
}

// It stands in the construct itself, behind a row and in front of another.
bool LoopBounds::IsBetween(uint32_t construct, uint32_t begin, uint32_t row, uint32_t end) const {
  return Encloses(construct, row) && row > begin && row < end;
}

const Inst* LoopBounds::RowOf(Var var) const {
  return rows_[var] == no_row_ ? nullptr : &function_.insts[rows_[var]];
}

bool LoopBounds::IsConstant(Var var, uint32_t* value) const {
  const Inst* row = RowOf(var);
  if (row == nullptr || row->op != Op::kConst) return false;
  *value = static_cast<uint32_t>(row->imm);
  return true;
}

const LoopBound* LoopBounds::At(Var var, uint32_t row) const {
  if (bound_of_[var] == kNone) return nullptr;
  const LoopBound& bound = bounds_[bound_of_[var]];
  return row > bound.begin && row < bound.change ? &bound : nullptr;
}

}  // namespace wb
