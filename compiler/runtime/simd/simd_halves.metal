// ---- vectors of 16-bit integers: 2 lanes of a word at once (wb_i16x2_*), then the operators.

static inline uint wb_i16x2_add(uint a, uint b) {
  return ((a & 0x7fff7fffu) + (b & 0x7fff7fffu)) ^ ((a ^ b) & 0x80008000u);
}
static inline uint wb_i16x2_sub(uint a, uint b) {
  return ((a | 0x80008000u) - (b & 0x7fff7fffu)) ^ ((a ^ ~b) & 0x80008000u);
}
static inline uint wb_i16x2_neg(uint a) { return wb_i16x2_sub(0u, a); }
// All bits of a lane as its highest one.
static inline uint wb_i16x2_mask(uint a) {
  uint m = a & 0x80008000u;
  return m | (m - (m >> 15u));
}
static inline uint wb_i16x2_eq(uint a, uint b) {
  uint x = a ^ b;
  return wb_i16x2_mask(~(((x & 0x7fff7fffu) + 0x7fff7fffu) | x));
}
static inline uint wb_i16x2_ne(uint a, uint b) { return ~wb_i16x2_eq(a, b); }
// The highest bits decide where they differ, else whether the others can be subtracted.
static inline uint wb_i16x2_lt_u(uint a, uint b) {
  uint rest = (a | 0x80008000u) - (b & 0x7fff7fffu);
  return wb_i16x2_mask((~a & b) | (~(a ^ b) & ~rest));
}
static inline uint wb_i16x2_gt_u(uint a, uint b) { return wb_i16x2_lt_u(b, a); }
static inline uint wb_i16x2_le_u(uint a, uint b) { return ~wb_i16x2_lt_u(b, a); }
static inline uint wb_i16x2_ge_u(uint a, uint b) { return ~wb_i16x2_lt_u(a, b); }
static inline uint wb_i16x2_lt_s(uint a, uint b) {
  return wb_i16x2_lt_u(a ^ 0x80008000u, b ^ 0x80008000u);
}
static inline uint wb_i16x2_gt_s(uint a, uint b) { return wb_i16x2_lt_s(b, a); }
static inline uint wb_i16x2_le_s(uint a, uint b) { return ~wb_i16x2_lt_s(b, a); }
static inline uint wb_i16x2_ge_s(uint a, uint b) { return ~wb_i16x2_lt_s(a, b); }
static inline uint wb_i16x2_min_s(uint a, uint b) { return wb_mix(wb_i16x2_lt_s(a, b), a, b); }
static inline uint wb_i16x2_min_u(uint a, uint b) { return wb_mix(wb_i16x2_lt_u(a, b), a, b); }
static inline uint wb_i16x2_max_s(uint a, uint b) { return wb_mix(wb_i16x2_lt_s(a, b), b, a); }
static inline uint wb_i16x2_max_u(uint a, uint b) { return wb_mix(wb_i16x2_lt_u(a, b), b, a); }
// The nearest value of a lane to what lies beyond its range on a's side.
static inline uint wb_i16x2_bound(uint a) { return wb_i16x2_mask(a) ^ 0x7fff7fffu; }
static inline uint wb_i16x2_add_sat_s(uint a, uint b) {
  uint sum = wb_i16x2_add(a, b);
  return wb_mix(wb_i16x2_mask(~(a ^ b) & (a ^ sum)), wb_i16x2_bound(a), sum);
}
static inline uint wb_i16x2_sub_sat_s(uint a, uint b) {
  uint rest = wb_i16x2_sub(a, b);
  return wb_mix(wb_i16x2_mask((a ^ b) & (a ^ rest)), wb_i16x2_bound(a), rest);
}
static inline uint wb_i16x2_add_sat_u(uint a, uint b) {
  uint sum = wb_i16x2_add(a, b);
  return sum | wb_i16x2_lt_u(sum, a);
}
static inline uint wb_i16x2_sub_sat_u(uint a, uint b) {
  return wb_i16x2_sub(a, b) & ~wb_i16x2_lt_u(a, b);
}
static inline uint wb_i16x2_avgr_u(uint a, uint b) {
  return (a | b) - (((a ^ b) >> 1u) & 0x7fff7fffu);
}
static inline uint wb_i16x2_abs(uint a) {
  uint m = wb_i16x2_mask(a);
  return wb_i16x2_sub(a ^ m, m);
}
static inline uint wb_i16x2_shl(uint a, uint n) {
  return (a << (n & 15u)) & (((0xffffu << (n & 15u)) & 0xffffu) * 0x00010001u);
}
static inline uint wb_i16x2_shr_u(uint a, uint n) {
  return (a >> (n & 15u)) & ((0xffffu >> (n & 15u)) * 0x00010001u);
}
static inline uint wb_i16x2_shr_s(uint a, uint n) {
  uint kept = (0xffffu >> (n & 15u)) * 0x00010001u;
  return wb_mix(kept, a >> (n & 15u), wb_i16x2_mask(a));
}
static inline uint wb_i16x2_mul(uint a, uint b) {
  return ((a * b) & 0xffffu) | (((a >> 16u) * (b >> 16u)) << 16u);
}
// Of the low halves. Only the square of the lowest value is too large.
static inline uint wb_q15mulr(uint a, uint b) {
  uint product = wb_i32_extend16_s(a) * wb_i32_extend16_s(b) + 0x4000u;
  uint rounded = wb_i32_shr_s(product, 15u);
  return rounded == 0x8000u ? 0x7fffu : rounded & 0xffffu;
}
static inline uint wb_i16x2_q15mulr_sat_s(uint a, uint b) {
  return wb_q15mulr(a, b) | (wb_q15mulr(a >> 16u, b >> 16u) << 16u);
}
static inline uint wb_i16x2_bitmask(uint a) { return ((a >> 15u) & 1u) | ((a >> 30u) & 2u); }

static inline wb_v128 wb_i16x8_add(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i16x2_add(a[0], b[0]), wb_i16x2_add(a[1], b[1]), wb_i16x2_add(a[2], b[2]),
                       wb_i16x2_add(a[3], b[3]));
}
static inline wb_v128 wb_i16x8_sub(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i16x2_sub(a[0], b[0]), wb_i16x2_sub(a[1], b[1]), wb_i16x2_sub(a[2], b[2]),
                       wb_i16x2_sub(a[3], b[3]));
}
static inline wb_v128 wb_i16x8_eq(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i16x2_eq(a[0], b[0]), wb_i16x2_eq(a[1], b[1]), wb_i16x2_eq(a[2], b[2]),
                       wb_i16x2_eq(a[3], b[3]));
}
static inline wb_v128 wb_i16x8_ne(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i16x2_ne(a[0], b[0]), wb_i16x2_ne(a[1], b[1]), wb_i16x2_ne(a[2], b[2]),
                       wb_i16x2_ne(a[3], b[3]));
}
static inline wb_v128 wb_i16x8_lt_s(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i16x2_lt_s(a[0], b[0]), wb_i16x2_lt_s(a[1], b[1]),
                       wb_i16x2_lt_s(a[2], b[2]), wb_i16x2_lt_s(a[3], b[3]));
}
static inline wb_v128 wb_i16x8_lt_u(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i16x2_lt_u(a[0], b[0]), wb_i16x2_lt_u(a[1], b[1]),
                       wb_i16x2_lt_u(a[2], b[2]), wb_i16x2_lt_u(a[3], b[3]));
}
static inline wb_v128 wb_i16x8_gt_s(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i16x2_gt_s(a[0], b[0]), wb_i16x2_gt_s(a[1], b[1]),
                       wb_i16x2_gt_s(a[2], b[2]), wb_i16x2_gt_s(a[3], b[3]));
}
static inline wb_v128 wb_i16x8_gt_u(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i16x2_gt_u(a[0], b[0]), wb_i16x2_gt_u(a[1], b[1]),
                       wb_i16x2_gt_u(a[2], b[2]), wb_i16x2_gt_u(a[3], b[3]));
}
static inline wb_v128 wb_i16x8_le_s(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i16x2_le_s(a[0], b[0]), wb_i16x2_le_s(a[1], b[1]),
                       wb_i16x2_le_s(a[2], b[2]), wb_i16x2_le_s(a[3], b[3]));
}
static inline wb_v128 wb_i16x8_le_u(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i16x2_le_u(a[0], b[0]), wb_i16x2_le_u(a[1], b[1]),
                       wb_i16x2_le_u(a[2], b[2]), wb_i16x2_le_u(a[3], b[3]));
}
static inline wb_v128 wb_i16x8_ge_s(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i16x2_ge_s(a[0], b[0]), wb_i16x2_ge_s(a[1], b[1]),
                       wb_i16x2_ge_s(a[2], b[2]), wb_i16x2_ge_s(a[3], b[3]));
}
static inline wb_v128 wb_i16x8_ge_u(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i16x2_ge_u(a[0], b[0]), wb_i16x2_ge_u(a[1], b[1]),
                       wb_i16x2_ge_u(a[2], b[2]), wb_i16x2_ge_u(a[3], b[3]));
}
static inline wb_v128 wb_i16x8_min_s(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i16x2_min_s(a[0], b[0]), wb_i16x2_min_s(a[1], b[1]),
                       wb_i16x2_min_s(a[2], b[2]), wb_i16x2_min_s(a[3], b[3]));
}
static inline wb_v128 wb_i16x8_min_u(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i16x2_min_u(a[0], b[0]), wb_i16x2_min_u(a[1], b[1]),
                       wb_i16x2_min_u(a[2], b[2]), wb_i16x2_min_u(a[3], b[3]));
}
static inline wb_v128 wb_i16x8_max_s(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i16x2_max_s(a[0], b[0]), wb_i16x2_max_s(a[1], b[1]),
                       wb_i16x2_max_s(a[2], b[2]), wb_i16x2_max_s(a[3], b[3]));
}
static inline wb_v128 wb_i16x8_max_u(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i16x2_max_u(a[0], b[0]), wb_i16x2_max_u(a[1], b[1]),
                       wb_i16x2_max_u(a[2], b[2]), wb_i16x2_max_u(a[3], b[3]));
}
static inline wb_v128 wb_i16x8_add_sat_s(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i16x2_add_sat_s(a[0], b[0]), wb_i16x2_add_sat_s(a[1], b[1]),
                       wb_i16x2_add_sat_s(a[2], b[2]), wb_i16x2_add_sat_s(a[3], b[3]));
}
static inline wb_v128 wb_i16x8_add_sat_u(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i16x2_add_sat_u(a[0], b[0]), wb_i16x2_add_sat_u(a[1], b[1]),
                       wb_i16x2_add_sat_u(a[2], b[2]), wb_i16x2_add_sat_u(a[3], b[3]));
}
static inline wb_v128 wb_i16x8_sub_sat_s(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i16x2_sub_sat_s(a[0], b[0]), wb_i16x2_sub_sat_s(a[1], b[1]),
                       wb_i16x2_sub_sat_s(a[2], b[2]), wb_i16x2_sub_sat_s(a[3], b[3]));
}
static inline wb_v128 wb_i16x8_sub_sat_u(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i16x2_sub_sat_u(a[0], b[0]), wb_i16x2_sub_sat_u(a[1], b[1]),
                       wb_i16x2_sub_sat_u(a[2], b[2]), wb_i16x2_sub_sat_u(a[3], b[3]));
}
static inline wb_v128 wb_i16x8_avgr_u(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i16x2_avgr_u(a[0], b[0]), wb_i16x2_avgr_u(a[1], b[1]),
                       wb_i16x2_avgr_u(a[2], b[2]), wb_i16x2_avgr_u(a[3], b[3]));
}
static inline wb_v128 wb_i16x8_mul(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i16x2_mul(a[0], b[0]), wb_i16x2_mul(a[1], b[1]), wb_i16x2_mul(a[2], b[2]),
                       wb_i16x2_mul(a[3], b[3]));
}
static inline wb_v128 wb_i16x8_q15mulr_sat_s(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i16x2_q15mulr_sat_s(a[0], b[0]), wb_i16x2_q15mulr_sat_s(a[1], b[1]),
                       wb_i16x2_q15mulr_sat_s(a[2], b[2]), wb_i16x2_q15mulr_sat_s(a[3], b[3]));
}
static inline wb_v128 wb_i16x8_neg(wb_v128 a) {
  return wb_v128_const(wb_i16x2_neg(a[0]), wb_i16x2_neg(a[1]), wb_i16x2_neg(a[2]),
                       wb_i16x2_neg(a[3]));
}
static inline wb_v128 wb_i16x8_abs(wb_v128 a) {
  return wb_v128_const(wb_i16x2_abs(a[0]), wb_i16x2_abs(a[1]), wb_i16x2_abs(a[2]),
                       wb_i16x2_abs(a[3]));
}
static inline wb_v128 wb_i16x8_shl(wb_v128 a, uint n) {
  return wb_v128_const(wb_i16x2_shl(a[0], n), wb_i16x2_shl(a[1], n), wb_i16x2_shl(a[2], n),
                       wb_i16x2_shl(a[3], n));
}
static inline wb_v128 wb_i16x8_shr_s(wb_v128 a, uint n) {
  return wb_v128_const(wb_i16x2_shr_s(a[0], n), wb_i16x2_shr_s(a[1], n), wb_i16x2_shr_s(a[2], n),
                       wb_i16x2_shr_s(a[3], n));
}
static inline wb_v128 wb_i16x8_shr_u(wb_v128 a, uint n) {
  return wb_v128_const(wb_i16x2_shr_u(a[0], n), wb_i16x2_shr_u(a[1], n), wb_i16x2_shr_u(a[2], n),
                       wb_i16x2_shr_u(a[3], n));
}
static inline uint wb_i16x8_all_true(wb_v128 a) {
  uint zero =
      wb_i16x2_eq(a[0], 0u) | wb_i16x2_eq(a[1], 0u) | wb_i16x2_eq(a[2], 0u) | wb_i16x2_eq(a[3], 0u);
  return (uint)(zero == 0u);
}
static inline uint wb_i16x8_bitmask(wb_v128 a) {
  return wb_i16x2_bitmask(a[0]) | (wb_i16x2_bitmask(a[1]) << 2u) | (wb_i16x2_bitmask(a[2]) << 4u) |
         (wb_i16x2_bitmask(a[3]) << 6u);
}
