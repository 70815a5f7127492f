#pragma once

// What an instruction shows of itself in a trace: the operator's name, its operands, its result.

#include <cstdint>
#include <string_view>

#include "compiler/wasm/opcode.h"
#include "scheduler/devices/interpreter/bytecode.h"

namespace wb {

struct OperatorFacts {
  std::string_view text;                // "i32.add"; empty: it does not show
  ValueType result = ValueType::kVoid;  // in slot dst
  ValueType a = ValueType::kVoid;       // in slot a
  ValueType b = ValueType::kVoid;       // in slot b, or
  bool b_is_imm = false;                // ... the immediate
};

const OperatorFacts& OperatorFactsOf(ByteOp op);

}  // namespace wb
