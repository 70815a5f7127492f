#pragma once

// a*b + c and its like of the metal floats against the processor's own two operations, as
// CheckRow does for single ones.

#include "tests/compiler/floats/agreement.h"

namespace wb {

Agreement CheckProductSum(ProductSum form, uint64_t cases, uint64_t seed);

}  // namespace wb
