#pragma once

#include <cstdint>

namespace wb {

// What one of several may hold of a bound: half of what the others leave. However many come, there
// is some left for the next. At least 1 while the others leave any.
inline uint64_t FairPart(uint64_t bound, uint64_t held_by_others) {
  return held_by_others >= bound ? 0 : (bound - held_by_others + 1) / 2;
}

}  // namespace wb
