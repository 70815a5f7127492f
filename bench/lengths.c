// Instances of equal and of very different lengths, for bench/gpu.sh. `run` spins for `mean`
// rounds, or for a number drawn from the exponential distribution with that mean by hashing `seed`;
// two nested loops, so that leaving and resuming has something to hold.

#include "../deploy/demo/log2.h"

typedef unsigned int u32;
typedef unsigned long long u64;

static u32 Hash(u32 x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

static u32 Spin(u32 seed, u32 rounds) {
  u32 x = seed | 1;
  while (rounds > 0) {
    u32 inner = rounds < 100 ? rounds : 100;
    rounds -= inner;
    for (; inner > 0; --inner) {
      x ^= x << 13;
      x ^= x >> 17;
      x ^= x << 5;
    }
    x += rounds;
  }
  return x;
}

__attribute__((export_name("equal"))) u32 Equal(u32 seed, u32 mean) { return Spin(seed, mean); }

__attribute__((export_name("exponential"))) u32 Exponential(u32 seed, u32 mean) {
  const double uniform = ((double)Hash(seed) + 0.5) / 4294967296.0;
  return Spin(seed, (u32)(-0.69314718055994530942 * Log2(uniform) * mean));
}
