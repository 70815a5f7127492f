#include "scheduler/devices/interpreter/control_translator.h"

#include <optional>
#include <vector>

#include "compiler/base/check.h"

namespace wb {

using ir::Inst;
using ir::Op;
using ir::Var;

ControlTranslator::ControlTranslator(const LoweredModule& module, bool profiles,
                                     BytecodeBuilder& builder)
    : module_(module),
      function_(builder.function()),
      profiles_(profiles),
      builder_(builder),
      out_(builder.out()),
      jumps_(function_.constructs, out_),
      nest_(out_.loops) {}

void ControlTranslator::Begin() {
  out_.safepoints.resize(function_.safepoints + 1);
  if (profiles_) builder_.Emit(ByteOp::kProfileEnter);
}

void ControlTranslator::Finish() {
  jumps_.End(0);
  if (profiles_) builder_.Emit(ByteOp::kProfileLeave);
  builder_.Emit(ByteOp::kReturn);
}

void ControlTranslator::Visit(const Inst& inst) {
  switch (inst.op) {
    case Op::kBlock: nest_.Open(); break;
    case Op::kLoop: Loop(inst.imm); break;
    case Op::kIf:
      builder_.EmitRow(ByteOp::kUnless);
      Branch(inst);
      break;
    case Op::kElse: Else(inst.imm); break;
    case Op::kEnd: End(inst.imm); break;
    case Op::kBr:
      builder_.Emit(ByteOp::kJump);
      jumps_.JumpTo(inst.imm);
      break;
    case Op::kBrIf:
      builder_.EmitRow(ByteOp::kIf);
      Branch(inst);
      break;
    case Op::kBrTable: BrTable(inst); break;
    case Op::kCall: Call(inst); break;
    case Op::kCheckRoom: CheckRoom(inst); break;
    case Op::kTrap: builder_.EmitRow(ByteOp::kTrap); break;
    case Op::kMemoryGrow: Grow(inst); break;
    case Op::kPay: Pay(inst); break;
    case Op::kPayVar: builder_.EmitRow(ByteOp::kPayVar); break;
    case Op::kPayPer16: builder_.EmitRow(ByteOp::kPayPer16); break;
    case Op::kSafepoint: Safepoint(inst.imm, ByteOp::kSafepoint, 0); break;
    case Op::kAsk: Safepoint(inst.imm, ByteOp::kAsk, function_.request); break;
    default: WB_CHECK(false);
  }
}

void ControlTranslator::Branch(const Inst& branch) {
  if (branch.op == Op::kIf) {
    nest_.Open();
    jumps_.JumpToElse(branch.imm);
  } else {
    jumps_.JumpTo(branch.imm);
  }
}

void ControlTranslator::Loop(uint64_t construct) {
  nest_.Open();
  jumps_.BeginLoop(construct);
  if (!profiles_) return;
  const uint32_t number = nest_.Count(builder_.Row().offset);
  builder_.Emit(ByteOp::kProfileLoop).imm = number;
}

void ControlTranslator::Else(uint64_t construct) {
  builder_.Emit(ByteOp::kJump);
  jumps_.JumpTo(construct);
  jumps_.BeginElse(construct);
}

void ControlTranslator::End(uint64_t construct) {
  jumps_.End(construct);
  const std::optional<uint32_t> loop = nest_.Close();
  if (loop) builder_.Emit(ByteOp::kProfileLoop).imm = *loop;
}

void ControlTranslator::BrTable(const Inst& inst) {
  const std::vector<uint32_t>& table = function_.br_tables[inst.imm];
  ByteCode& code = builder_.EmitRow(ByteOp::kBrTable);
  code.dst = static_cast<uint32_t>(out_.targets.size());
  code.imm = table.size();
  for (const uint32_t construct : table) jumps_.AddTarget(construct);
}

void ControlTranslator::Call(const Inst& inst) {
  const ir::Call& call = function_.calls[inst.imm];
  if (call.safepoint != 0) {
    out_.safepoints[call.safepoint] = {builder_.Here(), builder_.RowNumber(), true};
  }
  ByteCall& site = out_.calls.emplace_back();
  site.callee = call.callee - module_.program.module->imported_functions;
  site.safepoint = call.safepoint;
  for (const Var arg : call.args) builder_.slots().Append(arg, site.args);
  for (const Var result : call.results) builder_.slots().Append(result, site.results);
  const bool replaces = module_.program.ReplacesCaller(call);
  if (replaces && profiles_) builder_.Emit(ByteOp::kProfileLeave);
  builder_.Emit(replaces ? ByteOp::kTailCall : ByteOp::kCall).imm = out_.calls.size() - 1;
}

void ControlTranslator::CheckRoom(const Inst& inst) {
  const bool in_place = function_.room_checks[inst.imm].in_callers_place;
  builder_.EmitRow(ByteOp::kCheckRoom).imm = in_place ? function_.stack_slots : 0;
}

void ControlTranslator::Grow(const Inst& inst) {
  const bool several = module_.program.memories.size() > 1;
  const auto number = static_cast<uint32_t>(inst.imm);
  out_.safepoints[number] = {builder_.Here(), builder_.RowNumber(), false};
  ByteCode& code = builder_.EmitRow(several ? ByteOp::kMemoryGrowOf : ByteOp::kMemoryGrow);
  code.b = number;
  if (several) code.imm = inst.memory;
}

// With the safepoint behind it, if there is one.
void ControlTranslator::Pay(const Inst& inst) {
  const Inst* next = builder_.Next();
  if (next != nullptr && next->op == Op::kSafepoint) {
    builder_.Advance();
    Safepoint(next->imm, ByteOp::kPaySafepoint, inst.imm);
  } else if (inst.imm != 0) {
    builder_.EmitRow(ByteOp::kPay);
  }
}

void ControlTranslator::Safepoint(uint64_t number, ByteOp op, uint64_t cost) {
  ByteCode& code = builder_.Emit(op);
  code.dst = static_cast<uint32_t>(number);
  code.imm = cost;
  out_.safepoints[number] = {builder_.Here(), builder_.RowNumber(), false};
}

}  // namespace wb
