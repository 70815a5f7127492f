// scrypt (RFC 7914) with N = 1024, r = 8, p = 1: 1 MiB of memory an instance.
#include "sha256.h"

enum { kN = 1024, kR = 8, kWords = 32 * kR };
static uint32_t rows[kN][kWords];

static uint32_t RotateLeft(uint32_t x, int by) { return x << by | x >> (32 - by); }
static uint32_t Swap(uint32_t x) {
  return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
}

static void Quarter(uint32_t x[16], int a, int b, int c, int d) {
  x[b] ^= RotateLeft(x[a] + x[d], 7);
  x[c] ^= RotateLeft(x[b] + x[a], 9);
  x[d] ^= RotateLeft(x[c] + x[b], 13);
  x[a] ^= RotateLeft(x[d] + x[c], 18);
}

static void Salsa8(uint32_t words[16]) {
  uint32_t x[16];
  for (int i = 0; i < 16; ++i) x[i] = words[i];
  for (int i = 0; i < 4; ++i) {
    Quarter(x, 0, 4, 8, 12);
    Quarter(x, 5, 9, 13, 1);
    Quarter(x, 10, 14, 2, 6);
    Quarter(x, 15, 3, 7, 11);
    Quarter(x, 0, 1, 2, 3);
    Quarter(x, 5, 6, 7, 4);
    Quarter(x, 10, 11, 8, 9);
    Quarter(x, 15, 12, 13, 14);
  }
  for (int i = 0; i < 16; ++i) words[i] += x[i];
}

// The blocks of `from` mixed, those of even number first.
static void MixBlocks(const uint32_t from[kWords], uint32_t to[kWords]) {
  uint32_t x[16];
  for (int i = 0; i < 16; ++i) x[i] = from[kWords - 16 + i];
  for (int block = 0; block < 2 * kR; ++block) {
    for (int i = 0; i < 16; ++i) x[i] ^= from[16 * block + i];
    Salsa8(x);
    const int at = 16 * (block / 2 + block % 2 * kR);
    for (int i = 0; i < 16; ++i) to[at + i] = x[i];
  }
}

static void MixRows(uint32_t x[kWords]) {
  uint32_t y[kWords];
  for (int n = 0; n < kN; n += 2) {
    for (int i = 0; i < kWords; ++i) rows[n][i] = x[i];
    MixBlocks(x, y);
    for (int i = 0; i < kWords; ++i) rows[n + 1][i] = y[i];
    MixBlocks(y, x);
  }
  for (int n = 0; n < kN; n += 2) {
    const uint32_t* row = rows[x[kWords - 16] % kN];
    for (int i = 0; i < kWords; ++i) x[i] ^= row[i];
    MixBlocks(x, y);
    row = rows[y[kWords - 16] % kN];
    for (int i = 0; i < kWords; ++i) y[i] ^= row[i];
    MixBlocks(y, x);
  }
}

EXPORT("scrypt") uint32_t Scrypt(uint32_t instance) {
  uint32_t random = FirstRandom(instance), password[8], salt[kWords + 1], x[kWords], code[8];
  for (int i = 0; i < 8; ++i) password[i] = Next(&random);
  for (int i = 0; i < 4; ++i) salt[i] = Next(&random);
  Hmac hmac;
  BeginHmac(&hmac, password);
  for (int part = 0; part < kWords / 8; ++part) {
    salt[4] = (uint32_t)part + 1;
    HmacOf(&hmac, salt, 5, code);
    for (int i = 0; i < 8; ++i) x[8 * part + i] = Swap(code[i]);  // salsa's words are little-endian
  }
  MixRows(x);
  for (int i = 0; i < kWords; ++i) salt[i] = Swap(x[i]);
  salt[kWords] = 1;
  HmacOf(&hmac, salt, kWords + 1, code);
  uint32_t digest = kFoldStart;
  for (int i = 0; i < 8; ++i) digest = Fold(digest, code[i]);
  return digest;
}
