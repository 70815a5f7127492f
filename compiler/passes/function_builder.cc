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

FunctionBuilder::FunctionBuilder(const ir::Program& program, TableLookups& lookups,
                                 BulkFunctions& bulk_functions, uint32_t function_index)
    : program_(program),
      module_(*program.module),
      lookups_(lookups),
      bulk_functions_(bulk_functions),
      type_(module_.type_of(function_index)),
      body_(module_.bodies[function_index - module_.imported_functions]) {
  function_.index = function_index;
  function_.code_offset = body_.offset;
  function_.synthetic = body_.instantiation;
  function_.num_params = static_cast<uint32_t>(type_.params.size());
  function_.vars = type_.params;
  function_.vars.insert(function_.vars.end(), body_.locals.begin(), body_.locals.end());
  function_.num_locals = static_cast<uint32_t>(function_.vars.size());
  function_.vectors = body_.vectors;
  local_refs_.assign(function_.num_locals, 0);
}

Result<ir::Function> FunctionBuilder::Build() {
  Begin();
  for (const Instruction& instruction : body_.instructions) {
    if (reachable_) {
      WB_TRY(Step(instruction));
    } else {
      SkipUnreachable(instruction);
    }
  }
  Finish();
  if (body_.instantiation) return std::move(function_);
  uint32_t slots = 2 + max_slots_;
  for (uint32_t i = 0; i < function_.num_locals; ++i) slots += Slots(function_.vars[i]);
  function_.stack_slots = slots;
  return std::move(function_);
}

void FunctionBuilder::Begin() {
  function_.constructs.push_back({.kind = ir::ConstructKind::kFunction});
  Label& label = labels_.emplace_back();
  for (ValueType type : type_.results) label.results.push_back(NewVar(type));
  function_.results = label.results;
  const auto calls_itself = [&](const Instruction& instruction) {
    return instruction.opcode == Opcode::kReturnCall && instruction.imm == function_.index;
  };
  if (std::any_of(body_.instructions.begin(), body_.instructions.end(), calls_itself)) {
    body_construct_ = 1;
    function_.constructs.push_back({.kind = ir::ConstructKind::kLoop});
    Emit(Op::kLoop, body_.offset).imm = body_construct_;
  }
  StartBlock();
  if (!body_.instantiation) Emit(Op::kSafepoint, body_.offset);
  if (body_construct_ != 0) ClearLocals();
}

void FunctionBuilder::Finish() {
  if (reachable_) Assign(function_.results, body_.end_offset);
  if (body_construct_ == 0) return;
  Emit(Op::kEnd, body_.end_offset).imm = body_construct_;
  ir::Construct& loop = function_.constructs[body_construct_];
  if (loop.targeted) return;
  // The tail call is in unreachable code: no loop.
  loop.kind = ir::ConstructKind::kBlock;
  function_.insts[0].op = Op::kBlock;
  std::rotate(function_.insts.begin(), function_.insts.begin() + 1, function_.insts.begin() + 3);
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

// A basic block is charged whole where it begins: its kPay row collects the fuel of its operators.
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

// Before a construct: operands below it must not be copied on only one of the paths inside.
void FunctionBuilder::SnapshotAll() {
  for (uint32_t at : ref_positions_) {
    if (stack_[at].var < function_.num_locals) Snapshot(stack_[at].var);
  }
  ref_positions_.clear();
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
    case Opcode::kCall:
    case Opcode::kReturnCall: Call(instruction); break;
    case Opcode::kCallIndirect:
    case Opcode::kReturnCallIndirect: CallIndirect(instruction); break;
    case Opcode::kDrop: Pop(); break;
    case Opcode::kSelect:
    case Opcode::kSelectT: Select(offset); break;
    case Opcode::kLocalGet: Push(index); break;
    case Opcode::kLocalSet: LocalSet(instruction, false); break;
    case Opcode::kLocalTee: LocalSet(instruction, true); break;
    case Opcode::kGlobalGet:
    case Opcode::kGlobalSet: GlobalAccess(instruction); break;
    case Opcode::kMemorySize: MemorySize(instruction); break;
    case Opcode::kMemoryGrow: MemoryGrow(instruction); break;
    case Opcode::kMemoryCopy: MemoryCopy(instruction); break;
    case Opcode::kMemoryFill: MemoryFill(instruction); break;
    case Opcode::kMemoryInit: MemoryInit(instruction); break;
    case Opcode::kDataDrop: DropSegment(program_.data[index], offset); break;
    case Opcode::kI32Const: Const(instruction, ValueType::kI32); break;
    case Opcode::kI64Const: Const(instruction, ValueType::kI64); break;
    case Opcode::kF32Const: Const(instruction, ValueType::kF32); break;
    case Opcode::kF64Const: Const(instruction, ValueType::kF64); break;
    case Opcode::kV128Const: Const(instruction, ValueType::kV128); break;
    default:
      if (Reference(instruction) || TableOperator(instruction)) break;
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

void FunctionBuilder::Trap(wb::Trap trap, uint32_t offset) {
  Emit(Op::kTrap, offset).imm = static_cast<uint64_t>(trap);
  reachable_ = false;
}

}  // namespace wb
