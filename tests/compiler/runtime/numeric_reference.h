#pragma once

// What each numeric operator does, written from the specification (core 2.0, section 4.3) in plain
// C++ and apart from the runtime text.

#include <cstdint>

#include "compiler/abi/lane.h"
#include "compiler/wasm/opcode.h"

namespace wb {

struct NumericOutcome {
  Trap trap = Trap::kNone;
  uint64_t bits = 0;      // of the result; 32-bit ones zero-extended
  bool exact_nan = true;  // false: where the bits are a NaN, any NaN is right
};

// Operands as bits, 32-bit ones zero-extended; `b` is ignored where there is one operand.
NumericOutcome NumericReference(Opcode opcode, uint64_t a, uint64_t b);

}  // namespace wb
