// 20 x 1,024 numbers of 64 bits counted in a histogram of high dynamic range, three digits kept,
// and its percentiles: the input of the closest published system. A number's bucket is the place of
// its highest bit, and within it its next ten.
#include "guest.h"

enum { kBatches = 20, kNumbers = 1024, kHalf = 1024, kHalves = 23, kCells = kHalf * kHalves };
static uint64_t numbers[kNumbers];
static uint32_t counts[kCells];

static uint32_t CellOf(uint64_t number) {
  const uint32_t bits = 64 - (uint32_t)__builtin_clzll(number | 1);
  if (bits <= 11) return (uint32_t)number;
  const uint32_t shift = bits - 11;
  return shift * kHalf + (uint32_t)(number >> shift);
}

static uint64_t NumberOf(uint32_t cell) {
  if (cell < 2 * kHalf) return cell;
  const uint32_t shift = cell / kHalf - 1;
  return (uint64_t)(cell - shift * kHalf) << shift;
}

// Below 2^32, most of them small: what latencies look like.
static uint64_t Draw(uint32_t* random) {
  const uint32_t shift = Next(random) >> 27;
  return (uint64_t)(Next(random) >> shift);
}

EXPORT("histogram") uint32_t Histogram(uint32_t instance) {
  static const uint32_t kPermille[4] = {500, 900, 990, 999};
  uint32_t random = FirstRandom(instance);
  for (int i = 0; i < kCells; ++i) counts[i] = 0;
  uint64_t sum = 0;
  for (int batch = 0; batch < kBatches; ++batch) {
    for (int i = 0; i < kNumbers; ++i) numbers[i] = Draw(&random);
    for (int i = 0; i < kNumbers; ++i) {
      ++counts[CellOf(numbers[i])];
      sum += numbers[i];
    }
  }
  const uint64_t mean = sum / (kBatches * kNumbers);
  uint32_t digest = Fold(Fold(kFoldStart, (uint32_t)mean), (uint32_t)(mean >> 32));
  for (int i = 0; i < 4; ++i) {
    const uint32_t wanted = kBatches * kNumbers / 1000 * kPermille[i];
    uint32_t seen = 0, cell = 0;
    while (seen + counts[cell] < wanted) seen += counts[cell++];
    const uint64_t number = NumberOf(cell);
    digest = Fold(Fold(digest, (uint32_t)number), (uint32_t)(number >> 32));
  }
  return digest;
}
