// SHA-256 (FIPS 180-4) and HMAC (RFC 2104) of words, for pbkdf2.c and scrypt.c.
#ifndef WB_BENCH_RACE_SHA256_H
#define WB_BENCH_RACE_SHA256_H

#include "guest.h"

static const uint32_t kRound[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};
static const uint32_t kStart[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static uint32_t RotateRight(uint32_t x, int by) { return x >> by | x << (32 - by); }

static void Compress(uint32_t state[8], const uint32_t block[16]) {
  uint32_t w[64], s[8];
  for (int i = 0; i < 16; ++i) w[i] = block[i];
  for (int i = 16; i < 64; ++i) {
    const uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + w[i - 7] + (RotateRight(a, 7) ^ RotateRight(a, 18) ^ a >> 3) +
           (RotateRight(b, 17) ^ RotateRight(b, 19) ^ b >> 10);
  }
  for (int i = 0; i < 8; ++i) s[i] = state[i];
  for (int i = 0; i < 64; ++i) {
    const uint32_t e = RotateRight(s[4], 6) ^ RotateRight(s[4], 11) ^ RotateRight(s[4], 25);
    const uint32_t a = RotateRight(s[0], 2) ^ RotateRight(s[0], 13) ^ RotateRight(s[0], 22);
    const uint32_t first = s[7] + e + (s[6] ^ (s[4] & (s[5] ^ s[6]))) + kRound[i] + w[i];
    const uint32_t second = a + ((s[0] & s[1]) | (s[2] & (s[0] | s[1])));
    for (int j = 7; j > 0; --j) s[j] = s[j - 1];
    s[4] += first;
    s[0] = first + second;
  }
  for (int i = 0; i < 8; ++i) state[i] += s[i];
}

// The states behind the key's block: of the inner hash and of the outer one.
typedef struct {
  uint32_t inner[8], outer[8];
} Hmac;

static void BeginHmac(Hmac* hmac, const uint32_t key[8]) {
  uint32_t block[16];
  for (int i = 0; i < 8; ++i) hmac->inner[i] = hmac->outer[i] = kStart[i];
  for (int i = 0; i < 16; ++i) block[i] = (i < 8 ? key[i] : 0) ^ 0x36363636u;
  Compress(hmac->inner, block);
  for (int i = 0; i < 16; ++i) block[i] = (i < 8 ? key[i] : 0) ^ 0x5c5c5c5cu;
  Compress(hmac->outer, block);
}

// `state` is the inner hash of the whole message; it becomes the code.
static void EndHmac(const Hmac* hmac, uint32_t state[8]) {
  uint32_t block[16] = {0};
  for (int i = 0; i < 8; ++i) block[i] = state[i];
  block[8] = 0x80000000u;
  block[15] = (64 + 32) * 8;
  for (int i = 0; i < 8; ++i) state[i] = hmac->outer[i];
  Compress(state, block);
}

// The code of `count` words, fewer than 2^24.
static void HmacOf(const Hmac* hmac, const uint32_t* words, int count, uint32_t code[8]) {
  uint32_t block[16];
  int at = 0;
  for (int i = 0; i < 8; ++i) code[i] = hmac->inner[i];
  for (int i = 0; i < count; ++i) {
    block[at++] = words[i];
    if (at == 16) {
      Compress(code, block);
      at = 0;
    }
  }
  block[at++] = 0x80000000u;
  if (at > 14) {
    while (at < 16) block[at++] = 0;
    Compress(code, block);
    at = 0;
  }
  while (at < 15) block[at++] = 0;
  block[15] = (uint32_t)(64 + 4 * count) * 8;
  Compress(code, block);
  EndHmac(hmac, code);
}

#endif
