// SHA-256 (FIPS 180-4): of a random message, then of its own digest again and again.
#include "guest.h"

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes, and of the
// square roots of the first eight; computed here.
static uint32_t constants[64], start[8];

// floor(2^32 * p^(1/root)) modulo 2^32, by bisection; powers are taken in limbs of 32 bits.
static uint32_t root_fraction(uint32_t p, uint32_t root) {
  // The square root of 19 and the cube root of 311 are below 8.
  uint64_t low = (uint64_t)1 << 32, high = (uint64_t)1 << 35;
  while (high - low > 1) {
    uint64_t middle = (low + high) / 2;
    uint32_t power[8] = {1, 0, 0, 0, 0, 0, 0, 0};
    for (uint32_t r = 0; r < root; ++r) {
      uint32_t product[8] = {0, 0, 0, 0, 0, 0, 0, 0};
      for (int i = 0; i < 5; ++i) {
        for (int half = 0; half < 2; ++half) {
          uint64_t carry = (uint64_t)power[i] * (uint32_t)(half ? middle >> 32 : middle);
          for (int j = i + half; carry > 0 && j < 8; ++j) {
            carry += product[j];
            product[j] = (uint32_t)carry;
            carry >>= 32;
          }
        }
      }
      memcpy(power, product, sizeof(power));
    }
    uint64_t whole = power[root] | (uint64_t)power[root + 1] << 32;
    if (whole < p) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return (uint32_t)low;
}

static void make_tables(void) {
  uint32_t count = 0;
  for (uint32_t p = 2; count < 64; ++p) {
    uint32_t prime = 1;
    for (uint32_t d = 2; d * d <= p; ++d) {
      if (p % d == 0) prime = 0;
    }
    if (!prime) continue;
    if (count < 8) start[count] = root_fraction(p, 2);
    constants[count++] = root_fraction(p, 3);
  }
}

static uint32_t rotate(uint32_t x, uint32_t by) { return x >> by | x << (32 - by); }

static void compress(uint32_t state[8], const uint8_t block[64]) {
  uint32_t w[64];
  for (int i = 0; i < 16; ++i) {
    w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
           (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
  }
  for (int i = 16; i < 64; ++i) {
    uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + w[i - 7] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) +
           (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
  }
  uint32_t s[8];
  memcpy(s, state, sizeof(s));
  for (int i = 0; i < 64; ++i) {
    uint32_t e = rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25);
    uint32_t a = rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22);
    uint32_t first = s[7] + e + (s[6] ^ (s[4] & (s[5] ^ s[6]))) + constants[i] + w[i];
    uint32_t second = a + ((s[0] & s[1]) | (s[2] & (s[0] | s[1])));
    for (int j = 7; j > 0; --j) s[j] = s[j - 1];
    s[4] += first;
    s[0] = first + second;
  }
  for (int i = 0; i < 8; ++i) state[i] += s[i];
}

static void digest(const uint8_t* message, uint32_t size, uint8_t out[32]) {
  uint32_t state[8], at = 0;
  uint8_t block[64];
  memcpy(state, start, sizeof(state));
  for (; size - at >= 64; at += 64) compress(state, message + at);
  uint32_t rest = size - at;
  memset(block, 0, 64);
  memcpy(block, message + at, rest);
  block[rest] = 0x80;
  if (rest >= 56) {
    compress(state, block);
    memset(block, 0, 64);
  }
  for (int i = 0; i < 4; ++i) block[63 - i] = (uint8_t)(size * 8 >> (8 * i));
  compress(state, block);
  for (int i = 0; i < 32; ++i) out[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
}

static uint8_t message[512];

EXPORT(run) uint32_t run(uint32_t seed) {
  seed_random(seed);
  make_tables();
  uint32_t size = seed * 7 % sizeof(message);
  for (uint32_t i = 0; i < size; ++i) message[i] = (uint8_t)next_random();
  uint8_t found[32];
  digest(message, size, found);
  for (int i = 0; i < 32; ++i) out_byte(found[i]);
  for (int i = 0; i < 20; ++i) digest(found, 32, found);
  for (int i = 0; i < 32; ++i) out_byte(found[i]);
  digest(message, 0, found);  // e3b0c442...
  for (int i = 0; i < 32; ++i) out_byte(found[i]);
  return guest_output_size;
}
