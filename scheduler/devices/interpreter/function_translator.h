#pragma once

// One function's IR rows to bytecode, in one linear pass. Constructs keep lists of jumps that wait
// for their end, so nothing recurses on nesting.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "compiler/compiler.h"
#include "scheduler/devices/interpreter/bytecode.h"
#include "scheduler/devices/interpreter/forms.h"
#include "scheduler/devices/interpreter/slots.h"

namespace wb {

// Used once. The module and the function outlive it.
class FunctionTranslator {
 public:
  FunctionTranslator(const LoweredModule& module, const ir::Function& function,
                     const TranslateOptions& options)
      : module_(module),
        function_(function),
        options_(options),
        slots_(function),
        waiting_(function.constructs.size()),
        start_(function.constructs.size()) {}

  ByteFunction Run() {
    out_.safepoints.resize(function_.safepoints + 1);
    if (options_.profiles) Emit(ByteOp::kProfileEnter);
    for (row_ = 0; row_ < function_.insts.size(); ++row_) Row(function_.insts[row_]);
    Resolve(0);
    if (options_.profiles) Emit(ByteOp::kProfileLeave);
    Emit(ByteOp::kReturn);
    Describe();
    return std::move(out_);
  }

 private:
  uint32_t Here() const { return static_cast<uint32_t>(out_.code.size()); }
  uint32_t CurrentRow() const { return static_cast<uint32_t>(row_); }
  uint32_t Slot(ir::Var var) const { return var == ir::kNoVar ? 0 : slots_.of(var); }
  bool IsVector(ir::Var var) const { return function_.vars[var] == ValueType::kV128; }
  // The constant's bits for its slot `half` (0 but for a v128).
  uint64_t Bits(ir::Var var, uint64_t imm, uint32_t half) const {
    if (!IsVector(var)) return imm;
    const V128& words = function_.vectors[imm];
    return words[2 * half] | uint64_t{words[2 * half + 1]} << 32;
  }

  ByteCode& Emit(ByteOp op) {
    out_.offsets.push_back(row_ < function_.insts.size() ? function_.insts[row_].offset : 0);
    ByteCode& code = out_.code.emplace_back();
    code.op = op;
    return code;
  }
  // With the operands of the row as they stand.
  ByteCode& EmitRow(ByteOp op) {
    const ir::Inst& inst = function_.insts[row_];
    ByteCode& code = Emit(op);
    code.dst = Slot(inst.dst);
    code.a = Slot(inst.a);
    code.b = Slot(inst.b);
    code.imm = inst.imm;
    return code;
  }
  // A row whose immediate is two numbers, one in each half.
  ByteCode& EmitPair(ByteOp op, uint32_t low, uint32_t high) {
    ByteCode& code = EmitRow(op);
    code.imm = low | uint64_t{high} << 32;
    return code;
  }

  void AppendSlots(ir::Var var, std::vector<uint32_t>* slots) const;

  const ir::Inst* Next() const {
    return row_ + 1 < function_.insts.size() ? &function_.insts[row_ + 1] : nullptr;
  }

  void Row(const ir::Inst& inst);
  void Visit(const ir::Inst& inst);
  void Grow(const ir::Inst& inst);
  void Copy(const ir::Inst& inst);
  void MemoryCopy(const ir::Inst& inst);
  void GroupAccess(const ir::Inst& inst);
  void Const(ir::Var dst, uint64_t imm);
  void EmitHalves(ByteOp op, ir::Var value);
  void Vector(const ir::Inst& inst, ByteOp op, uint32_t low);
  void AssertFacts(const ir::Inst& inst);
  void Access(const ir::Inst& inst);
  void Numeric(const ir::Inst& inst);
  bool NumericJump(const ir::Inst& inst, const NumericForms& forms);
  void Open();
  void Loop(uint64_t construct);
  void If(uint64_t construct);
  void Else(uint64_t construct);
  void End(uint64_t construct);
  void Pay(const ir::Inst& inst);
  void Call(const ir::Inst& inst);
  void Lane(ByteOp narrow, ByteOp wide, ir::Var value, uint32_t word);
  uint32_t GlobalWord(const ir::Inst& inst) const {
    return module_.layout.globals_at + module_.program.global_words[inst.imm];
  }
  uint32_t StageWord(const ir::Inst& inst) const {
    return module_.layout.stage_at + static_cast<uint32_t>(inst.imm);
  }
  void BrTable(const ir::Inst& inst);
  void Safepoint(uint32_t number, ByteOp op, uint64_t cost);
  uint32_t TableWord(uint64_t table) const {
    return module_.layout.globals_at + module_.program.tables[table].at;
  }
  void EmitWithC(ByteOp op) { EmitRow(op).imm = Slot(function_.insts[row_].c); }

  // A jump emitted just now goes to the construct.
  void JumpTo(uint64_t construct);
  void JumpTo(uint64_t construct, size_t instruction);
  void Resolve(uint64_t construct);
  // Likewise, to the else arm of an if. False: the arm's place is known, or there is none.
  void JumpToElse(uint64_t construct);
  bool ResolveElse(uint64_t construct);
  void Describe();

  // Where a jump's target is written: an instruction's dst or an entry of a table.
  struct Waiting {
    bool in_table = false;
    size_t at = 0;
  };

  const LoweredModule& module_;
  const ir::Function& function_;
  const TranslateOptions options_;
  Slots slots_;
  ByteFunction out_;
  std::vector<std::vector<Waiting>> waiting_;            // per construct
  std::vector<uint32_t> start_;                          // per loop: its first instruction
  std::vector<std::pair<uint64_t, size_t>> else_jumps_;  // open ifs and their jump to the else arm
  // Of an open construct.
  struct Opened {
    uint32_t loop = 0;        // the innermost one around it
    size_t loops_before = 0;  // of the function
  };
  std::vector<Opened> open_;
  uint32_t loop_ = 0;  // the innermost one around the row
  size_t row_ = 0;
};

}  // namespace wb
