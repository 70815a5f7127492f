#pragma once

// An i32 within a loop, as far as it is known: values that variables have when the loop is entered,
// times constants; a multiple of the round's number, counted from 0; a constant; and a rest between
// 0 and a bound. Arithmetic is modulo 2^32. A form that becomes too large for use is not known.

#include <cstdint>
#include <vector>

#include "compiler/ir/counted_loop.h"
#include "compiler/passes/analysis/known_bits.h"

namespace wb {

struct LinearForm {
  static constexpr size_t kMostTerms = 4;
  static constexpr int64_t kMostPerRound = 1 << 20;
  static constexpr uint64_t kMostRest = uint64_t{1} << 30;

  bool known = false;
  ir::LoopValue value;       // terms by rising variable
  int64_t per_round = 0;     // at most kMostPerRound either way
  uint64_t rest = 0;         // the largest rest
  uint32_t rest_zeros = 32;  // low bits of the rest that are 0

  static LinearForm Unknown() { return {}; }
  static LinearForm Constant(uint32_t value);
  static LinearForm Entry(uint32_t var);
  // A value of which only this is known.
  static LinearForm Of(const KnownBits& bits);

  bool is_constant() const { return known && value.terms.empty() && per_round == 0 && rest == 0; }
  // Exact: nothing is left open.
  bool exact() const { return known && rest == 0; }
  bool fixed() const { return exact() && per_round == 0; }
};

LinearForm Plus(const LinearForm& a, const LinearForm& b);
LinearForm Minus(const LinearForm& a, const LinearForm& b);
LinearForm Times(const LinearForm& a, uint32_t factor);

}  // namespace wb
