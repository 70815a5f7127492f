// FunctionBuilder: calls, directly and through tables.

#include <map>
#include <numeric>

#include "compiler/passes/function_builder.h"

namespace wb {

using ir::Inst;
using ir::Op;
using ir::Var;

namespace {

bool IsTail(const Instruction& instruction) {
  return instruction.opcode == Opcode::kReturnCall ||
         instruction.opcode == Opcode::kReturnCallIndirect;
}

}  // namespace

void FunctionBuilder::Call(const Instruction& instruction) {
  const uint32_t callee = static_cast<uint32_t>(instruction.imm);
  if (IsTail(instruction) && callee == function_.index) {
    CallItself(instruction.offset);
    return;
  }
  const FunctionType& type = module_.type_of(callee);
  std::vector<Var> args(type.params.size()), results;
  for (size_t i = args.size(); i-- > 0;) args[i] = Pop();
  for (ValueType result : type.results) results.push_back(NewVar(result));
  EmitCall(callee, args, results, instruction.offset, IsTail(instruction));
  TakeResults(instruction, results);
}

void FunctionBuilder::EmitCall(uint32_t callee, const std::vector<Var>& args,
                               const std::vector<Var>& results, uint32_t offset, bool tail) {
  Emit(Op::kCall, offset).imm = function_.calls.size();
  function_.calls.push_back(
      {.callee = callee, .safepoint = 0, .tail = tail, .args = args, .results = results});
}

// Every round of a function that tail-calls itself begins with fresh locals. They are cleared here,
// once, since there may be any number of such calls.
void FunctionBuilder::ClearLocals() {
  std::vector<bool> read(function_.num_locals);
  for (const Instruction& instruction : body_.instructions) {
    if (instruction.opcode == Opcode::kLocalGet) read[instruction.imm] = true;
  }
  std::map<ValueType, Var> zeros;
  for (Var local = function_.num_params; local < function_.num_locals; ++local) {
    if (!read[local]) continue;
    const ValueType type = function_.vars[local];
    const auto [zero, fresh] = zeros.try_emplace(type);
    if (fresh) {
      const bool vector = type == ValueType::kV128;
      zero->second = EmitConst(type, vector ? function_.vectors.size() : 0, body_.offset);
      if (vector) function_.vectors.push_back({});
    }
    EmitCopy(local, zero->second, body_.offset);
  }
}

// Back to the function's loop with other parameters.
void FunctionBuilder::CallItself(uint32_t offset) {
  std::vector<Var> params(function_.num_params);
  std::iota(params.begin(), params.end(), 0);
  Assign(params, offset);
  function_.constructs[body_construct_].targeted = true;
  Emit(Op::kBr, offset).imm = body_construct_;
  reachable_ = false;
}

// Takes the results of a call to the operand stack. Those of a tail call become the function's own
// results at once, and are never on the stack.
void FunctionBuilder::TakeResults(const Instruction& call, const std::vector<Var>& results) {
  if (!IsTail(call)) {
    for (Var result : results) Push(result);
    return;
  }
  for (size_t i = 0; i < results.size(); ++i) {
    EmitCopy(function_.results[i], results[i], call.offset);
  }
  MarkTargeted(labels_.front());
  EmitBr(labels_.front(), call.offset);
  reachable_ = false;
}

// The table gives the callee's number. Few possible callees are called directly, each under a test
// of the number; many are called by a trampoline.
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
  inst.imm = function_.table_lookups.size();
  function_.table_lookups.push_back({.table = instruction.imm2, .lookup = lookup_index});
  if (lookup.callees.empty()) {
    Trap(wb::Trap::kIndirectCallType, offset);  // the lookup has trapped
    return;
  }
  if (lookup.trampoline != ir::kNoFunction) {
    CallTrampoline(lookup_index, number, args, results, instruction);
  } else {
    CallOneOf(lookup.callees, number, args, results, instruction);
  }
  TakeResults(instruction, results);
}

void FunctionBuilder::CallTrampoline(uint32_t lookup, Var number, std::vector<Var> args,
                                     const std::vector<Var>& results,
                                     const Instruction& instruction) {
  const bool tail = IsTail(instruction);
  Inst& check = Emit(Op::kCheckRoom, instruction.offset);
  check.a = number;
  check.imm = function_.room_checks.size();
  function_.room_checks.push_back({.lookup = lookup, .in_callers_place = tail});
  args.insert(args.begin(), number);
  const uint32_t trampoline =
      tail ? lookups_.TailTrampoline(lookup) : lookups_.at(lookup).trampoline;
  EmitCall(trampoline, args, results, instruction.offset, tail);
}

void FunctionBuilder::CallOneOf(const std::vector<uint32_t>& callees, Var number,
                                const std::vector<Var>& args, const std::vector<Var>& results,
                                const Instruction& instruction) {
  const uint32_t offset = instruction.offset;
  for (uint32_t callee : callees) {
    uint32_t construct = 0;
    if (callees.size() > 1) {
      construct = OpenTest(number, program_.callee_numbers[callee], offset);
    }
    std::vector<Var> values;
    for (Var result : results) values.push_back(NewVar(function_.vars[result]));
    EmitCall(callee, args, values, offset, IsTail(instruction));
    for (size_t k = 0; k < values.size(); ++k) EmitCopy(results[k], values[k], offset);
    if (callees.size() > 1) Emit(Op::kEnd, offset).imm = construct;
  }
}

// An if without else on `number` being `value`; the caller closes it. Returns its construct.
uint32_t FunctionBuilder::OpenTest(Var number, uint32_t value, uint32_t offset) {
  Var constant = EmitConst(ValueType::kI32, value, offset);
  Var equal = EmitBinary(Opcode::kI32Eq, number, constant, offset);
  const uint32_t construct = static_cast<uint32_t>(function_.constructs.size());
  function_.constructs.push_back({.kind = ir::ConstructKind::kIf, .parent = Parent()});
  Inst& inst = Emit(Op::kIf, offset);
  inst.a = equal;
  inst.imm = construct;
  return construct;
}

}  // namespace wb
