// Guest of bench/growing.sh: takes memory as a program with an allocator does, a page whenever what
// it has is full, up to a number of pages drawn from the exponential distribution with the mean
// `mean` by hashing `seed`. Every word of a page is written when it is taken, and all of them are
// read at the end.

#include "../deploy/demo/log2.h"

typedef unsigned int u32;

enum { kPageBytes = 65536, kPageWords = kPageBytes / 4, kMostPages = 255 };

static u32 Hash(u32 x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

// 0 where memory.grow fails.
__attribute__((export_name("grow"))) u32 Grow(u32 seed, u32 mean) {
  const double uniform = ((double)Hash(seed) + 0.5) / 4294967296.0;
  u32 pages = 1 + (u32)(-0.69314718055994530942 * Log2(uniform) * mean);
  if (pages > kMostPages) pages = kMostPages;
  u32 x = seed | 1;
  for (u32 page = 0; page < pages; ++page) {
    const u32 at = (u32)__builtin_wasm_memory_grow(0, 1);
    if (at == ~0u) return 0;
    u32* words = (u32*)(at * kPageBytes);
    for (u32 i = 0; i < kPageWords; ++i) words[i] = x = x * 1664525u + 1013904223u;
  }
  const u32* words = (const u32*)kPageBytes;
  u32 digest = 2166136261u;
  for (u32 i = 0; i < pages * kPageWords; ++i) digest = (digest ^ words[i]) * 16777619u;
  return digest | 1;
}
