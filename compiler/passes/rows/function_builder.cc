#include "compiler/passes/rows/function_builder.h"

#include <algorithm>
#include <map>
#include <string>

namespace wb {

using ir::ConstructKind;
using ir::Op;
using ir::Var;

namespace {

ir::Function HeadOf(const Module& module, const Body& body, uint32_t index) {
  const FunctionType& type = module.type_of(index);
  ir::Function function;
  function.index = index;
  function.code_offset = body.offset;
  function.synthetic = body.instantiation;
  function.num_params = static_cast<uint32_t>(type.params.size());
  function.vars = type.params;
  function.vars.insert(function.vars.end(), body.locals.begin(), body.locals.end());
  function.num_locals = static_cast<uint32_t>(function.vars.size());
  function.vectors = body.vectors;
  return function;
}

}  // namespace

FunctionBuilder::FunctionBuilder(const ir::Program& program, TableLookups& lookups,
                                 BulkFunctions& bulk_functions, uint32_t function_index)
    : module_(*program.module),
      body_(module_.bodies[function_index - module_.imported_functions]),
      rows_(HeadOf(module_, body_, function_index)),
      operands_(rows_),
      control_(rows_, operands_),
      values_(module_, rows_, operands_),
      calls_(program, lookups, rows_, operands_, control_),
      bulk_(program, body_.instantiation, bulk_functions, rows_, operands_, control_),
      memories_(program, rows_, operands_),
      tables_(program, rows_, operands_, bulk_) {}

Result<ir::Function> FunctionBuilder::Build() {
  Begin();
  for (const Instruction& instruction : body_.instructions) {
    rows_.MoveTo(instruction.offset);
    if (control_.reachable()) {
      WB_TRY(Step(instruction));
    } else {
      SkipUnreachable(instruction);
    }
  }
  rows_.MoveTo(body_.end_offset);
  control_.CloseBody();
  if (!body_.instantiation) rows_.function().stack_slots = StackSlotsOfActivation();
  return rows_.Take();
}

void FunctionBuilder::Begin() {
  const bool loop = CallsItself();
  rows_.MoveTo(body_.offset);
  control_.OpenBody(module_.type_of(rows_.function().index).results, loop);
  if (!body_.instantiation) rows_.Emit(Op::kSafepoint);
  if (loop) ClearLocals();
}

bool FunctionBuilder::CallsItself() const {
  return std::any_of(body_.instructions.begin(), body_.instructions.end(),
                     [&](const Instruction& instruction) {
                       return instruction.opcode == Opcode::kReturnCall &&
                              instruction.imm == rows_.function().index;
                     });
}

// Every round of a function that tail-calls itself begins with fresh locals. They are cleared here,
// once, since there may be any number of such calls.
void FunctionBuilder::ClearLocals() {
  ir::Function& function = rows_.function();
  std::vector<bool> read(function.num_locals);
  for (const Instruction& instruction : body_.instructions) {
    if (instruction.opcode == Opcode::kLocalGet) read[instruction.imm] = true;
  }
  std::map<ValueType, Var> zeros;
  for (Var local = function.num_params; local < function.num_locals; ++local) {
    if (!read[local]) continue;
    const ValueType type = rows_.TypeOf(local);
    const auto [zero, fresh] = zeros.try_emplace(type);
    if (fresh) {
      const bool vector = type == ValueType::kV128;
      zero->second = rows_.Const(type, vector ? function.vectors.size() : 0);
      if (vector) function.vectors.push_back({});
    }
    rows_.Copy(local, zero->second);
  }
}

// Two slots, the locals, and the operands where there are most.
uint32_t FunctionBuilder::StackSlotsOfActivation() const {
  uint32_t slots = 2 + operands_.max_slots();
  for (Var local = 0; local < rows_.function().num_locals; ++local) {
    slots += StackSlots(rows_.TypeOf(local));
  }
  return slots;
}

Status FunctionBuilder::Step(const Instruction& instruction) {
  const OpcodeFacts& facts = FactsOf(instruction.opcode);
  control_.Charge(facts.fuel);
  switch (facts.klass) {
    case OpcodeClass::kNumeric: values_.Numeric(instruction); return {};
    case OpcodeClass::kVector: values_.Vector(instruction); return {};
    case OpcodeClass::kLoad: memories_.Load(instruction); return {};
    case OpcodeClass::kStore: memories_.Store(instruction); return {};
    case OpcodeClass::kOther: break;
  }
  const bool known = values_.Append(instruction) || Control(instruction) ||
                     calls_.Append(instruction) || memories_.Append(instruction) ||
                     tables_.Append(instruction) || bulk_.Append(instruction);
  return known ? Status() : Unsupported(instruction);
}

// False: not an operator of this kind.
bool FunctionBuilder::Control(const Instruction& instruction) {
  const uint32_t index = static_cast<uint32_t>(instruction.imm);
  const auto open = [&](ConstructKind kind) { control_.Open(kind, body_.block_types[index]); };
  switch (instruction.opcode) {
    case Opcode::kNop: return true;
    case Opcode::kUnreachable: control_.Trap(Trap::kUnreachable); return true;
    case Opcode::kBlock: open(ConstructKind::kBlock); return true;
    case Opcode::kLoop: open(ConstructKind::kLoop); return true;
    case Opcode::kIf: open(ConstructKind::kIf); return true;
    case Opcode::kElse: control_.Else(); return true;
    case Opcode::kEnd: control_.End(); return true;
    case Opcode::kBr: control_.Br(index); return true;
    case Opcode::kBrIf: control_.BrIf(index); return true;
    case Opcode::kBrTable: control_.BrTable(body_.br_tables[index]); return true;
    case Opcode::kReturn: control_.Return(); return true;
    default: return false;
  }
}

Status FunctionBuilder::Unsupported(const Instruction& instruction) const {
  return Status(
      Reason::kWasmUnsupportedFeature,
      "Operator [" + std::string(FactsOf(instruction.opcode).text) + "] is not supported.",
      {{"offset", std::to_string(instruction.offset)},
       {"function", std::to_string(rows_.function().index)}});
}

// Nothing here runs; only the nesting matters, and it costs no fuel.
void FunctionBuilder::SkipUnreachable(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kBlock:
    case Opcode::kLoop:
    case Opcode::kIf: ++dead_depth_; break;
    case Opcode::kElse:
      if (dead_depth_ == 0) control_.Else();
      break;
    case Opcode::kEnd:
      if (dead_depth_ == 0) {
        control_.End();
      } else {
        --dead_depth_;
      }
      break;
    default: break;
  }
}

}  // namespace wb
