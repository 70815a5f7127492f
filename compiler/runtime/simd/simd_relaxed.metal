// ---- relaxed vector operators that the deterministic profile makes no other operator. A multiply-add
// rounds twice; the sums of a dot product saturate.

static inline wb_v128 wb_f32x4_relaxed_madd(wb_v128 a, wb_v128 b, wb_v128 c) {
  return wb_f32x4_add(wb_f32x4_mul(a, b), c);
}
static inline wb_v128 wb_f32x4_relaxed_nmadd(wb_v128 a, wb_v128 b, wb_v128 c) {
  return wb_f32x4_relaxed_madd(wb_f32x4_neg(a), b, c);
}
static inline wb_v128 wb_f64x2_relaxed_madd(wb_v128 a, wb_v128 b, wb_v128 c) {
  return wb_f64x2_add(wb_f64x2_mul(a, b), c);
}
static inline wb_v128 wb_f64x2_relaxed_nmadd(wb_v128 a, wb_v128 b, wb_v128 c) {
  return wb_f64x2_relaxed_madd(wb_f64x2_neg(a), b, c);
}

// Of the two lower bytes. Only the lowest value squared twice is too large.
static inline uint wb_dot_bytes(uint a, uint b) {
  uint sum = wb_i32_extend8_s(a) * wb_i32_extend8_s(b) +
             wb_i32_extend8_s(a >> 8u) * wb_i32_extend8_s(b >> 8u);
  return sum == 0x8000u ? 0x7fffu : sum & 0xffffu;
}
static inline uint wb_dot_word(uint a, uint b) {
  return wb_dot_bytes(a, b) | (wb_dot_bytes(a >> 16u, b >> 16u) << 16u);
}
static inline wb_v128 wb_i16x8_relaxed_dot_i8x16_i7x16_s(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_dot_word(a[0], b[0]), wb_dot_word(a[1], b[1]), wb_dot_word(a[2], b[2]),
                       wb_dot_word(a[3], b[3]));
}
static inline wb_v128 wb_i32x4_relaxed_dot_i8x16_i7x16_add_s(wb_v128 a, wb_v128 b, wb_v128 c) {
  return wb_i32x4_add(wb_i32x4_extadd_pairwise_i16x8_s(wb_i16x8_relaxed_dot_i8x16_i7x16_s(a, b)),
                      c);
}
