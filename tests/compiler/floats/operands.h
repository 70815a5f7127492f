#pragma once

// Operands on which float code goes wrong, by the million: shapes of significands crossed with
// relations of exponents, corners of the type, and noise. Deterministic by seed.

#include <cstdint>
#include <vector>

#include "compiler/wasm/opcode.h"

namespace wb {

class Operands {
 public:
  // `b` is kVoid where there is one operand.
  Operands(ValueType a, ValueType b, uint64_t seed);

  struct Pair {
    uint64_t a = 0;
    uint64_t b = 0;
  };
  Pair Next();

 private:
  struct Format;  // of a float type

  uint64_t Random();
  uint64_t Below(uint64_t limit) { return Random() % limit; }
  static const Format& FormatOf(ValueType type);

  uint64_t Significand(const Format& format);
  uint64_t Compose(const Format& format, int64_t exponent, uint64_t significand);
  uint64_t Float(const Format& format);
  uint64_t NearSquare(const Format& format);
  uint64_t Partner(const Format& format, uint64_t a);  // a second operand of the same type
  uint64_t Integer(ValueType type);
  uint64_t One(ValueType type, const std::vector<uint64_t>& corners);

  ValueType a_;
  ValueType b_;
  std::vector<uint64_t> corners_a_;
  std::vector<uint64_t> corners_b_;
  uint64_t state_;
};

}  // namespace wb
