#include "compiler/passes/function_builder.h"

#include <algorithm>
#include <utility>

#include "compiler/base/check.h"

namespace wb {

using ir::Inst;
using ir::Op;
using ir::Var;

namespace {

uint32_t Slots(ValueType type) { return type == ValueType::kV128 ? 2 : 1; }

}  // namespace

FunctionBuilder::FunctionBuilder(const Module& module, TableLookups& lookups,
                                 uint32_t function_index)
    : module_(module),
      lookups_(lookups),
      type_(module.type_of(function_index)),
      body_(module.bodies[function_index - module.imported_functions]) {
  function_.index = function_index;
  function_.code_offset = body_.offset;
  function_.num_params = static_cast<uint32_t>(type_.params.size());
  function_.vars = type_.params;
  function_.vars.insert(function_.vars.end(), body_.locals.begin(), body_.locals.end());
  function_.num_locals = static_cast<uint32_t>(function_.vars.size());
  function_.vectors = body_.vectors;
  local_refs_.assign(function_.num_locals, 0);
}

// References have no variables yet.
Status FunctionBuilder::CheckTypes() const {
  auto check = [&](const std::vector<ValueType>& types) -> Status {
    for (ValueType type : types) {
      if (type <= ValueType::kV128) continue;
      return Status(Reason::kWasmUnsupportedFeature,
                    "Type [" + std::string(TypeName(type)) + "] is not supported.",
                    {{"offset", std::to_string(body_.offset)},
                     {"function", std::to_string(function_.index)}});
    }
    return {};
  };
  WB_TRY(check(function_.vars));
  WB_TRY(check(type_.results));
  for (const BlockType& block : body_.block_types) WB_TRY(check(block.results));
  return {};
}

Result<ir::Function> FunctionBuilder::Build() {
  WB_TRY(CheckTypes());
  function_.constructs.push_back({.kind = ir::ConstructKind::kFunction});
  Label& label = labels_.emplace_back();
  for (ValueType type : type_.results) label.results.push_back(NewVar(type));
  function_.results = label.results;
  StartBlock();
  Emit(Op::kSafepoint, body_.offset);
  for (const Instruction& instruction : body_.instructions) {
    if (reachable_) {
      WB_TRY(Step(instruction));
    } else {
      SkipUnreachable(instruction);
    }
  }
  if (reachable_) Assign(function_.results, body_.end_offset);
  uint32_t slots = 2 + max_slots_;
  for (uint32_t i = 0; i < function_.num_locals; ++i) slots += Slots(function_.vars[i]);
  function_.stack_slots = slots;
  return std::move(function_);
}

Var FunctionBuilder::NewVar(ValueType type) {
  function_.vars.push_back(type);
  return static_cast<Var>(function_.vars.size() - 1);
}

Inst& FunctionBuilder::Emit(Op op, uint32_t offset) {
  Inst& inst = function_.insts.emplace_back();
  inst.op = op;
  inst.offset = offset;
  return inst;
}

// A basic block is charged whole where it begins; its row collects the fuel of what follows.
void FunctionBuilder::StartBlock() {
  pay_row_ = function_.insts.size();
  Emit(Op::kPay, 0);
}

// ---- operand stack

void FunctionBuilder::Push(Var var) {
  Operand operand{var, 0};
  if (var < function_.num_locals) {
    operand.next_ref = local_refs_[var];
    local_refs_[var] = static_cast<uint32_t>(stack_.size()) + 1;
    ref_positions_.push_back(static_cast<uint32_t>(stack_.size()));
  }
  stack_.push_back(operand);
  height_slots_ += Slots(function_.vars[var]);
  max_slots_ = std::max(max_slots_, height_slots_);
}

Var FunctionBuilder::Pop() {
  WB_CHECK(!stack_.empty());
  Operand operand = stack_.back();
  stack_.pop_back();
  if (operand.var < function_.num_locals) {
    local_refs_[operand.var] = operand.next_ref;
  }
  if (!ref_positions_.empty() && ref_positions_.back() == stack_.size()) ref_positions_.pop_back();
  height_slots_ -= Slots(function_.vars[operand.var]);
  return operand.var;
}

void FunctionBuilder::DropTo(uint32_t height) {
  while (stack_.size() > height) Pop();
}

void FunctionBuilder::Snapshot(Var local) {
  if (local_refs_[local] == 0) return;
  Var copy = NewVar(function_.vars[local]);
  EmitCopy(copy, local, 0);
  for (uint32_t ref = local_refs_[local]; ref != 0;) {
    Operand& operand = stack_[ref - 1];
    ref = std::exchange(operand.next_ref, 0);
    operand.var = copy;
  }
  local_refs_[local] = 0;  // its entries in ref_positions_ go stale; SnapshotAll passes over them
}

// Before a construct: what lies below must not be copied on only one of the paths inside.
void FunctionBuilder::SnapshotAll() {
  for (uint32_t at : ref_positions_) {
    if (stack_[at].var < function_.num_locals) Snapshot(stack_[at].var);
  }
  ref_positions_.clear();
}

// ---- rows shared by several operators

Var FunctionBuilder::EmitConst(ValueType type, uint64_t bits, uint32_t offset) {
  Var dst = NewVar(type);
  Inst& inst = Emit(Op::kConst, offset);
  inst.dst = dst;
  inst.imm = bits;
  return dst;
}

Var FunctionBuilder::EmitBinary(Opcode opcode, Var a, Var b, uint32_t offset) {
  Var dst = NewVar(FactsOf(opcode).result);
  Inst& inst = Emit(Op::kNumeric, offset);
  inst.opcode = opcode;
  inst.dst = dst;
  inst.a = a;
  inst.b = b;
  return dst;
}

Var FunctionBuilder::EmitSelect(Var a, Var b, Var condition, uint32_t offset) {
  Var dst = NewVar(function_.vars[a]);
  Inst& inst = Emit(Op::kSelect, offset);
  inst.dst = dst;
  inst.a = a;
  inst.b = b;
  inst.c = condition;
  return dst;
}

void FunctionBuilder::EmitCopy(Var dst, Var a, uint32_t offset) {
  Inst& inst = Emit(Op::kCopy, offset);
  inst.dst = dst;
  inst.a = a;
}

// ---- operators

Status FunctionBuilder::Step(const Instruction& instruction) {
  const OpcodeFacts& facts = FactsOf(instruction.opcode);
  Charge(facts.fuel);
  switch (facts.klass) {
    case OpcodeClass::kNumeric: Numeric(instruction); return {};
    case OpcodeClass::kVector: Vector(instruction); return {};
    case OpcodeClass::kLoad: Load(instruction); return {};
    case OpcodeClass::kStore: Store(instruction); return {};
    case OpcodeClass::kOther: return Other(instruction);
  }
  return {};
}

Status FunctionBuilder::Other(const Instruction& instruction) {
  const uint32_t index = static_cast<uint32_t>(instruction.imm);
  const uint32_t offset = instruction.offset;
  switch (instruction.opcode) {
    case Opcode::kNop: break;
    case Opcode::kUnreachable: Trap(Trap::kUnreachable, offset); break;
    case Opcode::kBlock: Open(ir::ConstructKind::kBlock, instruction); break;
    case Opcode::kLoop: Open(ir::ConstructKind::kLoop, instruction); break;
    case Opcode::kIf: Open(ir::ConstructKind::kIf, instruction); break;
    case Opcode::kElse: Else(offset); break;
    case Opcode::kEnd: End(offset); break;
    case Opcode::kBr: Br(index, offset); break;
    case Opcode::kBrIf: BrIf(index, offset); break;
    case Opcode::kBrTable: BrTable(body_.br_tables[index], offset); break;
    case Opcode::kReturn: Return(offset); break;
    case Opcode::kCall: Call(instruction); break;
    case Opcode::kCallIndirect: return CallIndirect(instruction);
    case Opcode::kDrop: Pop(); break;
    case Opcode::kSelect:
    case Opcode::kSelectT: Select(offset); break;
    case Opcode::kLocalGet: Push(index); break;
    case Opcode::kLocalSet: LocalSet(instruction, false); break;
    case Opcode::kLocalTee: LocalSet(instruction, true); break;
    case Opcode::kGlobalGet:
    case Opcode::kGlobalSet: GlobalAccess(instruction); break;
    case Opcode::kMemorySize:
      Push(NewVar(ValueType::kI32));
      Emit(Op::kMemorySize, offset).dst = Top();
      break;
    case Opcode::kMemoryGrow: MemoryGrow(offset); break;
    case Opcode::kMemoryCopy: MemoryCopy(offset); break;
    case Opcode::kMemoryFill: MemoryFill(offset); break;
    case Opcode::kI32Const: Const(instruction, ValueType::kI32); break;
    case Opcode::kI64Const: Const(instruction, ValueType::kI64); break;
    case Opcode::kF32Const: Const(instruction, ValueType::kF32); break;
    case Opcode::kF64Const: Const(instruction, ValueType::kF64); break;
    case Opcode::kV128Const: Const(instruction, ValueType::kV128); break;
    default:
      return Status(
          Reason::kWasmUnsupportedFeature,
          "Operator [" + std::string(FactsOf(instruction.opcode).text) + "] is not supported.",
          {{"offset", std::to_string(offset)}, {"function", std::to_string(function_.index)}});
  }
  return {};
}

// Nothing here runs; only the nesting matters, and it costs no fuel.
void FunctionBuilder::SkipUnreachable(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kBlock:
    case Opcode::kLoop:
    case Opcode::kIf: ++dead_depth_; break;
    case Opcode::kElse:
      if (dead_depth_ == 0) Else(instruction.offset);
      break;
    case Opcode::kEnd:
      if (dead_depth_ == 0) {
        End(instruction.offset);
      } else {
        --dead_depth_;
      }
      break;
    default: break;
  }
}

void FunctionBuilder::Numeric(const Instruction& instruction) {
  const OpcodeFacts& facts = FactsOf(instruction.opcode);
  Var b = facts.b == ValueType::kVoid ? ir::kNoVar : Pop();
  Var a = Pop();
  Push(EmitBinary(instruction.opcode, a, b, instruction.offset));
}

// Immediates are constants that no operator of the module has pushed.
void FunctionBuilder::Vector(const Instruction& instruction) {
  const OpcodeFacts& facts = FactsOf(instruction.opcode);
  Var operands[3] = {ir::kNoVar, ir::kNoVar, ir::kNoVar};
  uint32_t count = facts.b == ValueType::kVoid ? 1 : facts.c == ValueType::kVoid ? 2 : 3;
  if (facts.immediate != OpcodeImmediate::kNone) {
    const ValueType type =
        facts.immediate == OpcodeImmediate::kLane ? ValueType::kI32 : ValueType::kV128;
    operands[--count] = EmitConst(type, instruction.imm, instruction.offset);
  }
  while (count-- > 0) operands[count] = Pop();
  Var dst = NewVar(facts.result);
  Inst& inst = Emit(Op::kNumeric, instruction.offset);
  inst.opcode = instruction.opcode;
  inst.dst = dst;
  inst.a = operands[0];
  inst.b = operands[1];
  inst.c = operands[2];
  Push(dst);
}

// The lane that an access to one takes, else no variable.
Var FunctionBuilder::LaneOf(const Instruction& instruction) {
  if (FactsOf(instruction.opcode).immediate != OpcodeImmediate::kLane) return ir::kNoVar;
  return EmitConst(ValueType::kI32, instruction.imm2 & 0xffu, instruction.offset);
}

void FunctionBuilder::Load(const Instruction& instruction) {
  Var lane = LaneOf(instruction);
  Var vector = lane == ir::kNoVar ? ir::kNoVar : Pop();
  Var address = Pop();
  Var dst = NewVar(FactsOf(instruction.opcode).result);
  Inst& inst = Emit(Op::kLoad, instruction.offset);
  inst.opcode = instruction.opcode;
  inst.dst = dst;
  inst.a = address;
  inst.b = vector;
  inst.c = lane;
  inst.imm = instruction.imm;
  Push(dst);
}

void FunctionBuilder::Store(const Instruction& instruction) {
  Var lane = LaneOf(instruction);
  Var value = Pop();
  Var address = Pop();
  Inst& inst = Emit(Op::kStore, instruction.offset);
  inst.opcode = instruction.opcode;
  inst.a = address;
  inst.b = value;
  inst.c = lane;
  inst.imm = instruction.imm;
}

void FunctionBuilder::Const(const Instruction& instruction, ValueType type) {
  Push(EmitConst(type, instruction.imm, instruction.offset));
}

void FunctionBuilder::Select(uint32_t offset) {
  Var condition = Pop();
  Var b = Pop();
  Var a = Pop();
  Push(EmitSelect(a, b, condition, offset));
}

void FunctionBuilder::LocalSet(const Instruction& instruction, bool keep) {
  Var local = static_cast<Var>(instruction.imm);
  Var value = Pop();
  if (value != local) {
    Snapshot(local);
    EmitCopy(local, value, instruction.offset);
  }
  if (keep) Push(value < function_.num_locals ? value : local);
}

void FunctionBuilder::GlobalAccess(const Instruction& instruction) {
  if (instruction.opcode == Opcode::kGlobalSet) {
    Var value = Pop();
    Inst& inst = Emit(Op::kGlobalSet, instruction.offset);
    inst.a = value;
    inst.imm = instruction.imm;
    return;
  }
  Var dst = NewVar(module_.globals[instruction.imm].type);
  Inst& inst = Emit(Op::kGlobalGet, instruction.offset);
  inst.dst = dst;
  inst.imm = instruction.imm;
  Push(dst);
}

// One fuel more for each page granted.
void FunctionBuilder::MemoryGrow(uint32_t offset) {
  Var delta = Pop();
  Var old_pages = NewVar(ValueType::kI32);
  Inst& inst = Emit(Op::kMemoryGrow, offset);
  inst.dst = old_pages;
  inst.a = delta;
  Var refused = EmitConst(ValueType::kI32, 0xffffffffu, offset);
  Var zero = EmitConst(ValueType::kI32, 0, offset);
  Var granted = EmitBinary(Opcode::kI32Ne, old_pages, refused, offset);
  Var cost = EmitSelect(delta, zero, granted, offset);
  Emit(Op::kPayVar, offset).a = cost;
  Push(old_pages);
}

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

// The table tells the callee's number; each possible callee is called directly under a test of it.
Status FunctionBuilder::CallIndirect(const Instruction& instruction) {
  const uint32_t offset = instruction.offset;
  const uint32_t type_index = static_cast<uint32_t>(instruction.imm);
  const FunctionType& type = module_.types[type_index];
  WB_ASSIGN(const uint32_t lookup, lookups_.Find(instruction.imm2, type_index, offset));
  Var index = Pop();
  std::vector<Var> args(type.params.size()), results;
  for (size_t i = args.size(); i-- > 0;) args[i] = Pop();
  for (ValueType result : type.results) results.push_back(NewVar(result));
  Var number = NewVar(ValueType::kI32);
  Inst& inst = Emit(Op::kTableLookup, offset);
  inst.dst = number;
  inst.a = index;
  inst.imm = lookup;
  const std::vector<uint32_t> callees = lookups_.at(lookup).callees;
  if (callees.empty()) {
    Trap(Trap::kIndirectCallType, offset);  // the lookup has trapped
    return {};
  }
  for (uint32_t i = 0; i < callees.size(); ++i) {
    uint32_t construct = 0;
    if (callees.size() > 1) construct = OpenTest(number, i, offset);
    std::vector<Var> values;
    for (ValueType result : type.results) values.push_back(NewVar(result));
    EmitCall(callees[i], args, values, offset);
    for (size_t k = 0; k < values.size(); ++k) EmitCopy(results[k], values[k], offset);
    if (callees.size() > 1) Emit(Op::kEnd, offset).imm = construct;
  }
  for (Var result : results) Push(result);
  return {};
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

void FunctionBuilder::Trap(wb::Trap trap, uint32_t offset) {
  Emit(Op::kTrap, offset).imm = static_cast<uint64_t>(trap);
  reachable_ = false;
}

}  // namespace wb
