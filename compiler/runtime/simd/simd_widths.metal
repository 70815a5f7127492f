// ---- vectors from one width of integer lanes to another: narrow, extend, and products and sums of
// extended lanes.

static inline uint wb_clamp_s(uint a, uint lowest, uint highest) {
  uint b = wb_i32_lt_s(a, lowest) != 0u ? lowest : a;
  return wb_i32_lt_s(highest, b) != 0u ? highest : b;
}
static inline uint wb_narrow8_s(uint a) {
  return wb_clamp_s(wb_i32_extend16_s(a), 0xffffff80u, 127u) & 0xffu;
}
static inline uint wb_narrow8_u(uint a) { return wb_clamp_s(wb_i32_extend16_s(a), 0u, 255u); }
static inline uint wb_narrow16_s(uint a) { return wb_clamp_s(a, 0xffff8000u, 32767u) & 0xffffu; }
static inline uint wb_narrow16_u(uint a) { return wb_clamp_s(a, 0u, 65535u); }
// Four halves to a word of bytes, two words to a word of halves.
static inline uint wb_narrow_halves_s(uint a, uint b) {
  return wb_narrow8_s(a) | (wb_narrow8_s(a >> 16u) << 8u) | (wb_narrow8_s(b) << 16u) |
         (wb_narrow8_s(b >> 16u) << 24u);
}
static inline uint wb_narrow_words_s(uint a, uint b) {
  return wb_narrow16_s(a) | (wb_narrow16_s(b) << 16u);
}
static inline uint wb_narrow_halves_u(uint a, uint b) {
  return wb_narrow8_u(a) | (wb_narrow8_u(a >> 16u) << 8u) | (wb_narrow8_u(b) << 16u) |
         (wb_narrow8_u(b >> 16u) << 24u);
}
static inline uint wb_narrow_words_u(uint a, uint b) {
  return wb_narrow16_u(a) | (wb_narrow16_u(b) << 16u);
}
static inline wb_v128 wb_i8x16_narrow_i16x8_s(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_narrow_halves_s(a[0], a[1]), wb_narrow_halves_s(a[2], a[3]),
                       wb_narrow_halves_s(b[0], b[1]), wb_narrow_halves_s(b[2], b[3]));
}
static inline wb_v128 wb_i8x16_narrow_i16x8_u(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_narrow_halves_u(a[0], a[1]), wb_narrow_halves_u(a[2], a[3]),
                       wb_narrow_halves_u(b[0], b[1]), wb_narrow_halves_u(b[2], b[3]));
}
static inline wb_v128 wb_i16x8_narrow_i32x4_s(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_narrow_words_s(a[0], a[1]), wb_narrow_words_s(a[2], a[3]),
                       wb_narrow_words_s(b[0], b[1]), wb_narrow_words_s(b[2], b[3]));
}
static inline wb_v128 wb_i16x8_narrow_i32x4_u(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_narrow_words_u(a[0], a[1]), wb_narrow_words_u(a[2], a[3]),
                       wb_narrow_words_u(b[0], b[1]), wb_narrow_words_u(b[2], b[3]));
}

// The two lower bytes of a as halves.
static inline uint wb_extend_bytes_s(uint a) {
  return (wb_i32_extend8_s(a) & 0xffffu) | (wb_i32_extend8_s(a >> 8u) << 16u);
}
static inline uint wb_extend_bytes_u(uint a) { return (a & 0xffu) | ((a & 0xff00u) << 8u); }
static inline uint wb_extend_half_s(uint a) { return wb_i32_extend16_s(a); }
static inline uint wb_extend_half_u(uint a) { return a & 0xffffu; }
static inline wb_v128 wb_i16x8_extend_low_i8x16_s(wb_v128 a) {
  return wb_v128_const(wb_extend_bytes_s(a[0]), wb_extend_bytes_s(a[0] >> 16u),
                       wb_extend_bytes_s(a[1]), wb_extend_bytes_s(a[1] >> 16u));
}
static inline wb_v128 wb_i16x8_extend_high_i8x16_s(wb_v128 a) {
  return wb_v128_const(wb_extend_bytes_s(a[2]), wb_extend_bytes_s(a[2] >> 16u),
                       wb_extend_bytes_s(a[3]), wb_extend_bytes_s(a[3] >> 16u));
}
static inline wb_v128 wb_i16x8_extend_low_i8x16_u(wb_v128 a) {
  return wb_v128_const(wb_extend_bytes_u(a[0]), wb_extend_bytes_u(a[0] >> 16u),
                       wb_extend_bytes_u(a[1]), wb_extend_bytes_u(a[1] >> 16u));
}
static inline wb_v128 wb_i16x8_extend_high_i8x16_u(wb_v128 a) {
  return wb_v128_const(wb_extend_bytes_u(a[2]), wb_extend_bytes_u(a[2] >> 16u),
                       wb_extend_bytes_u(a[3]), wb_extend_bytes_u(a[3] >> 16u));
}
static inline wb_v128 wb_i32x4_extend_low_i16x8_s(wb_v128 a) {
  return wb_v128_const(wb_extend_half_s(a[0]), wb_extend_half_s(a[0] >> 16u),
                       wb_extend_half_s(a[1]), wb_extend_half_s(a[1] >> 16u));
}
static inline wb_v128 wb_i32x4_extend_high_i16x8_s(wb_v128 a) {
  return wb_v128_const(wb_extend_half_s(a[2]), wb_extend_half_s(a[2] >> 16u),
                       wb_extend_half_s(a[3]), wb_extend_half_s(a[3] >> 16u));
}
static inline wb_v128 wb_i32x4_extend_low_i16x8_u(wb_v128 a) {
  return wb_v128_const(wb_extend_half_u(a[0]), wb_extend_half_u(a[0] >> 16u),
                       wb_extend_half_u(a[1]), wb_extend_half_u(a[1] >> 16u));
}
static inline wb_v128 wb_i32x4_extend_high_i16x8_u(wb_v128 a) {
  return wb_v128_const(wb_extend_half_u(a[2]), wb_extend_half_u(a[2] >> 16u),
                       wb_extend_half_u(a[3]), wb_extend_half_u(a[3] >> 16u));
}
static inline wb_v128 wb_i64x2_extend_low_i32x4_s(wb_v128 a) {
  return wb_i64x2(wb_i64_extend_i32_s(a[0]), wb_i64_extend_i32_s(a[1]));
}
static inline wb_v128 wb_i64x2_extend_high_i32x4_s(wb_v128 a) {
  return wb_i64x2(wb_i64_extend_i32_s(a[2]), wb_i64_extend_i32_s(a[3]));
}
static inline wb_v128 wb_i64x2_extend_low_i32x4_u(wb_v128 a) {
  return wb_i64x2(wb_i64_extend_i32_u(a[0]), wb_i64_extend_i32_u(a[1]));
}
static inline wb_v128 wb_i64x2_extend_high_i32x4_u(wb_v128 a) {
  return wb_i64x2(wb_i64_extend_i32_u(a[2]), wb_i64_extend_i32_u(a[3]));
}

// Products fit their lanes.
static inline wb_v128 wb_i16x8_extmul_low_i8x16_s(wb_v128 a, wb_v128 b) {
  return wb_i16x8_mul(wb_i16x8_extend_low_i8x16_s(a), wb_i16x8_extend_low_i8x16_s(b));
}
static inline wb_v128 wb_i16x8_extmul_low_i8x16_u(wb_v128 a, wb_v128 b) {
  return wb_i16x8_mul(wb_i16x8_extend_low_i8x16_u(a), wb_i16x8_extend_low_i8x16_u(b));
}
static inline wb_v128 wb_i16x8_extmul_high_i8x16_s(wb_v128 a, wb_v128 b) {
  return wb_i16x8_mul(wb_i16x8_extend_high_i8x16_s(a), wb_i16x8_extend_high_i8x16_s(b));
}
static inline wb_v128 wb_i16x8_extmul_high_i8x16_u(wb_v128 a, wb_v128 b) {
  return wb_i16x8_mul(wb_i16x8_extend_high_i8x16_u(a), wb_i16x8_extend_high_i8x16_u(b));
}
static inline wb_v128 wb_i32x4_extmul_low_i16x8_s(wb_v128 a, wb_v128 b) {
  return wb_i32x4_mul(wb_i32x4_extend_low_i16x8_s(a), wb_i32x4_extend_low_i16x8_s(b));
}
static inline wb_v128 wb_i32x4_extmul_low_i16x8_u(wb_v128 a, wb_v128 b) {
  return wb_i32x4_mul(wb_i32x4_extend_low_i16x8_u(a), wb_i32x4_extend_low_i16x8_u(b));
}
static inline wb_v128 wb_i32x4_extmul_high_i16x8_s(wb_v128 a, wb_v128 b) {
  return wb_i32x4_mul(wb_i32x4_extend_high_i16x8_s(a), wb_i32x4_extend_high_i16x8_s(b));
}
static inline wb_v128 wb_i32x4_extmul_high_i16x8_u(wb_v128 a, wb_v128 b) {
  return wb_i32x4_mul(wb_i32x4_extend_high_i16x8_u(a), wb_i32x4_extend_high_i16x8_u(b));
}
static inline wb_v128 wb_i64x2_extmul_low_i32x4_s(wb_v128 a, wb_v128 b) {
  return wb_i64x2_mul(wb_i64x2_extend_low_i32x4_s(a), wb_i64x2_extend_low_i32x4_s(b));
}
static inline wb_v128 wb_i64x2_extmul_low_i32x4_u(wb_v128 a, wb_v128 b) {
  return wb_i64x2_mul(wb_i64x2_extend_low_i32x4_u(a), wb_i64x2_extend_low_i32x4_u(b));
}
static inline wb_v128 wb_i64x2_extmul_high_i32x4_s(wb_v128 a, wb_v128 b) {
  return wb_i64x2_mul(wb_i64x2_extend_high_i32x4_s(a), wb_i64x2_extend_high_i32x4_s(b));
}
static inline wb_v128 wb_i64x2_extmul_high_i32x4_u(wb_v128 a, wb_v128 b) {
  return wb_i64x2_mul(wb_i64x2_extend_high_i32x4_u(a), wb_i64x2_extend_high_i32x4_u(b));
}

static inline uint wb_extadd_bytes_u(uint a) {
  return (a & 0x00ff00ffu) + ((a >> 8u) & 0x00ff00ffu);
}
// With 128 added to each byte no sum is negative.
static inline uint wb_extadd_bytes_s(uint a) {
  return wb_i16x2_sub(wb_extadd_bytes_u(a ^ 0x80808080u), 0x01000100u);
}
static inline uint wb_extadd_halves_u(uint a) { return (a & 0xffffu) + (a >> 16u); }
static inline uint wb_extadd_halves_s(uint a) {
  return wb_i32_extend16_s(a) + wb_i32_extend16_s(a >> 16u);
}
static inline wb_v128 wb_i16x8_extadd_pairwise_i8x16_s(wb_v128 a) {
  return wb_v128_const(wb_extadd_bytes_s(a[0]), wb_extadd_bytes_s(a[1]), wb_extadd_bytes_s(a[2]),
                       wb_extadd_bytes_s(a[3]));
}
static inline wb_v128 wb_i32x4_extadd_pairwise_i16x8_s(wb_v128 a) {
  return wb_v128_const(wb_extadd_halves_s(a[0]), wb_extadd_halves_s(a[1]), wb_extadd_halves_s(a[2]),
                       wb_extadd_halves_s(a[3]));
}
static inline wb_v128 wb_i16x8_extadd_pairwise_i8x16_u(wb_v128 a) {
  return wb_v128_const(wb_extadd_bytes_u(a[0]), wb_extadd_bytes_u(a[1]), wb_extadd_bytes_u(a[2]),
                       wb_extadd_bytes_u(a[3]));
}
static inline wb_v128 wb_i32x4_extadd_pairwise_i16x8_u(wb_v128 a) {
  return wb_v128_const(wb_extadd_halves_u(a[0]), wb_extadd_halves_u(a[1]), wb_extadd_halves_u(a[2]),
                       wb_extadd_halves_u(a[3]));
}
static inline uint wb_dot_halves(uint a, uint b) {
  return wb_i32_extend16_s(a) * wb_i32_extend16_s(b) +
         wb_i32_extend16_s(a >> 16u) * wb_i32_extend16_s(b >> 16u);
}
static inline wb_v128 wb_i32x4_dot_i16x8_s(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_dot_halves(a[0], b[0]), wb_dot_halves(a[1], b[1]),
                       wb_dot_halves(a[2], b[2]), wb_dot_halves(a[3], b[3]));
}
