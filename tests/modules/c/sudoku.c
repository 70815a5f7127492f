// Sudoku by recursion: always the open cell with the fewest candidates; grids are made by removing
// digits from a shuffled solved one.
#include "guest.h"

static uint8_t grid[81];
static uint16_t rows[9], columns[9], boxes[9];
static uint32_t tried;

static int box_of(int cell) { return cell / 27 * 3 + cell % 9 / 3; }

static void mark(int cell, uint32_t digit) {
  uint16_t bit = (uint16_t)(1u << digit);
  grid[cell] = (uint8_t)digit;
  rows[cell / 9] |= bit;
  columns[cell % 9] |= bit;
  boxes[box_of(cell)] |= bit;
}
static void unmark(int cell) {
  uint16_t keep = (uint16_t) ~(1u << grid[cell]);
  grid[cell] = 0;
  rows[cell / 9] &= keep;
  columns[cell % 9] &= keep;
  boxes[box_of(cell)] &= keep;
}
static uint32_t candidates(int cell) {
  return 0x3feu & ~(uint32_t)(rows[cell / 9] | columns[cell % 9] | boxes[box_of(cell)]);
}

static int solve(void) {
  int best = -1, fewest = 10;
  for (int cell = 0; cell < 81; ++cell) {
    if (grid[cell] != 0) continue;
    int count = __builtin_popcount(candidates(cell));
    if (count >= fewest) continue;
    best = cell;
    fewest = count;
  }
  if (best < 0) return 1;
  if (++tried > 500) return 0;
  for (uint32_t left = candidates(best); left != 0; left &= left - 1) {
    mark(best, (uint32_t)__builtin_ctz(left));
    if (solve()) return 1;
    unmark(best);
  }
  return 0;
}

static void shuffle(uint8_t* items, uint32_t count) {
  for (uint32_t i = count - 1; i > 0; --i) {
    uint32_t j = next_random() % (i + 1);
    uint8_t kept = items[i];
    items[i] = items[j];
    items[j] = kept;
  }
}

EXPORT(run) uint32_t run(uint32_t seed) {
  seed_random(seed);
  uint8_t digits[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, order[81];
  shuffle(digits, 9);
  for (uint32_t i = 0; i < 81; ++i) order[i] = (uint8_t)i;
  shuffle(order, 81);
  // 24 to 39 digits stay; an odd seed has one of them wrong, so that there may be no solution.
  uint32_t kept = 24 + seed % 16;
  for (uint32_t i = 0; i < kept; ++i) {
    int cell = order[i], row = cell / 9, column = cell % 9;
    mark(cell, digits[(row * 3 + row / 3 + column) % 9]);
  }
  for (uint32_t i = 0; i < 81; ++i) out_byte(grid[i]);
  if (seed % 2 == 1) {
    uint32_t free_digits = candidates(order[kept]);
    if (free_digits != 0) mark(order[kept], 31 - (uint32_t)__builtin_clz(free_digits));
  }
  int solved = solve();
  for (uint32_t i = 0; i < 81; ++i) out_byte(grid[i]);
  out_u32(tried);
  return (uint32_t)solved;
}
