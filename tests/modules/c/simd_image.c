// SIMD on bytes: grey values of pixels, a blur with saturation, a threshold and a histogram of its
// masks; shuffles, swizzles, extended products, bit masks.
#include <wasm_simd128.h>

#include "guest.h"

enum { kWidth = 64, kHeight = 16, kPixels = kWidth * kHeight };
static uint8_t pixels[4 * kPixels];
static uint8_t grey[kPixels], blurred[kPixels];

static v128_t load(const uint8_t* from) { return wasm_v128_load(from); }

// Of 4 pixels: (77 r + 150 g + 29 b) / 256 in 16 bits.
static v128_t grey4(v128_t four) {
  const v128_t weights = wasm_i16x8_make(77, 150, 29, 0, 77, 150, 29, 0);
  v128_t low = wasm_i32x4_dot_i16x8(wasm_u16x8_extend_low_u8x16(four), weights);
  v128_t high = wasm_i32x4_dot_i16x8(wasm_u16x8_extend_high_u8x16(four), weights);
  v128_t even = wasm_i32x4_shuffle(low, high, 0, 2, 4, 6);
  v128_t odd = wasm_i32x4_shuffle(low, high, 1, 3, 5, 7);
  return wasm_u32x4_shr(wasm_i32x4_add(even, odd), 8);
}

static void to_grey(void) {
  for (int i = 0; i < kPixels; i += 16) {
    v128_t a =
        wasm_i16x8_narrow_i32x4(grey4(load(pixels + 4 * i)), grey4(load(pixels + 4 * i + 16)));
    v128_t b =
        wasm_i16x8_narrow_i32x4(grey4(load(pixels + 4 * i + 32)), grey4(load(pixels + 4 * i + 48)));
    wasm_v128_store(grey + i, wasm_u8x16_narrow_i16x8(a, b));
  }
}

static void blur(void) {
  for (int i = kWidth; i < kPixels - kWidth; i += 16) {
    v128_t up = wasm_u8x16_avgr(load(grey + i - kWidth), load(grey + i + kWidth));
    v128_t beside = wasm_u8x16_avgr(load(grey + i - 1), load(grey + i + 1));
    v128_t mean = wasm_u8x16_avgr(up, beside);
    v128_t edge = wasm_u8x16_sub_sat(load(grey + i), mean);
    wasm_v128_store(blurred + i, wasm_u8x16_add_sat(mean, wasm_i8x16_shl(edge, 1)));
  }
}

// Rows turned by as many bytes as their number, by a swizzle with a running index.
static uint32_t turned(int row) {
  uint8_t index[16];
  for (int i = 0; i < 16; ++i) index[i] = (uint8_t)((i + row) % 20);  // 16 and above give 0
  v128_t sum = wasm_i32x4_splat(0);
  for (int i = 0; i < kWidth; i += 16) {
    v128_t lanes = wasm_i8x16_swizzle(load(blurred + row * kWidth + i), load(index));
    sum = wasm_i32x4_add(sum,
                         wasm_u32x4_extadd_pairwise_u16x8(wasm_u16x8_extadd_pairwise_u8x16(lanes)));
  }
  return (uint32_t)wasm_i32x4_extract_lane(sum, 0) +
         3u * (uint32_t)wasm_i32x4_extract_lane(sum, 1) +
         5u * (uint32_t)wasm_i32x4_extract_lane(sum, 2) +
         7u * (uint32_t)wasm_i32x4_extract_lane(sum, 3);
}

EXPORT(run) uint32_t run(uint32_t seed) {
  seed_random(seed);
  for (int i = 0; i < 4 * kPixels; ++i) pixels[i] = (uint8_t)(next_random() >> (seed % 20));
  to_grey();
  blur();
  v128_t level = wasm_i8x16_splat((int8_t)(seed * 5));
  for (int i = 0; i < kPixels; i += 16) {
    v128_t mask = wasm_u8x16_gt(load(blurred + i), level);
    uint32_t bits = wasm_i8x16_bitmask(mask);
    out_byte(bits);
    out_byte(bits >> 8);
    if (wasm_i8x16_all_true(mask)) out_byte('a');
    if (!wasm_v128_any_true(mask)) out_byte('n');
  }
  for (int row = 0; row < kHeight; ++row) out_u32(turned(row));
  for (int i = 0; i < kPixels; i += 7) out_byte(blurred[i]);
  return guest_output_size;
}
