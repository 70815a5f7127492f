#pragma once

// Operands that numeric code gets wrong: a corner table per type and seeded structured noise.

#include <cstdint>
#include <random>
#include <vector>

#include "compiler/wasm/opcode.h"

namespace wb {

// Bit patterns of the type's corners: extremes, powers of two and their neighbours; for floats
// also zeros, subnormals, halfway cases, the bounds of integer types, infinities, NaNs of both
// kinds.
std::vector<uint64_t> CornerBits(ValueType type);

// A random bit pattern of the type; half of them near a corner.
uint64_t RandomBits(ValueType type, std::mt19937_64& random);

}  // namespace wb
