// SIMD on text: bytes looked for 16 at a time, letters turned to upper case by masks, hexadecimal
// digits by swizzles, a hash over lanes of 64 bits; loads and stores of single lanes, at odd
// places.
#include <wasm_simd128.h>

#include "guest.h"

enum { kText = 600 };
static uint8_t source[kText + 16], result[2 * kText + 32];

// The first of these bytes from `at` on, or kText.
static uint32_t find(uint32_t at, uint8_t a, uint8_t b) {
  for (; at < kText; at += 16) {
    v128_t bytes = wasm_v128_load(source + at);
    v128_t hit = wasm_v128_or(wasm_i8x16_eq(bytes, wasm_i8x16_splat((int8_t)a)),
                              wasm_i8x16_eq(bytes, wasm_i8x16_splat((int8_t)b)));
    uint32_t bits = wasm_i8x16_bitmask(hit);
    if (bits != 0) {
      at += (uint32_t)__builtin_ctz(bits);
      return at < kText ? at : kText;
    }
  }
  return kText;
}

static void upper(void) {
  for (uint32_t at = 0; at < kText; at += 16) {
    v128_t bytes = wasm_v128_load(source + at);
    v128_t letter = wasm_v128_and(wasm_u8x16_ge(bytes, wasm_i8x16_splat('a')),
                                  wasm_u8x16_le(bytes, wasm_i8x16_splat('z')));
    wasm_v128_store(source + at, wasm_v128_xor(bytes, wasm_v128_and(letter, wasm_i8x16_splat(32))));
  }
}

static void hexadecimal(uint32_t from, uint8_t* to) {
  const v128_t digits = wasm_i8x16_make('0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b',
                                        'c', 'd', 'e', 'f');
  v128_t bytes = wasm_v128_load(source + from);
  v128_t high = wasm_i8x16_swizzle(digits, wasm_u8x16_shr(bytes, 4));
  v128_t low = wasm_i8x16_swizzle(digits, wasm_v128_and(bytes, wasm_i8x16_splat(15)));
  wasm_v128_store(
      to, wasm_i8x16_shuffle(high, low, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23));
  wasm_v128_store(to + 16, wasm_i8x16_shuffle(high, low, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13,
                                              29, 14, 30, 15, 31));
}

static uint64_t hash(const uint8_t* bytes, uint32_t count) {
  v128_t state = wasm_i64x2_make(1, 2);
  for (uint32_t at = 0; at + 8 <= count; at += 8) {
    v128_t pair = wasm_v128_load32_lane(bytes + at, wasm_v128_load32_zero(bytes + at + 4), 2);
    state = wasm_i64x2_add(wasm_i64x2_mul(state, wasm_i64x2_splat(0x100000001b3)), pair);
    state = wasm_v128_xor(state, wasm_u64x2_shr(state, 29));
    state = wasm_i64x2_add(state, wasm_i64x2_extmul_low_i32x4(pair, state));
  }
  return (uint64_t)(wasm_i64x2_extract_lane(state, 0) ^ wasm_i64x2_extract_lane(state, 1));
}

EXPORT(run) uint32_t run(uint32_t seed) {
  seed_random(seed);
  for (int i = 0; i < kText; ++i) source[i] = (uint8_t)(32 + next_random() % 96);
  for (uint32_t at = find(0, 'q', '#'); at < kText; at = find(at + 1, 'q', '#')) {
    out_byte(at);
    out_byte(at >> 8);
  }
  upper();
  for (uint32_t at = 0; at + 16 <= 160; at += 16) hexadecimal(at + seed % 13, result + 2 * at);
  for (uint32_t i = 0; i < 320; ++i) out_byte(result[i]);
  for (uint32_t length = 8; length <= kText; length += 37) out_u64(hash(source + seed % 7, length));
  v128_t last = wasm_v128_load(source + 3);
  wasm_v128_store16_lane(result, last, 5);
  wasm_v128_store64_lane(result + 2, wasm_i16x8_q15mulr_sat(last, wasm_i16x8_splat(-32768)), 1);
  for (int i = 0; i < 10; ++i) out_byte(result[i]);
  return guest_output_size;
}
