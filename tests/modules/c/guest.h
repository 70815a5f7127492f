#pragma once

// What the guest programs need of C, without a library: they are compiled freestanding to wasm32.
// Every program is one file that defines run() and writes what it found with out_*(); the lane
// program reads output()[0, run()). Programs with text as input also use input().

#include <stddef.h>
#include <stdint.h>

#define EXPORT(name) __attribute__((export_name(#name)))

enum { kOutputBytes = 4096, kInputBytes = 4096 };

// The compiler calls these four by itself; without no_builtin it would make their loops such calls.
__attribute__((no_builtin("memcpy"))) void* memcpy(void* to, const void* from, size_t n) {
  uint8_t* t = to;
  const uint8_t* f = from;
  while (n-- > 0) *t++ = *f++;
  return to;
}
__attribute__((no_builtin("memmove"))) void* memmove(void* to, const void* from, size_t n) {
  uint8_t* t = to;
  const uint8_t* f = from;
  if (t < f) {
    while (n-- > 0) *t++ = *f++;
  } else {
    while (n-- > 0) t[n] = f[n];
  }
  return to;
}
__attribute__((no_builtin("memset"))) void* memset(void* to, int value, size_t n) {
  uint8_t* t = to;
  while (n-- > 0) *t++ = (uint8_t)value;
  return to;
}
__attribute__((no_builtin("memcmp"))) int memcmp(const void* a, const void* b, size_t n) {
  const uint8_t* x = a;
  const uint8_t* y = b;
  for (; n > 0; --n, ++x, ++y) {
    if (*x != *y) return *x < *y ? -1 : 1;
  }
  return 0;
}

static uint8_t guest_output[kOutputBytes];
static uint32_t guest_output_size;

EXPORT(output) uint8_t* output(void) { return guest_output; }

// What does not fit is dropped, but counted into the last byte.
static void out_byte(uint32_t byte) {
  if (guest_output_size < kOutputBytes) {
    guest_output[guest_output_size++] = (uint8_t)byte;
  } else {
    guest_output[kOutputBytes - 1] += (uint8_t)(byte + 1);
  }
}
static inline void out_u32(uint32_t value) {
  for (int i = 0; i < 4; ++i) out_byte(value >> (8 * i));
}
static inline void out_u64(uint64_t value) {
  out_u32((uint32_t)value);
  out_u32((uint32_t)(value >> 32));
}
static inline void out_text(const char* text) {
  while (*text != 0) out_byte((uint8_t)*text++);
}
static inline void out_decimal(int64_t value) {
  char digits[24];
  int count = 0;
  uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  do {
    digits[count++] = (char)('0' + left % 10);
    left /= 10;
  } while (left > 0);
  if (value < 0) out_byte('-');
  while (count > 0) out_byte((uint8_t)digits[--count]);
}

// xorshift32; the state is never 0.
static uint32_t guest_random = 1;
static inline void seed_random(uint32_t seed) { guest_random = seed * 2654435761u + 88172645u; }
static inline uint32_t next_random(void) {
  if (guest_random == 0) guest_random = 1;
  guest_random ^= guest_random << 13;
  guest_random ^= guest_random >> 17;
  guest_random ^= guest_random << 5;
  return guest_random;
}
