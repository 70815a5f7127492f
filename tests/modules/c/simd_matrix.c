// SIMD on floats: products of 4 by 4 matrices, a Mandelbrot row in f64x2, conversions and rounding,
// integer lanes of 32 and 64 bits.
#include <wasm_simd128.h>

#include "guest.h"

typedef struct {
  v128_t row[4];
} Matrix;

static float small(void) { return (float)((int32_t)next_random() >> 12) / 262144.0f; }

static Matrix make(void) {
  Matrix m;
  for (int i = 0; i < 4; ++i) m.row[i] = wasm_f32x4_make(small(), small(), small(), small());
  return m;
}

static Matrix transposed(Matrix m) {
  v128_t a = wasm_i32x4_shuffle(m.row[0], m.row[1], 0, 4, 1, 5);
  v128_t b = wasm_i32x4_shuffle(m.row[0], m.row[1], 2, 6, 3, 7);
  v128_t c = wasm_i32x4_shuffle(m.row[2], m.row[3], 0, 4, 1, 5);
  v128_t d = wasm_i32x4_shuffle(m.row[2], m.row[3], 2, 6, 3, 7);
  return (Matrix){{wasm_i64x2_shuffle(a, c, 0, 2), wasm_i64x2_shuffle(a, c, 1, 3),
                   wasm_i64x2_shuffle(b, d, 0, 2), wasm_i64x2_shuffle(b, d, 1, 3)}};
}

static Matrix product(const Matrix* a, const Matrix* b) {
  Matrix out;
  for (int i = 0; i < 4; ++i) {
    v128_t sum = wasm_f32x4_splat(0);
    for (int k = 0; k < 4; ++k) {
      float lane[4];
      wasm_v128_store(lane, a->row[i]);
      sum = wasm_f32x4_add(sum, wasm_f32x4_mul(wasm_f32x4_splat(lane[k]), b->row[k]));
    }
    out.row[i] =
        wasm_f32x4_max(wasm_f32x4_min(sum, wasm_f32x4_splat(1000)), wasm_f32x4_splat(-1000));
  }
  return out;
}

// Rounds until both points have left, at most 60.
static v128_t mandelbrot(v128_t x, v128_t y) {
  v128_t a = wasm_f64x2_splat(0), b = a, count = wasm_i64x2_splat(0);
  for (int i = 0; i < 60; ++i) {
    v128_t aa = wasm_f64x2_mul(a, a), bb = wasm_f64x2_mul(b, b);
    v128_t inside = wasm_f64x2_le(wasm_f64x2_add(aa, bb), wasm_f64x2_splat(4));
    if (!wasm_v128_any_true(inside)) break;
    count = wasm_i64x2_sub(count, inside);
    v128_t next = wasm_f64x2_add(wasm_f64x2_sub(aa, bb), x);
    b = wasm_f64x2_add(wasm_f64x2_mul(wasm_f64x2_splat(2), wasm_f64x2_mul(a, b)), y);
    a = wasm_v128_bitselect(next, a, inside);
    b = wasm_v128_and(b, inside);
  }
  return count;
}

static void out_lanes(v128_t lanes) {
  uint32_t words[4];
  wasm_v128_store(words, lanes);
  for (int i = 0; i < 4; ++i) out_u32(words[i]);
}

EXPORT(run) uint32_t run(uint32_t seed) {
  seed_random(seed);
  Matrix m = make(), turn = make();
  for (int i = 0; i < 3; ++i) {
    Matrix other = transposed(turn);
    m = product(&m, &other);
    turn = product(&other, &m);
  }
  for (int i = 0; i < 4; ++i) {
    out_lanes(m.row[i]);
    out_lanes(wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(turn.row[i])));
    out_lanes(wasm_f32x4_convert_u32x4(turn.row[i]));
    out_lanes(wasm_f64x2_promote_low_f32x4(wasm_f32x4_floor(m.row[i])));
    out_lanes(wasm_f32x4_sqrt(wasm_f32x4_abs(wasm_f32x4_ceil(turn.row[i]))));
  }
  for (int i = 0; i < 24; ++i) {
    v128_t x = wasm_f64x2_make(-2.0 + i * 0.11, -2.0 + i * 0.11 + 0.055);
    out_lanes(mandelbrot(x, wasm_f64x2_splat((double)(seed % 32) / 16.0 - 1.0)));
  }
  v128_t mixed = wasm_i64x2_mul(wasm_i64x2_load32x2(&m), wasm_i64x2_splat(0x9e3779b97f4a7c15));
  out_lanes(wasm_i64x2_abs(wasm_i64x2_shr(mixed, seed)));
  out_lanes(wasm_i32x4_min(mixed, wasm_u32x4_max(turn.row[0], turn.row[1])));
  return guest_output_size;
}
