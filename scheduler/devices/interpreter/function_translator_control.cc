// FunctionTranslator: control structure, calls, and where lanes may stop.

#include <utility>

#include "compiler/base/check.h"
#include "scheduler/devices/interpreter/function_translator.h"

namespace wb {

using ir::ConstructKind;
using ir::Inst;
using ir::Op;
using ir::Var;

void FunctionTranslator::JumpTo(uint64_t construct) { JumpTo(construct, out_.code.size() - 1); }

void FunctionTranslator::JumpTo(uint64_t construct, size_t instruction) {
  if (function_.constructs[construct].kind == ConstructKind::kLoop) {
    out_.code[instruction].dst = start_[construct];
  } else {
    waiting_[construct].push_back({false, instruction});
  }
}

void FunctionTranslator::Resolve(uint64_t construct) {
  for (const Waiting& jump : std::exchange(waiting_[construct], {})) {
    (jump.in_table ? out_.targets[jump.at] : out_.code[jump.at].dst) = Here();
  }
}

void FunctionTranslator::JumpToElse(uint64_t construct) {
  else_jumps_.push_back({construct, out_.code.size() - 1});
}

bool FunctionTranslator::ResolveElse(uint64_t construct) {
  if (else_jumps_.empty() || else_jumps_.back().first != construct) return false;
  out_.code[else_jumps_.back().second].dst = Here();
  else_jumps_.pop_back();
  return true;
}

void FunctionTranslator::Open() { open_.push_back({loop_, out_.loops.size()}); }

void FunctionTranslator::Loop(uint64_t construct) {
  Open();
  start_[construct] = Here();
  if (!options_.profiles) return;
  if (out_.loops.empty()) out_.loops.emplace_back();
  const auto number = static_cast<uint32_t>(out_.loops.size());
  out_.loops.push_back({function_.insts[row_].offset, std::exchange(loop_, number)});
  Emit(ByteOp::kProfileLoop).imm = number;
}

void FunctionTranslator::If(uint64_t construct) {
  Open();
  EmitRow(ByteOp::kUnless);
  JumpToElse(construct);
}

void FunctionTranslator::Else(uint64_t construct) {
  Emit(ByteOp::kJump);
  JumpTo(construct);
  const bool has_if = ResolveElse(construct);
  WB_CHECK(has_if);
}

void FunctionTranslator::End(uint64_t construct) {
  ResolveElse(construct);  // an if without an else
  Resolve(construct);
  const Opened opened = open_.back();
  open_.pop_back();
  loop_ = opened.loop;
  // Rows behind it are reached from loops in it, too.
  if (out_.loops.size() != opened.loops_before) Emit(ByteOp::kProfileLoop).imm = loop_;
}

void FunctionTranslator::Call(const Inst& inst) {
  const ir::Call& call = function_.calls[inst.imm];
  if (call.safepoint != 0) out_.safepoints[call.safepoint] = {Here(), CurrentRow(), true};
  ByteCall& site = out_.calls.emplace_back();
  site.callee = call.callee - module_.program.module->imported_functions;
  site.safepoint = call.safepoint;
  for (Var arg : call.args) AppendSlots(arg, &site.args);
  for (Var result : call.results) AppendSlots(result, &site.results);
  const bool replaces = module_.program.ReplacesCaller(call);
  if (replaces && options_.profiles) Emit(ByteOp::kProfileLeave);
  Emit(replaces ? ByteOp::kTailCall : ByteOp::kCall).imm = out_.calls.size() - 1;
}

void FunctionTranslator::BrTable(const Inst& inst) {
  const std::vector<uint32_t>& table = function_.br_tables[inst.imm];
  ByteCode& code = EmitRow(ByteOp::kBrTable);
  code.dst = static_cast<uint32_t>(out_.targets.size());
  code.imm = table.size();
  for (uint32_t construct : table) {
    const bool loop = function_.constructs[construct].kind == ConstructKind::kLoop;
    if (!loop) waiting_[construct].push_back({true, out_.targets.size()});
    out_.targets.push_back(loop ? start_[construct] : 0);
  }
}

// With the safepoint behind it, if there is one.
void FunctionTranslator::Pay(const Inst& inst) {
  if (Next() != nullptr && Next()->op == Op::kSafepoint) {
    ++row_;
    Safepoint(static_cast<uint32_t>(function_.insts[row_].imm), ByteOp::kPaySafepoint, inst.imm);
  } else if (inst.imm != 0) {
    EmitRow(ByteOp::kPay);
  }
}

void FunctionTranslator::Safepoint(uint32_t number, ByteOp op, uint64_t cost) {
  ByteCode& code = Emit(op);
  code.dst = number;
  code.imm = cost;
  out_.safepoints[number] = {Here(), CurrentRow(), false};
}

}  // namespace wb
