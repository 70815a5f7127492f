#include "compiler/passes/rows/call_operators.h"

#include <utility>

namespace wb {

using ir::ConstructKind;
using ir::Inst;
using ir::Op;
using ir::Var;

CallOperators::CallOperators(const ir::Program& program, TableLookups& lookups, RowEmitter& rows,
                             OperandStack& operands, ControlFlow& control)
    : program_(program),
      module_(*program.module),
      lookups_(lookups),
      rows_(rows),
      operands_(operands),
      control_(control) {}

bool CallOperators::Append(const Instruction& instruction) {
  const uint32_t index = static_cast<uint32_t>(instruction.imm);
  switch (instruction.opcode) {
    case Opcode::kCall: Direct(index, false); return true;
    case Opcode::kReturnCall: Direct(index, true); return true;
    case Opcode::kCallIndirect: ThroughTable(index, instruction.imm2, false); return true;
    case Opcode::kReturnCallIndirect: ThroughTable(index, instruction.imm2, true); return true;
    default: return false;
  }
}

void CallOperators::Direct(uint32_t callee, bool tail) {
  if (tail && callee == rows_.function().index) {
    control_.CallItself();
    return;
  }
  const FunctionType& type = module_.type_of(callee);
  std::vector<Var> args = operands_.PopAll(type.params.size());
  const std::vector<Var> results = rows_.NewVars(type.results);
  rows_.Call({.callee = callee, .tail = tail, .args = std::move(args), .results = results});
  TakeResults(results, tail);
}

// Those of a tail call become the function's own results at once.
void CallOperators::TakeResults(const std::vector<Var>& results, bool tail) {
  if (tail) {
    control_.ReturnValues(results);
  } else {
    operands_.PushAll(results);
  }
}

// The table gives the callee's number. Few possible callees are called directly, each under a test
// of the number; many are called by a trampoline.
void CallOperators::ThroughTable(uint32_t type_index, uint32_t table, bool tail) {
  const FunctionType& type = module_.types[type_index];
  Indirect call;
  call.lookup = lookups_.Find(table, type_index);
  call.tail = tail;
  const ir::Lookup& lookup = lookups_.at(call.lookup);
  const Var index = operands_.Pop();
  call.args = operands_.PopAll(type.params.size());
  call.results = rows_.NewVars(type.results);
  call.number = Lookup(call.lookup, table, index);
  if (lookup.callees.empty()) {
    control_.Trap(Trap::kIndirectCallType);  // the lookup has trapped
    return;
  }
  if (lookup.trampoline != ir::kNoFunction) {
    CallTrampoline(call);
  } else {
    CallOneOf(lookup.callees, call);
  }
  TakeResults(call.results, tail);
}

// The number of the function at `index` of the table.
Var CallOperators::Lookup(uint32_t lookup, uint32_t table, Var index) {
  std::vector<ir::TableLookup>& immediates = rows_.function().table_lookups;
  Inst& inst = rows_.Define(Op::kTableLookup, ValueType::kI32);
  inst.a = index;
  inst.imm = immediates.size();
  immediates.push_back({.table = table, .lookup = lookup});
  return inst.dst;
}

void CallOperators::CallTrampoline(const Indirect& call) {
  std::vector<ir::RoomCheck>& immediates = rows_.function().room_checks;
  Inst& check = rows_.Emit(Op::kCheckRoom);
  check.a = call.number;
  check.imm = immediates.size();
  immediates.push_back({.lookup = call.lookup, .in_callers_place = call.tail});
  std::vector<Var> args = {call.number};
  args.insert(args.end(), call.args.begin(), call.args.end());
  const uint32_t trampoline =
      call.tail ? lookups_.TailTrampoline(call.lookup) : lookups_.at(call.lookup).trampoline;
  rows_.Call(
      {.callee = trampoline, .tail = call.tail, .args = std::move(args), .results = call.results});
}

void CallOperators::CallOneOf(const std::vector<uint32_t>& callees, const Indirect& call) {
  const bool test = callees.size() > 1;
  for (uint32_t callee : callees) {
    uint32_t construct = 0;
    if (test) {
      const Var number = rows_.I32(program_.callee_numbers[callee]);
      const Var equal = rows_.Binary(Opcode::kI32Eq, call.number, number);
      construct = rows_.Open(ConstructKind::kIf, control_.Parent(), equal);
    }
    std::vector<Var> values;
    for (Var result : call.results) values.push_back(rows_.NewVar(rows_.TypeOf(result)));
    rows_.Call({.callee = callee, .tail = call.tail, .args = call.args, .results = values});
    for (size_t i = 0; i < values.size(); ++i) rows_.Copy(call.results[i], values[i]);
    if (test) rows_.End(construct);
  }
}

}  // namespace wb
