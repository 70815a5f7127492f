#pragma once

// One function under construction: its variables, its rows and what the rows name. The builders of
// bodies, trampolines, primitives and bulk functions emit through it. It knows nothing of the
// operand stack or of labels.

#include <cstdint>
#include <utility>
#include <vector>

#include "compiler/ir/ir.h"

namespace wb {

class RowEmitter {
 public:
  // `head`: index, parameters and locals. It has no rows and no constructs yet; construct 0 is
  // added.
  explicit RowEmitter(ir::Function head);

  // For what no method here emits: results, stack slots, the immediates of calls through tables.
  ir::Function& function() { return function_; }
  const ir::Function& function() const { return function_; }
  ir::Function Take() { return std::move(function_); }

  // The rows that follow belong to the operator at byte `offset` of the module.
  void MoveTo(uint32_t offset) { offset_ = offset; }

  ir::Var NewVar(ValueType type) {
    function_.vars.push_back(type);
    return static_cast<ir::Var>(function_.vars.size() - 1);
  }
  std::vector<ir::Var> NewVars(const std::vector<ValueType>& types);
  ValueType TypeOf(ir::Var var) const { return function_.vars[var]; }
  bool IsLocal(ir::Var var) const { return var < function_.num_locals; }

  // A row is valid as a reference until the next one.
  ir::Inst& Emit(ir::Op op) {
    ir::Inst& inst = function_.insts.emplace_back();
    inst.op = op;
    inst.offset = offset_;
    return inst;
  }
  // A row whose result is a new variable.
  ir::Inst& Define(ir::Op op, ValueType type) {
    ir::Inst& inst = Emit(op);
    inst.dst = NewVar(type);
    return inst;
  }

  ir::Var Const(ValueType type, uint64_t bits);
  ir::Var I32(uint32_t value) { return Const(ValueType::kI32, value); }
  ir::Var Binary(Opcode opcode, ir::Var a, ir::Var b);
  ir::Var Select(ir::Var a, ir::Var b, ir::Var condition);
  ir::Inst& Copy(ir::Var dst, ir::Var a);
  // A copy that an operation may change.
  ir::Var Own(ir::Var value);
  ir::Var GlobalGet(uint32_t global, ValueType type);
  void GlobalSet(uint32_t global, ir::Var value);
  // Traps with `trap` unless start + count <= size.
  void RangeCheck(ir::Var start, ir::Var count, ir::Var size, Trap trap);
  void Call(ir::Call call);

  // Adds a construct and the row that begins it; `condition`: of an if. Returns the construct.
  uint32_t Open(ir::ConstructKind kind, uint32_t parent, ir::Var condition = ir::kNoVar);
  void Else(uint32_t construct) { Emit(ir::Op::kElse).imm = construct; }
  void End(uint32_t construct) { Emit(ir::Op::kEnd).imm = construct; }
  // Branches. Each marks the constructs that it names as targeted.
  void Br(uint32_t construct);
  void BrIf(ir::Var condition, uint32_t construct);
  void BrTable(ir::Var index, std::vector<uint32_t> constructs);

 private:
  ir::Function function_;
  uint32_t offset_ = 0;
};

}  // namespace wb
