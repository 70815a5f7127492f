// FunctionBuilder: calls, directly and through tables.

#include "compiler/passes/function_builder.h"

namespace wb {

using ir::Inst;
using ir::Op;
using ir::Var;

void FunctionBuilder::Call(const Instruction& instruction) {
  const uint32_t callee = static_cast<uint32_t>(instruction.imm);
  const FunctionType& type = module_.type_of(callee);
  std::vector<Var> args(type.params.size()), results;
  for (size_t i = args.size(); i-- > 0;) args[i] = Pop();
  for (ValueType result : type.results) results.push_back(NewVar(result));
  EmitCall(callee, args, results, instruction.offset);
  for (Var result : results) Push(result);
}

void FunctionBuilder::EmitCall(uint32_t callee, const std::vector<Var>& args,
                               const std::vector<Var>& results, uint32_t offset) {
  Emit(Op::kCall, offset).imm = function_.calls.size();
  function_.calls.push_back({.callee = callee, .safepoint = 0, .args = args, .results = results});
}

// The table tells the callee's number. Few callees are called directly under a test of it, many by
// a trampoline.
void FunctionBuilder::CallIndirect(const Instruction& instruction) {
  const uint32_t offset = instruction.offset;
  const uint32_t type_index = static_cast<uint32_t>(instruction.imm);
  const FunctionType& type = module_.types[type_index];
  const uint32_t lookup_index = lookups_.Find(instruction.imm2, type_index);
  const ir::Lookup& lookup = lookups_.at(lookup_index);
  Var index = Pop();
  std::vector<Var> args(type.params.size()), results;
  for (size_t i = args.size(); i-- > 0;) args[i] = Pop();
  for (ValueType result : type.results) results.push_back(NewVar(result));
  Var number = NewVar(ValueType::kI32);
  Inst& inst = Emit(Op::kTableLookup, offset);
  inst.dst = number;
  inst.a = index;
  inst.imm = lookup_index | uint64_t{instruction.imm2} << 32;
  if (lookup.callees.empty()) {
    Trap(wb::Trap::kIndirectCallType, offset);  // the lookup has trapped
    return;
  }
  if (lookup.trampoline != ir::kNoFunction) {
    Inst& check = Emit(Op::kCheckRoom, offset);
    check.a = number;
    check.imm = lookup_index;
    args.insert(args.begin(), number);
    EmitCall(lookup.trampoline, args, results, offset);
  } else {
    CallOneOf(lookup.callees, number, args, results, offset);
  }
  for (Var result : results) Push(result);
}

void FunctionBuilder::CallOneOf(const std::vector<uint32_t>& callees, Var number,
                                const std::vector<Var>& args, const std::vector<Var>& results,
                                uint32_t offset) {
  for (uint32_t callee : callees) {
    uint32_t construct = 0;
    if (callees.size() > 1) {
      construct = OpenTest(number, program_.callee_numbers[callee], offset);
    }
    std::vector<Var> values;
    for (Var result : results) values.push_back(NewVar(function_.vars[result]));
    EmitCall(callee, args, values, offset);
    for (size_t k = 0; k < values.size(); ++k) EmitCopy(results[k], values[k], offset);
    if (callees.size() > 1) Emit(Op::kEnd, offset).imm = construct;
  }
}

// An if without else on `number` being `value`; the caller closes it. Returns its construct.
uint32_t FunctionBuilder::OpenTest(Var number, uint32_t value, uint32_t offset) {
  Var constant = EmitConst(ValueType::kI32, value, offset);
  Var equal = EmitBinary(Opcode::kI32Eq, number, constant, offset);
  const uint32_t construct = static_cast<uint32_t>(function_.constructs.size());
  function_.constructs.push_back(
      {.kind = ir::ConstructKind::kIf, .parent = labels_.back().construct});
  Inst& inst = Emit(Op::kIf, offset);
  inst.a = equal;
  inst.imm = construct;
  return construct;
}

}  // namespace wb
