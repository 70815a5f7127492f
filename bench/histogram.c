// Guest of bench/residency.sh: counts the bytes of a random sequence. Its memory is small and read
// and written all the time, so it is quick where the memories of all lanes that run fit the caches.
#include <stdint.h>

enum { kWords = 2048, kBins = 256 };
static uint32_t bins[kBins];

__attribute__((export_name("histogram"))) uint32_t Histogram(uint32_t seed) {
  uint32_t random = seed * 2654435761u + 1;
  for (int i = 0; i < kWords; ++i) {
    random = random * 1664525u + 1013904223u;
    const uint32_t word = random ^ random >> 15;
    for (int shift = 0; shift < 32; shift += 8) ++bins[word >> shift & 255];
  }
  uint32_t digest = 2166136261u;
  for (int i = 0; i < kBins; ++i) digest = (digest ^ bins[i]) * 16777619u;
  return digest;
}
