#include "compiler/passes/rows/operand_stack.h"

#include <algorithm>
#include <utility>

#include "compiler/base/check.h"

namespace wb {

using ir::Var;

OperandStack::OperandStack(RowEmitter& rows)
    : rows_(rows), local_refs_(rows.function().num_locals, 0) {}

void OperandStack::Push(Var var) {
  Operand operand{var, 0};
  if (rows_.IsLocal(var)) {
    operand.next_ref = local_refs_[var];
    local_refs_[var] = height() + 1;
    ref_positions_.push_back(height());
  }
  stack_.push_back(operand);
  slots_ += StackSlots(rows_.TypeOf(var));
  max_slots_ = std::max(max_slots_, slots_);
}

void OperandStack::PushAll(const std::vector<Var>& vars) {
  for (Var var : vars) Push(var);
}

Var OperandStack::Pop() {
  WB_CHECK(!stack_.empty());
  const Operand operand = stack_.back();
  stack_.pop_back();
  if (rows_.IsLocal(operand.var)) local_refs_[operand.var] = operand.next_ref;
  if (!ref_positions_.empty() && ref_positions_.back() == stack_.size()) ref_positions_.pop_back();
  slots_ -= StackSlots(rows_.TypeOf(operand.var));
  return operand.var;
}

std::vector<Var> OperandStack::PopAll(size_t count) {
  std::vector<Var> vars(count);
  while (count-- > 0) vars[count] = Pop();
  return vars;
}

void OperandStack::DropTo(uint32_t height) {
  while (stack_.size() > height) Pop();
}

void OperandStack::Snapshot(Var local) {
  if (local_refs_[local] == 0) return;
  const Var copy = rows_.NewVar(rows_.TypeOf(local));
  rows_.Copy(copy, local).offset = 0;  // belongs to no operator
  for (uint32_t ref = local_refs_[local]; ref != 0;) {
    Operand& operand = stack_[ref - 1];
    ref = std::exchange(operand.next_ref, 0);
    operand.var = copy;
  }
  local_refs_[local] = 0;  // its entries in ref_positions_ go stale; SnapshotAll passes over them
}

void OperandStack::SnapshotAll() {
  for (uint32_t at : ref_positions_) {
    if (rows_.IsLocal(stack_[at].var)) Snapshot(stack_[at].var);
  }
  ref_positions_.clear();
}

}  // namespace wb
