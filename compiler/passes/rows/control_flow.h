#pragma once

// Blocks, branches and the end of a body. A block's values become variables: its end and every
// branch to it assign them. Basic blocks get their kPay, loops their safepoint.

#include <cstdint>
#include <vector>

#include "compiler/passes/rows/operand_stack.h"
#include "compiler/passes/rows/row_emitter.h"

namespace wb {

class ControlFlow {
 public:
  ControlFlow(RowEmitter& rows, OperandStack& operands) : rows_(rows), operands_(operands) {}

  // Opens the body; the function's results get their variables. `loop`: the body is a loop, which
  // CallItself goes back to.
  void OpenBody(const std::vector<ValueType>& results, bool loop);
  // Behind the body's last operator. A loop that no call has gone back to becomes a block.
  void CloseBody();

  // Whether the current operator can run. Where it cannot, only Else and End may be called.
  bool reachable() const { return reachable_; }
  // The construct around the current row: the parent of a new one.
  uint32_t Parent() const {
    return labels_.size() == 1 ? body_construct_ : labels_.back().construct;
  }

  // Fuel of the current operator. A basic block is charged whole where it begins: its kPay collects
  // the fuel of its operators. A synthetic function costs none.
  void Charge(uint64_t fuel) {
    ir::Function& function = rows_.function();
    if (!function.synthetic) function.insts[pay_row_].imm += fuel;
  }

  void Open(ir::ConstructKind kind, const BlockType& type);
  void Else();
  void End();
  void Br(uint32_t depth);
  void BrIf(uint32_t depth);
  void BrTable(const std::vector<uint32_t>& depths);
  void Return() { Br(static_cast<uint32_t>(labels_.size() - 1)); }
  void Trap(wb::Trap trap);
  // Returns what a tail call gave. These values are never on the operand stack.
  void ReturnValues(const std::vector<ir::Var>& values);
  // A tail call of the function by itself: back to the body's loop, with the operands as
  // parameters.
  void CallItself();

 private:
  // What is open around the current row, innermost last; entry 0 is the function.
  struct Label {
    uint32_t construct = 0;
    uint32_t height = 0;                  // operand stack below the label's own values
    std::vector<ir::Var> params;          // loop: variables a branch assigns
    std::vector<ir::Var> results;         // variables the end (or a branch to a block) assigns
    std::vector<ir::Var> entry_operands;  // if: what the else arm starts with
    bool has_else = false;
    bool then_ends = false;  // the arm before else reaches the end
  };

  Label& LabelAt(uint32_t depth) { return labels_[labels_.size() - 1 - depth]; }
  ir::ConstructKind KindOf(const Label& label) const {
    return rows_.function().constructs[label.construct].kind;
  }
  const std::vector<ir::Var>& Targets(const Label& label) const;
  void Assign(const std::vector<ir::Var>& vars);
  void StartBlock();
  void EnterLoop(const BlockType& type, Label& label);
  void PassThrough(const Label& label);

  RowEmitter& rows_;
  OperandStack& operands_;
  std::vector<Label> labels_;
  uint32_t body_construct_ = 0;  // 1: the body is a loop
  size_t pay_row_ = 0;           // of the current basic block
  bool reachable_ = true;
};

}  // namespace wb
