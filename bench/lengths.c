// Instances of equal and of very different lengths, for bench/gpu.sh. `run` spins for `mean`
// rounds, or for a number drawn from the exponential distribution with that mean by hashing `seed`;
// two nested loops, so that leaving and resuming has something to hold.

typedef unsigned int u32;
typedef unsigned long long u64;

static u32 Hash(u32 x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

// log2 of a positive normal number: exponent, and a parabola over the mantissa (error < 0.008).
static double Log2(double x) {
  u64 bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  double exponent = (double)((long long)(bits >> 52) - 1023);
  bits = (bits & 0xFFFFFFFFFFFFFull) | 0x3FF0000000000000ull;
  double mantissa;
  __builtin_memcpy(&mantissa, &bits, sizeof mantissa);
  return exponent + (mantissa - 1.0) * (1.0 + (2.0 - mantissa) * 0.3446);
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
