// How often 12 queens fit a board, the first two placed by the instance: recursion over bit masks.
#include "guest.h"

enum { kSide = 12, kAll = (1 << kSide) - 1 };

static uint32_t Place(uint32_t columns, uint32_t left, uint32_t right) {
  if (columns == kAll) return 1;
  uint32_t count = 0;
  for (uint32_t open = kAll & ~(columns | left | right); open != 0; open &= open - 1) {
    const uint32_t queen = open & -open;
    count += Place(columns | queen, (left | queen) << 1, (right | queen) >> 1);
  }
  return count;
}

// The first two queens are those of the pair of columns with this number, of those that go well.
EXPORT("nqueens") uint32_t NQueens(uint32_t instance) {
  uint32_t left_over = instance % (kSide * kSide - 3 * kSide + 2);
  for (uint32_t pair = 0; pair < kSide * kSide; ++pair) {
    const uint32_t first = pair / kSide, second = pair % kSide;
    if (first == second || first + 1 == second || first == second + 1) continue;
    if (left_over-- != 0) continue;
    const uint32_t a = 1u << first, b = 1u << second;
    return Fold(Fold(kFoldStart, pair), Place(a | b, (a << 1 | b) << 1, (a >> 1 | b) >> 1));
  }
  return 0;
}
