#include "scheduler/devices/interpreter/slots.h"

#include <algorithm>

#include "compiler/base/check.h"

namespace wb {
namespace {

using ir::Inst;
using ir::Op;
using ir::Var;

constexpr uint32_t kNone = 0xffffffffu;

// A row that a resumed activation does again, with its operands.
bool ComesAgain(const Inst& inst) { return inst.op == Op::kMemoryGrow; }

bool IsSafepoint(const ir::Function& function, const Inst& inst) {
  return inst.op == Op::kSafepoint || inst.op == Op::kAsk ||
         (inst.op == Op::kCall && function.calls[inst.imm].safepoint != 0);
}

}  // namespace

uint64_t HalfBits(const ir::Function& function, Var var, uint64_t imm, uint32_t half) {
  if (function.vars[var] != ValueType::kV128) return imm;
  const V128& words = function.vectors[imm];
  return words[2 * half] | uint64_t{words[2 * half + 1]} << 32;
}

Slots::Slots(const ir::Function& function)
    : function_(function),
      slot_(function.vars.size(), kNone),
      constant_(function.vars.size()),
      bits_(function.vars.size()),
      reads_(function.vars.size()),
      first_(function.vars.size(), kNone),
      last_(function.vars.size()),
      across_(function.vars.size()) {
  FindConstants();
  CountReads();
  FindIntervals();
  Place();
}

void Slots::Append(Var var, std::vector<uint32_t>& slots) const {
  for (uint32_t half = 0; half < SlotsOf(function_.vars[var]); ++half) {
    slots.push_back(slot_[var] + half);
  }
}

void Slots::FindConstants() {
  std::vector<uint32_t> writes(function_.vars.size());
  for (Var local = 0; local < function_.num_locals; ++local) ++writes[local];
  for (const Inst& inst : function_.insts) {
    ForEachWrite(function_, inst, [&](Var var) { ++writes[var]; });
    if (inst.op == Op::kConst) bits_[inst.dst] = inst.imm;
  }
  for (const Inst& inst : function_.insts) {
    if (inst.op == Op::kConst && writes[inst.dst] == 1) constant_[inst.dst] = true;
  }
}

bool Slots::FoldsB(const Inst& inst) const {
  return inst.op == Op::kNumeric && inst.b != ir::kNoVar && constant_[inst.b] &&
         FactsOf(inst.opcode).klass == OpcodeClass::kNumeric;
}

Var Slots::LaneOf(const Inst& inst) const {
  if (FactsOf(inst.opcode).immediate != OpcodeImmediate::kLane) return ir::kNoVar;
  return inst.c != ir::kNoVar ? inst.c : inst.b;
}

void Slots::CountReads() {
  for (const Inst& inst : function_.insts) {
    ForEachRead(function_, inst, [&](Var var) { ++reads_[var]; });
    if (FoldsB(inst)) --reads_[inst.b];
    if (const Var lane = LaneOf(inst); lane != ir::kNoVar) --reads_[lane];
    if (inst.op == Op::kCopy && constant_[inst.a]) --reads_[inst.a];
  }
  for (Var result : function_.results) ++reads_[result];
}

// In row order a variable's value is needed from its first to its last row. A loop that began after
// the first row needs it to the loop's end, since the next round reads it again.
void Slots::FindIntervals() {
  std::vector<uint32_t> safepoints_before(function_.insts.size() + 1);
  const uint32_t rows = static_cast<uint32_t>(function_.insts.size());
  for (uint32_t row = 0; row < rows; ++row) {
    const Inst& inst = function_.insts[row];
    if (ComesAgain(inst)) ++safepoints_before[row];
    safepoints_before[row + 1] = safepoints_before[row] + IsSafepoint(function_, inst);
    if (inst.op == Op::kLoop) open_loops_.push_back(static_cast<uint32_t>(inst.imm));
    ForEachRead(function_, inst, [&](Var var) { Touch(var, row); });
    ForEachWrite(function_, inst, [&](Var var) { Touch(var, row); });
    if (inst.op == Op::kEnd && !open_loops_.empty() && open_loops_.back() == inst.imm) {
      open_loops_.pop_back();
    }
  }
  for (Var result : function_.results) Touch(result, rows);
  for (Var var = 0; var < first_.size(); ++var) {
    if (first_[var] == kNone) continue;
    const uint32_t last = std::min(last_[var], rows);
    across_[var] = safepoints_before[last] > safepoints_before[first_[var]];
  }
}

void Slots::Touch(Var var, uint32_t row) {
  if (first_[var] == kNone) first_[var] = row;
  last_[var] = std::max(last_[var], row);
  const auto loop = std::lower_bound(
      open_loops_.begin(), open_loops_.end(), first_[var],
      [&](uint32_t construct, uint32_t at) { return function_.constructs[construct].begin < at; });
  if (loop != open_loops_.end()) {
    last_[var] = std::max(last_[var], function_.constructs[*loop].end);
  }
}

uint32_t Slots::NewSlot(Var var) {
  const uint32_t slot = count_;
  count_ += SlotsOf(function_.vars[var]);
  return slot;
}

// Locals and frame variables have slots of their own, since a restored frame writes them all. The
// others share slots by interval, so that a deep recursion of a large function stays small.
void Slots::Place() {
  const auto own = [&](Var var) {
    if (slot_[var] == kNone) slot_[var] = NewSlot(var);
  };
  for (Var local = 0; local < function_.num_locals; ++local) own(local);
  for (Var var : function_.frame_vars) own(var);
  zero_slots_ = count_;
  std::vector<std::vector<Var>> ends(function_.insts.size() + 1);
  const auto share = [&](Var var) {
    if (slot_[var] != kNone) return;
    std::vector<uint32_t>& free = free_[function_.vars[var] == ValueType::kV128];
    if (free.empty()) {
      slot_[var] = NewSlot(var);
    } else {
      slot_[var] = free.back();
      free.pop_back();
    }
    ends[last_[var]].push_back(var);
  };
  for (uint32_t row = 0; row < function_.insts.size(); ++row) {
    const Inst& inst = function_.insts[row];
    ForEachRead(function_, inst, share);
    ForEachWrite(function_, inst, share);
    for (Var var : ends[row]) {
      free_[function_.vars[var] == ValueType::kV128].push_back(slot_[var]);
    }
  }
  for (Var result : function_.results) share(result);
}

}  // namespace wb
