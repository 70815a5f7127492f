// XXH64 (its public specification) of 4,093 bytes, 16 times, each hash the seed of the next one.
#include "guest.h"

enum { kBytes = 4093, kHashes = 16 };
static const uint64_t kPrime1 = 0x9e3779b185ebca87u, kPrime2 = 0xc2b2ae3d27d4eb4fu,
                      kPrime3 = 0x165667b19e3779f9u, kPrime4 = 0x85ebca77c2b2ae63u,
                      kPrime5 = 0x27d4eb2f165667c5u;
static uint32_t words[(kBytes + 3) / 4];

static uint64_t Rotate(uint64_t x, int by) { return x << by | x >> (64 - by); }
static uint64_t Read64(const uint8_t* at) {
  uint64_t word;
  __builtin_memcpy(&word, at, 8);
  return word;
}
static uint32_t Read32(const uint8_t* at) {
  uint32_t word;
  __builtin_memcpy(&word, at, 4);
  return word;
}
static uint64_t Round(uint64_t lane, uint64_t word) {
  return Rotate(lane + word * kPrime2, 31) * kPrime1;
}
static uint64_t Merge(uint64_t hash, uint64_t lane) {
  return (hash ^ Round(0, lane)) * kPrime1 + kPrime4;
}

static uint64_t Hash(const uint8_t* at, uint32_t length, uint64_t seed) {
  const uint8_t* end = at + length;
  uint64_t hash = seed + kPrime5;
  if (length >= 32) {
    uint64_t a = seed + kPrime1 + kPrime2, b = seed + kPrime2, c = seed, d = seed - kPrime1;
    for (; at + 32 <= end; at += 32) {
      a = Round(a, Read64(at));
      b = Round(b, Read64(at + 8));
      c = Round(c, Read64(at + 16));
      d = Round(d, Read64(at + 24));
    }
    hash = Rotate(a, 1) + Rotate(b, 7) + Rotate(c, 12) + Rotate(d, 18);
    hash = Merge(Merge(Merge(Merge(hash, a), b), c), d);
  }
  hash += length;
  for (; at + 8 <= end; at += 8) {
    hash = Rotate(hash ^ Round(0, Read64(at)), 27) * kPrime1 + kPrime4;
  }
  for (; at + 4 <= end; at += 4) {
    hash = Rotate(hash ^ Read32(at) * kPrime1, 23) * kPrime2 + kPrime3;
  }
  for (; at < end; ++at) hash = Rotate(hash ^ *at * kPrime5, 11) * kPrime1;
  hash = (hash ^ hash >> 33) * kPrime2;
  hash = (hash ^ hash >> 29) * kPrime3;
  return hash ^ hash >> 32;
}

EXPORT("xxh64") uint32_t Xxh64(uint32_t instance) {
  uint32_t random = FirstRandom(instance);
  for (uint32_t i = 0; i < sizeof words / 4; ++i) words[i] = Next(&random);
  uint64_t hash = 0;
  for (int i = 0; i < kHashes; ++i) hash = Hash((const uint8_t*)words, kBytes, hash);
  return Fold(Fold(kFoldStart, (uint32_t)(hash >> 32)), (uint32_t)hash);
}
