#pragma once

// What is known of an i32 before the program runs: which of its bits are always 0, and which always
// 1. Facts of several values meet in `Or`. Each operator here holds for all values that its
// operands' facts allow (`known_bits_test` tries them).
//
// Known low bits are alignment; known high zeros are an upper bound. Sums and differences follow
// the carries of their largest and smallest values, as in Warren, Hacker's Delight, 2-16 and 4-2.

#include <cstdint>

#include "compiler/wasm/opcode.h"

namespace wb {

struct KnownBits {
  uint32_t zeros = 0;
  uint32_t ones = 0;

  static KnownBits Of(uint32_t value) { return {~value, value}; }
  static KnownBits Nothing() { return {}; }
  // No value at all: every claim holds. The unit of Or.
  static KnownBits NoValue() { return {~0u, ~0u}; }
  static KnownBits AtMost(uint32_t value);

  bool has_value() const { return (zeros & ones) == 0; }
  bool is_constant() const { return (zeros ^ ones) == ~0u; }
  bool nothing() const { return zeros == 0 && ones == 0; }
  uint32_t least() const { return ones; }
  uint32_t most() const { return ~zeros; }
  // How many of the lowest bits are known, and how many of the lowest are known to be 0: up to 32.
  uint32_t known_low_bits() const;
  uint32_t low_zeros() const;
  bool operator==(const KnownBits&) const = default;
};

// One or the other.
KnownBits Or(const KnownBits& a, const KnownBits& b);

// The result of an i32 operator on i32 operands; nothing is known of operators that are not here.
// `b` is not looked at where there is one operand.
KnownBits ResultBits(Opcode opcode, const KnownBits& a, const KnownBits& b);

}  // namespace wb
