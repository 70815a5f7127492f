// Calls: recursion, and comparators through function pointers. The guest of calls_bench.cc and of
// calls_v8.mjs; cuda_quicksort.cu is the same sort written for a GPU by hand.
#include <stdint.h>

__attribute__((export_name("fib"))) uint32_t Fib(uint32_t n) {
  return n < 2 ? n : Fib(n - 1) + Fib(n - 2);
}

enum { kItems = 4096 };
typedef int (*Before)(uint32_t, uint32_t);

static int Up(uint32_t a, uint32_t b) { return a < b; }
static int Down(uint32_t a, uint32_t b) { return b < a; }
static int LowHalfFirst(uint32_t a, uint32_t b) {
  return (a << 16 | a >> 16) < (b << 16 | b >> 16);
}
static int Signed(uint32_t a, uint32_t b) { return (int32_t)a < (int32_t)b; }
static const Before orders[] = {Up, Down, LowHalfFirst, Signed};

static uint32_t items[kItems];

static void Quicksort(int low, int high, Before before) {
  if (low >= high) return;
  const uint32_t pivot = items[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (before(items[i], pivot)) ++i;
    while (before(pivot, items[j])) --j;
    if (i > j) break;
    const uint32_t kept = items[i];
    items[i++] = items[j];
    items[j--] = kept;
  }
  Quicksort(low, j, before);
  Quicksort(i, high, before);
}

// Fills the items from the seed, sorts them by one of the orders (the same for 32 seeds in a row,
// the lanes of a group) and folds them into a digest.
__attribute__((export_name("sort"))) uint32_t Sort(uint32_t seed) {
  uint32_t random = seed * 2654435761u + 1;
  for (int i = 0; i < kItems; ++i) items[i] = random = random * 1664525u + 1013904223u;
  Quicksort(0, kItems - 1, orders[seed / 32 % 4]);
  uint32_t digest = 2166136261u;
  for (int i = 0; i < kItems; ++i) digest = (digest ^ items[i]) * 16777619u;
  return digest;
}
