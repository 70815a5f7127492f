#pragma once

// Which instructions an operator of the opcode table has.

#include "compiler/wasm/opcode.h"
#include "scheduler/devices/interpreter/bytecode.h"

namespace wb {

inline constexpr ByteOp kNoOp = ByteOp::kReturn;

// The forms that a numeric operator has; kNoOp where it lacks one.
struct NumericForms {
  ByteOp plain = kNoOp;
  ByteOp imm = kNoOp;
  ByteOp jump[2][2] = {{kNoOp, kNoOp}, {kNoOp, kNoOp}};  // [immediate][if, unless]
};

NumericForms FormsOf(Opcode opcode);  // of a numeric operator
ByteOp AccessOf(Opcode opcode);       // of a load or store

}  // namespace wb
