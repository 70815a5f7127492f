#pragma once

// Which register slots each variable of a function lives in, and which constants need some.

#include <cstdint>
#include <vector>

#include "compiler/ir/ir.h"

namespace wb {

// A v128 lies in two slots, and moves as two wide values.
inline uint32_t SlotsOf(ValueType type) { return type == ValueType::kV128 ? 2 : 1; }
// A slot of the type holds two words.
inline bool IsWide(ValueType type) { return TypeWords(type) >= 2; }

// What slot `half` of a constant holds. `imm`: as its kConst row has it.
uint64_t HalfBits(const ir::Function& function, ir::Var var, uint64_t imm, uint32_t half);

class Slots {
 public:
  explicit Slots(const ir::Function& function);

  uint32_t of(ir::Var var) const { return slot_[var]; }  // the first of two
  void Append(ir::Var var, std::vector<uint32_t>& slots) const;
  uint32_t count() const { return count_; }
  uint32_t zero_slots() const { return zero_slots_; }

  // Defined once, by a kConst row; its value is known everywhere.
  bool IsConstant(ir::Var var) const { return constant_[var]; }
  uint64_t Bits(ir::Var var) const { return bits_[var]; }
  // The row of a constant is needed: some row reads it from a slot.
  bool IsRead(ir::Var var) const { return reads_[var] != 0; }
  uint32_t Reads(ir::Var var) const { return reads_[var]; }
  bool LivesAcrossSafepoint(ir::Var var) const { return across_[var]; }
  uint32_t FirstRow(ir::Var var) const { return first_[var]; }
  uint32_t LastRow(ir::Var var) const { return last_[var]; }

  // Operand b of this row becomes an immediate.
  bool FoldsB(const ir::Inst& inst) const;
  // The variable with the lane that becomes an immediate, or none.
  ir::Var LaneOf(const ir::Inst& inst) const;

 private:
  void FindConstants();
  void CountReads();
  void FindIntervals();
  void Touch(ir::Var var, uint32_t row);
  void Place();
  uint32_t NewSlot(ir::Var var);

  const ir::Function& function_;
  std::vector<uint32_t> slot_;
  std::vector<bool> constant_;
  std::vector<uint64_t> bits_;
  std::vector<uint32_t> reads_;
  std::vector<uint32_t> first_;  // first and last row that touches the variable
  std::vector<uint32_t> last_;
  std::vector<bool> across_;
  std::vector<uint32_t> free_[2];     // while placing: slots of one, pairs for a v128
  std::vector<uint32_t> open_loops_;  // constructs, outermost first
  uint32_t count_ = 0;
  uint32_t zero_slots_ = 0;
};

// Visits every variable that the row reads or writes.
template <typename Visit>
void ForEachRead(const ir::Function& function, const ir::Inst& inst, Visit visit) {
  for (ir::Var var : {inst.a, inst.b, inst.c}) {
    if (var != ir::kNoVar) visit(var);
  }
  if (inst.op == ir::Op::kCall) {
    for (ir::Var var : function.calls[inst.imm].args) visit(var);
  }
}
template <typename Visit>
void ForEachWrite(const ir::Function& function, const ir::Inst& inst, Visit visit) {
  if (inst.dst != ir::kNoVar) visit(inst.dst);
  if (inst.op == ir::Op::kCall) {
    for (ir::Var var : function.calls[inst.imm].results) visit(var);
  }
}

}  // namespace wb
