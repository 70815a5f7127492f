// Products of matrices in f32, made from the seed: floats in memory.
#include <stdint.h>

enum { kSide = 32 };
static float a[kSide][kSide], b[kSide][kSide], c[kSide][kSide];

__attribute__((export_name("run"))) float Run(uint32_t seed, uint32_t rounds) {
  for (int i = 0; i < kSide; ++i) {
    for (int j = 0; j < kSide; ++j) {
      seed = seed * 1664525u + 1013904223u;
      a[i][j] = (float)(seed >> 20) * 0x1p-12f;
      b[i][j] = (float)(seed & 4095) * 0x1p-12f;
    }
  }
  float trace = 0;
  for (uint32_t round = 0; round < rounds; ++round) {
    for (int i = 0; i < kSide; ++i) {
      for (int j = 0; j < kSide; ++j) {
        float sum = 0;
        for (int k = 0; k < kSide; ++k) sum += a[i][k] * b[k][j];
        c[i][j] = sum;
      }
    }
    for (int i = 0; i < kSide; ++i) trace += c[i][i];
    a[round % kSide][0] = trace * 0x1p-12f;
  }
  return trace;
}
