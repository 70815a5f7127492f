#pragma once

// The metal floats of compiler/runtime, compiled as C++: every operator of opcode.def that has a
// float among its operands or as its result.

#include <cstddef>
#include <cstdint>
#include <span>

#include "compiler/wasm/opcode.h"

namespace wb {

// results[i] = the operator of a[i] and b[i]; bits, 32-bit ones zero-extended. `b` is not read
// where there is one operand. Computes on the calling thread, in whatever mode its float unit is.
using RunRow = void (*)(const uint64_t* a, const uint64_t* b, uint64_t* results, size_t count);

struct MetalRow {
  Opcode opcode;
  RunRow value;
  RunRow trap;  // the number of the trap or 0; null: never traps
};
std::span<const MetalRow> MetalRows();

// What the emitter makes of a product that only a sum or difference reads, in f32.
enum class ProductSum : uint8_t { kMulAdd, kMulSub, kSubMul };  // a*b + c, a*b - c, c - a*b
void RunProductSum(ProductSum form, const uint32_t* a, const uint32_t* b, const uint32_t* c,
                   uint32_t* results, size_t count);

}  // namespace wb
