// Monte Carlo: how many of `samples` random points of the cube from -1 to 1 lie within the ball of
// radius 1. The share of them times the cube's volume, 2^dimension, is an estimate of the ball's.
#include <stdint.h>

#ifdef __wasm__
#define EXPORT(name) __attribute__((export_name(name)))
#else
#define EXPORT(name)
#endif

// splitmix64: each state gives a number, and the states are a row with equal steps.
static uint64_t Mix(uint64_t state) {
  state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9u;
  state = (state ^ state >> 27) * 0x94D049BB133111EBu;
  return state ^ state >> 31;
}

EXPORT("hits") int32_t Hits(int32_t dimension, int32_t samples, int64_t seed) {
  uint64_t state = Mix((uint64_t)seed);
  int32_t hits = 0;
  for (int32_t i = 0; i < samples; ++i) {
    double square = 0;
    for (int32_t d = 0; d < dimension; ++d) {
      state += 0x9E3779B97F4A7C15u;
      const double x = (double)(int64_t)(Mix(state) >> 11) / 4503599627370496.0 - 1.0;
      square += x * x;
    }
    hits += square < 1.0;
  }
  return hits;
}
