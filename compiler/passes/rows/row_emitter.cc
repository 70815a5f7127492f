#include "compiler/passes/rows/row_emitter.h"

#include "compiler/base/check.h"

namespace wb {

using ir::ConstructKind;
using ir::Inst;
using ir::Op;
using ir::Var;

namespace {

Op OpOf(ConstructKind kind) {
  switch (kind) {
    case ConstructKind::kBlock: return Op::kBlock;
    case ConstructKind::kLoop: return Op::kLoop;
    default: break;
  }
  WB_CHECK(kind == ConstructKind::kIf);
  return Op::kIf;
}

}  // namespace

RowEmitter::RowEmitter(ir::Function head) : function_(std::move(head)) {
  function_.constructs.push_back({.kind = ConstructKind::kFunction});
}

std::vector<Var> RowEmitter::NewVars(const std::vector<ValueType>& types) {
  std::vector<Var> vars;
  vars.reserve(types.size());
  for (ValueType type : types) vars.push_back(NewVar(type));
  return vars;
}

// ---- values

Var RowEmitter::Const(ValueType type, uint64_t bits) {
  Inst& inst = Define(Op::kConst, type);
  inst.imm = bits;
  return inst.dst;
}

Var RowEmitter::Binary(Opcode opcode, Var a, Var b) {
  Inst& inst = Define(Op::kNumeric, FactsOf(opcode).result);
  inst.opcode = opcode;
  inst.a = a;
  inst.b = b;
  return inst.dst;
}

Var RowEmitter::Select(Var a, Var b, Var condition) {
  Inst& inst = Define(Op::kSelect, TypeOf(a));
  inst.a = a;
  inst.b = b;
  inst.c = condition;
  return inst.dst;
}

Inst& RowEmitter::Copy(Var dst, Var a) {
  Inst& inst = Emit(Op::kCopy);
  inst.dst = dst;
  inst.a = a;
  return inst;
}

Var RowEmitter::Own(Var value) {
  const Var own = NewVar(TypeOf(value));
  Copy(own, value);
  return own;
}

Var RowEmitter::GlobalGet(uint32_t global, ValueType type) {
  Inst& inst = Define(Op::kGlobalGet, type);
  inst.imm = global;
  return inst.dst;
}

void RowEmitter::GlobalSet(uint32_t global, Var value) {
  Inst& inst = Emit(Op::kGlobalSet);
  inst.a = value;
  inst.imm = global;
}

void RowEmitter::RangeCheck(Var start, Var count, Var size, Trap trap) {
  Inst& inst = Emit(Op::kRangeCheck);
  inst.a = start;
  inst.b = size;
  inst.c = count;
  inst.imm = static_cast<uint64_t>(trap);
}

// ---- calls, constructs, branches

void RowEmitter::Call(ir::Call call) {
  Emit(Op::kCall).imm = function_.calls.size();
  function_.calls.push_back(std::move(call));
}

uint32_t RowEmitter::Open(ConstructKind kind, uint32_t parent, Var condition) {
  const uint32_t construct = static_cast<uint32_t>(function_.constructs.size());
  function_.constructs.push_back({.kind = kind, .parent = parent});
  Inst& inst = Emit(OpOf(kind));
  inst.a = condition;
  inst.imm = construct;
  return construct;
}

void RowEmitter::Br(uint32_t construct) {
  function_.constructs[construct].targeted = true;
  Emit(Op::kBr).imm = construct;
}

void RowEmitter::BrIf(Var condition, uint32_t construct) {
  function_.constructs[construct].targeted = true;
  Inst& inst = Emit(Op::kBrIf);
  inst.a = condition;
  inst.imm = construct;
}

void RowEmitter::BrTable(Var index, std::vector<uint32_t> constructs) {
  for (uint32_t construct : constructs) function_.constructs[construct].targeted = true;
  Inst& inst = Emit(Op::kBrTable);
  inst.a = index;
  inst.imm = function_.br_tables.size();
  function_.br_tables.push_back(std::move(constructs));
}

}  // namespace wb
