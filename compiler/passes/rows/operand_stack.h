#pragma once

// The operand stack of a body, whose entries are variables. local.get pushes the local itself, not
// a copy; where the local is about to change, what the stack still reads of it is copied first (a
// snapshot).

#include <cstdint>
#include <vector>

#include "compiler/passes/rows/row_emitter.h"

namespace wb {

// What a value costs of an activation's stack, in 8-byte slots.
inline uint32_t StackSlots(ValueType type) { return type == ValueType::kV128 ? 2 : 1; }

class OperandStack {
 public:
  // `rows`: its function has its locals. Snapshots are emitted there.
  explicit OperandStack(RowEmitter& rows);

  void Push(ir::Var var);
  void PushAll(const std::vector<ir::Var>& vars);
  ir::Var Pop();
  // The top `count` operands, the lowest first.
  std::vector<ir::Var> PopAll(size_t count);
  void DropTo(uint32_t height);

  ir::Var Top() const { return stack_.back().var; }
  ir::Var at(size_t position) const { return stack_[position].var; }  // 0: the lowest
  uint32_t height() const { return static_cast<uint32_t>(stack_.size()); }
  // The most slots that the operands have taken.
  uint32_t max_slots() const { return max_slots_; }

  // Before `local` changes.
  void Snapshot(ir::Var local);
  // Of every local, before a construct: operands below it must not be copied on only one of the
  // paths inside.
  void SnapshotAll();

 private:
  struct Operand {
    ir::Var var = ir::kNoVar;
    uint32_t next_ref = 0;  // 1 + stack position of the next lower reference to the same local
  };

  RowEmitter& rows_;
  std::vector<Operand> stack_;
  std::vector<uint32_t> local_refs_;     // per local: 1 + topmost stack position reading it, 0 none
  std::vector<uint32_t> ref_positions_;  // stack positions that may read a local, rising
  uint32_t slots_ = 0;
  uint32_t max_slots_ = 0;
};

}  // namespace wb
