// Guests of cuda_kernels.cc: what calls.c's `sort` is for a comparator, here for integers, for f64
// and for memory. Each export takes a seed and returns a digest of what it computed;
// cuda_sha256.cu, cuda_gemm.cu and cuda_shellsort.cu are the same written for a GPU by hand.
#include <stdint.h>

#define EXPORT(name) __attribute__((export_name(name)))

static uint32_t Next(uint32_t* random) { return *random = *random * 1664525u + 1013904223u; }
static uint32_t Fold(uint32_t digest, uint32_t word) { return (digest ^ word) * 16777619u; }
enum { kFoldStart = 2166136261u };

// SHA-256 (FIPS 180-4) of 32 random bytes, then of its own digest again and again.
enum { kHashes = 200 };
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t Rotate(uint32_t x, int by) { return x >> by | x << (32 - by); }

// The digest, eight words, takes its message's place: one block, 0x80 and the length behind it.
static void Hash(uint32_t words[8]) {
  uint32_t w[64];
  for (int i = 0; i < 8; ++i) w[i] = words[i];
  w[8] = 0x80000000u;
  w[9] = w[10] = w[11] = w[12] = w[13] = w[14] = 0;
  w[15] = 256;
  for (int i = 16; i < 64; ++i) {
    const uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + w[i - 7] + (Rotate(a, 7) ^ Rotate(a, 18) ^ a >> 3) +
           (Rotate(b, 17) ^ Rotate(b, 19) ^ b >> 10);
  }
  static const uint32_t start[8] = {
      0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
  };
  uint32_t s[8];
  for (int i = 0; i < 8; ++i) s[i] = start[i];
  for (int i = 0; i < 64; ++i) {
    const uint32_t e = Rotate(s[4], 6) ^ Rotate(s[4], 11) ^ Rotate(s[4], 25);
    const uint32_t a = Rotate(s[0], 2) ^ Rotate(s[0], 13) ^ Rotate(s[0], 22);
    const uint32_t first = s[7] + e + (s[6] ^ (s[4] & (s[5] ^ s[6]))) + constants[i] + w[i];
    const uint32_t second = a + ((s[0] & s[1]) | (s[2] & (s[0] | s[1])));
    for (int j = 7; j > 0; --j) s[j] = s[j - 1];
    s[4] += first;
    s[0] = first + second;
  }
  for (int i = 0; i < 8; ++i) words[i] = start[i] + s[i];
}

EXPORT("sha256") uint32_t Sha256(uint32_t seed) {
  uint32_t random = seed * 2654435761u + 1, words[8];
  for (int i = 0; i < 8; ++i) words[i] = Next(&random);
  for (int i = 0; i < kHashes; ++i) Hash(words);
  return words[0];
}

// c += a * b of square f64 matrices, several times.
enum { kSide = 24, kProducts = 10 };
static double a[kSide][kSide], b[kSide][kSide], c[kSide][kSide];

static double Unit(uint32_t* random) { return (double)(Next(random) >> 8) * 0x1p-24; }

EXPORT("gemm") uint32_t Gemm(uint32_t seed) {
  uint32_t random = seed * 2654435761u + 1;
  for (int i = 0; i < kSide; ++i) {
    for (int j = 0; j < kSide; ++j) {
      a[i][j] = Unit(&random);
      b[i][j] = Unit(&random) - 0.5;
      c[i][j] = Unit(&random);
    }
  }
  for (int round = 0; round < kProducts; ++round) {
    for (int i = 0; i < kSide; ++i) {
      for (int j = 0; j < kSide; ++j) {
        double sum = c[i][j];
        for (int k = 0; k < kSide; ++k) sum += a[i][k] * b[k][j];
        c[i][j] = sum;
      }
    }
  }
  uint32_t digest = kFoldStart;
  for (int i = 0; i < kSide; ++i) {
    for (int j = 0; j < kSide; ++j) {
      uint64_t bits;
      __builtin_memcpy(&bits, &c[i][j], 8);
      digest = Fold(Fold(digest, (uint32_t)bits), (uint32_t)(bits >> 32));
    }
  }
  return digest;
}

// Shell's sort of random words.
enum { kItems = 2048, kGaps = 9 };
static uint32_t items[kItems];
static const int gaps[kGaps] = {1636, 701, 301, 132, 57, 23, 10, 4, 1};

EXPORT("shellsort") uint32_t ShellSort(uint32_t seed) {
  uint32_t random = seed * 2654435761u + 1;
  for (int i = 0; i < kItems; ++i) items[i] = Next(&random);
  for (int g = 0; g < kGaps; ++g) {
    const int gap = gaps[g];
    for (int i = gap; i < kItems; ++i) {
      const uint32_t item = items[i];
      int at = i;
      for (; at >= gap && items[at - gap] > item; at -= gap) items[at] = items[at - gap];
      items[at] = item;
    }
  }
  uint32_t digest = kFoldStart;
  for (int i = 0; i < kItems; ++i) digest = Fold(digest, items[i]);
  return digest;
}
