#include "compiler/wasm/const_expr.h"

#include <vector>

#include "compiler/base/check.h"

namespace wb {
namespace {

uint64_t Arithmetic(Opcode opcode, uint64_t a, uint64_t b) {
  switch (opcode) {
    case Opcode::kI32Add: return static_cast<uint32_t>(a + b);
    case Opcode::kI32Sub: return static_cast<uint32_t>(a - b);
    case Opcode::kI32Mul: return static_cast<uint32_t>(a * b);
    case Opcode::kI64Add: return a + b;
    case Opcode::kI64Sub: return a - b;
    default: break;
  }
  WB_CHECK(opcode == Opcode::kI64Mul);
  return a * b;
}

}  // namespace

std::optional<Instruction> ValueOf(std::span<const Instruction> operators,
                                   const GlobalValue& global) {
  std::vector<Instruction> stack;
  for (const Instruction& instruction : operators) {
    if (instruction.opcode == Opcode::kGlobalGet) {
      const auto value = global ? global(instruction.imm) : std::nullopt;
      if (!value) return std::nullopt;
      stack.push_back(*value);
    } else if (FactsOf(instruction.opcode).klass == OpcodeClass::kNumeric) {
      WB_CHECK(stack.size() >= 2);
      const uint64_t b = stack.back().imm;
      stack.pop_back();
      stack.back().imm = Arithmetic(instruction.opcode, stack.back().imm, b);
    } else {
      stack.push_back(instruction);
    }
  }
  WB_CHECK(stack.size() == 1);
  stack.back().offset = operators.front().offset;
  return stack.back();
}

Instruction ValueOf(const Module& module, const ConstExpr& expression, const GlobalValue& global) {
  std::span<const Instruction> operators(&expression.instruction, 1);
  if (expression.instruction.opcode == Opcode::kEnd) {
    operators = module.longer_expressions[expression.instruction.imm];
  }
  const auto value = ValueOf(operators, global);
  WB_CHECK(value.has_value());
  return *value;
}

}  // namespace wb
