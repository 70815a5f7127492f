#pragma once

// Indices that are kept inside an array ("at < 0 ? 0 : at < size ? at : size - 1"): a select that
// compares its own operands gives the smaller or the larger of them.

#include <cstdint>
#include <optional>

#include "compiler/passes/loops/linear_form.h"
#include "compiler/wasm/opcode.h"

namespace wb {

// An i32, taken with its sign.
struct Interval {
  int64_t least = INT32_MIN;
  int64_t most = INT32_MAX;
  bool operator==(const Interval&) const = default;
};

// Of a value between two constants; else all of them.
Interval IntervalOf(const LinearForm& form);
Interval IntervalOf(const KnownBits& bits);
// In both.
Interval Both(const Interval& a, const Interval& b);
// What is known of a value that lies in it; nothing if it is too wide.
LinearForm FormOf(const Interval& interval);

// Which of its operands a comparison holds for.
struct Order {
  bool with_signs = false;
  bool smaller_first = false;
};
std::optional<Order> OrderOf(Opcode opcode);

Interval SmallerOf(const Interval& a, const Interval& b, bool with_signs);
Interval LargerOf(const Interval& a, const Interval& b, bool with_signs);

}  // namespace wb
