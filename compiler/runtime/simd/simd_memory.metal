// ---- vectors in memory, by the accesses of up to 8 bytes; after their bounds check.

static inline wb_v128 wb_v128_load(wb_mem M, uint a, ulong offset) {
  return wb_i64x2(wb_peek64(M, (ulong)a + offset), wb_peek64(M, (ulong)a + offset + 8ul));
}
static inline void wb_v128_store(wb_mem M, uint a, ulong offset, wb_v128 v) {
  wb_poke64(M, (ulong)a + offset, wb_low(v));
  wb_poke64(M, (ulong)a + offset + 8ul, wb_high(v));
}
// Eight bytes as the low half of a vector.
static inline wb_v128 wb_v128_load64_zero(wb_mem M, uint a, ulong offset) {
  return wb_i64x2(wb_peek64(M, (ulong)a + offset), 0ul);
}
static inline wb_v128 wb_v128_load32_zero(wb_mem M, uint a, ulong offset) {
  return wb_v128_const(wb_peek32(M, (ulong)a + offset), 0u, 0u, 0u);
}
static inline wb_v128 wb_v128_load8x8_s(wb_mem M, uint a, ulong offset) {
  return wb_i16x8_extend_low_i8x16_s(wb_v128_load64_zero(M, a, offset));
}
static inline wb_v128 wb_v128_load8x8_u(wb_mem M, uint a, ulong offset) {
  return wb_i16x8_extend_low_i8x16_u(wb_v128_load64_zero(M, a, offset));
}
static inline wb_v128 wb_v128_load16x4_s(wb_mem M, uint a, ulong offset) {
  return wb_i32x4_extend_low_i16x8_s(wb_v128_load64_zero(M, a, offset));
}
static inline wb_v128 wb_v128_load16x4_u(wb_mem M, uint a, ulong offset) {
  return wb_i32x4_extend_low_i16x8_u(wb_v128_load64_zero(M, a, offset));
}
static inline wb_v128 wb_v128_load32x2_s(wb_mem M, uint a, ulong offset) {
  return wb_i64x2_extend_low_i32x4_s(wb_v128_load64_zero(M, a, offset));
}
static inline wb_v128 wb_v128_load32x2_u(wb_mem M, uint a, ulong offset) {
  return wb_i64x2_extend_low_i32x4_u(wb_v128_load64_zero(M, a, offset));
}
static inline wb_v128 wb_v128_load8_splat(wb_mem M, uint a, ulong offset) {
  return wb_i8x16_splat(wb_peek8(M, (ulong)a + offset));
}
static inline wb_v128 wb_v128_load16_splat(wb_mem M, uint a, ulong offset) {
  return wb_i16x8_splat(wb_peek16(M, (ulong)a + offset));
}
static inline wb_v128 wb_v128_load32_splat(wb_mem M, uint a, ulong offset) {
  return wb_i32x4_splat(wb_peek32(M, (ulong)a + offset));
}
static inline wb_v128 wb_v128_load64_splat(wb_mem M, uint a, ulong offset) {
  return wb_i64x2_splat(wb_peek64(M, (ulong)a + offset));
}
static inline wb_v128 wb_v128_load8_lane(wb_mem M, uint a, ulong offset, wb_v128 v, uint lane) {
  return wb_i8x16_replace_lane(v, wb_peek8(M, (ulong)a + offset), lane);
}
static inline void wb_v128_store8_lane(wb_mem M, uint a, ulong offset, wb_v128 v, uint lane) {
  wb_poke8(M, (ulong)a + offset, wb_i8x16_extract_lane_u(v, lane));
}
static inline wb_v128 wb_v128_load16_lane(wb_mem M, uint a, ulong offset, wb_v128 v, uint lane) {
  return wb_i16x8_replace_lane(v, wb_peek16(M, (ulong)a + offset), lane);
}
static inline void wb_v128_store16_lane(wb_mem M, uint a, ulong offset, wb_v128 v, uint lane) {
  wb_poke16(M, (ulong)a + offset, wb_i16x8_extract_lane_u(v, lane));
}
static inline wb_v128 wb_v128_load32_lane(wb_mem M, uint a, ulong offset, wb_v128 v, uint lane) {
  return wb_i32x4_replace_lane(v, wb_peek32(M, (ulong)a + offset), lane);
}
static inline void wb_v128_store32_lane(wb_mem M, uint a, ulong offset, wb_v128 v, uint lane) {
  wb_poke32(M, (ulong)a + offset, wb_i32x4_extract_lane(v, lane));
}
static inline wb_v128 wb_v128_load64_lane(wb_mem M, uint a, ulong offset, wb_v128 v, uint lane) {
  return wb_i64x2_replace_lane(v, wb_peek64(M, (ulong)a + offset), lane);
}
static inline void wb_v128_store64_lane(wb_mem M, uint a, ulong offset, wb_v128 v, uint lane) {
  wb_poke64(M, (ulong)a + offset, wb_i64x2_extract_lane(v, lane));
}
