#pragma once

// The vector operators for the interpreter: functions outside of its loop, which would otherwise
// grow by 256 pieces of code that few modules run. A v128 lies in two slots, low half first.

#include <cstdint>

#include "compiler/wasm/opcode.h"
#include "scheduler/devices/interpreter/bytecode.h"

namespace wb {

// Operands by slots; what has no field of its own lies in ByteCode::imm:
//   bits 0-31   the static offset of an access, else the slot of operand c
//   bits 32-47  the operator's number
//   bits 48-55  the lane, where it is an immediate
using VectorFunction = void (*)(uint64_t* slots, const ByteCode& code, uint8_t* memory);

struct VectorOp {
  VectorFunction run = nullptr;
  uint32_t bytes = 0;  // loads and stores: bytes touched, tested by the caller
};

inline constexpr uint32_t kVectorNumberShift = 32;
inline constexpr uint32_t kVectorLaneShift = 48;

uint32_t VectorNumberOf(Opcode opcode);  // of a row of opcode_simd.def
extern const VectorOp kVectorOps[];      // by number

inline const VectorOp& VectorOpOf(const ByteCode& code) {
  return kVectorOps[code.imm >> kVectorNumberShift & 0xffff];
}

}  // namespace wb
