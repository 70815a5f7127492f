// ---- vectors of 32-bit and 64-bit integers, by the operators of single ones.

static inline wb_v128 wb_i32x4_eq(wb_v128 a, wb_v128 b) {
  return wb_v128_const(0u - wb_i32_eq(a[0], b[0]), 0u - wb_i32_eq(a[1], b[1]),
                       0u - wb_i32_eq(a[2], b[2]), 0u - wb_i32_eq(a[3], b[3]));
}
static inline wb_v128 wb_i32x4_ne(wb_v128 a, wb_v128 b) {
  return wb_v128_const(0u - wb_i32_ne(a[0], b[0]), 0u - wb_i32_ne(a[1], b[1]),
                       0u - wb_i32_ne(a[2], b[2]), 0u - wb_i32_ne(a[3], b[3]));
}
static inline wb_v128 wb_i32x4_lt_s(wb_v128 a, wb_v128 b) {
  return wb_v128_const(0u - wb_i32_lt_s(a[0], b[0]), 0u - wb_i32_lt_s(a[1], b[1]),
                       0u - wb_i32_lt_s(a[2], b[2]), 0u - wb_i32_lt_s(a[3], b[3]));
}
static inline wb_v128 wb_i32x4_lt_u(wb_v128 a, wb_v128 b) {
  return wb_v128_const(0u - wb_i32_lt_u(a[0], b[0]), 0u - wb_i32_lt_u(a[1], b[1]),
                       0u - wb_i32_lt_u(a[2], b[2]), 0u - wb_i32_lt_u(a[3], b[3]));
}
static inline wb_v128 wb_i32x4_gt_s(wb_v128 a, wb_v128 b) {
  return wb_v128_const(0u - wb_i32_gt_s(a[0], b[0]), 0u - wb_i32_gt_s(a[1], b[1]),
                       0u - wb_i32_gt_s(a[2], b[2]), 0u - wb_i32_gt_s(a[3], b[3]));
}
static inline wb_v128 wb_i32x4_gt_u(wb_v128 a, wb_v128 b) {
  return wb_v128_const(0u - wb_i32_gt_u(a[0], b[0]), 0u - wb_i32_gt_u(a[1], b[1]),
                       0u - wb_i32_gt_u(a[2], b[2]), 0u - wb_i32_gt_u(a[3], b[3]));
}
static inline wb_v128 wb_i32x4_le_s(wb_v128 a, wb_v128 b) {
  return wb_v128_const(0u - wb_i32_le_s(a[0], b[0]), 0u - wb_i32_le_s(a[1], b[1]),
                       0u - wb_i32_le_s(a[2], b[2]), 0u - wb_i32_le_s(a[3], b[3]));
}
static inline wb_v128 wb_i32x4_le_u(wb_v128 a, wb_v128 b) {
  return wb_v128_const(0u - wb_i32_le_u(a[0], b[0]), 0u - wb_i32_le_u(a[1], b[1]),
                       0u - wb_i32_le_u(a[2], b[2]), 0u - wb_i32_le_u(a[3], b[3]));
}
static inline wb_v128 wb_i32x4_ge_s(wb_v128 a, wb_v128 b) {
  return wb_v128_const(0u - wb_i32_ge_s(a[0], b[0]), 0u - wb_i32_ge_s(a[1], b[1]),
                       0u - wb_i32_ge_s(a[2], b[2]), 0u - wb_i32_ge_s(a[3], b[3]));
}
static inline wb_v128 wb_i32x4_ge_u(wb_v128 a, wb_v128 b) {
  return wb_v128_const(0u - wb_i32_ge_u(a[0], b[0]), 0u - wb_i32_ge_u(a[1], b[1]),
                       0u - wb_i32_ge_u(a[2], b[2]), 0u - wb_i32_ge_u(a[3], b[3]));
}
static inline wb_v128 wb_i32x4_add(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i32_add(a[0], b[0]), wb_i32_add(a[1], b[1]), wb_i32_add(a[2], b[2]),
                       wb_i32_add(a[3], b[3]));
}
static inline wb_v128 wb_i32x4_sub(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i32_sub(a[0], b[0]), wb_i32_sub(a[1], b[1]), wb_i32_sub(a[2], b[2]),
                       wb_i32_sub(a[3], b[3]));
}
static inline wb_v128 wb_i32x4_mul(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i32_mul(a[0], b[0]), wb_i32_mul(a[1], b[1]), wb_i32_mul(a[2], b[2]),
                       wb_i32_mul(a[3], b[3]));
}
static inline uint wb_i32_min_s(uint a, uint b) { return wb_i32_lt_s(a, b) != 0u ? a : b; }
static inline wb_v128 wb_i32x4_min_s(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i32_min_s(a[0], b[0]), wb_i32_min_s(a[1], b[1]), wb_i32_min_s(a[2], b[2]),
                       wb_i32_min_s(a[3], b[3]));
}
static inline uint wb_i32_min_u(uint a, uint b) { return wb_i32_lt_u(a, b) != 0u ? a : b; }
static inline wb_v128 wb_i32x4_min_u(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i32_min_u(a[0], b[0]), wb_i32_min_u(a[1], b[1]), wb_i32_min_u(a[2], b[2]),
                       wb_i32_min_u(a[3], b[3]));
}
static inline uint wb_i32_max_s(uint a, uint b) { return wb_i32_lt_s(a, b) != 0u ? b : a; }
static inline wb_v128 wb_i32x4_max_s(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i32_max_s(a[0], b[0]), wb_i32_max_s(a[1], b[1]), wb_i32_max_s(a[2], b[2]),
                       wb_i32_max_s(a[3], b[3]));
}
static inline uint wb_i32_max_u(uint a, uint b) { return wb_i32_lt_u(a, b) != 0u ? b : a; }
static inline wb_v128 wb_i32x4_max_u(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i32_max_u(a[0], b[0]), wb_i32_max_u(a[1], b[1]), wb_i32_max_u(a[2], b[2]),
                       wb_i32_max_u(a[3], b[3]));
}
static inline uint wb_i32_abs(uint a) { return (a >> 31u) != 0u ? 0u - a : a; }
static inline wb_v128 wb_i32x4_neg(wb_v128 a) {
  return wb_v128_const(0u - a[0], 0u - a[1], 0u - a[2], 0u - a[3]);
}
static inline wb_v128 wb_i32x4_abs(wb_v128 a) {
  return wb_v128_const(wb_i32_abs(a[0]), wb_i32_abs(a[1]), wb_i32_abs(a[2]), wb_i32_abs(a[3]));
}
static inline wb_v128 wb_i32x4_shl(wb_v128 a, uint n) {
  return wb_v128_const(wb_i32_shl(a[0], n), wb_i32_shl(a[1], n), wb_i32_shl(a[2], n),
                       wb_i32_shl(a[3], n));
}
static inline wb_v128 wb_i32x4_shr_s(wb_v128 a, uint n) {
  return wb_v128_const(wb_i32_shr_s(a[0], n), wb_i32_shr_s(a[1], n), wb_i32_shr_s(a[2], n),
                       wb_i32_shr_s(a[3], n));
}
static inline wb_v128 wb_i32x4_shr_u(wb_v128 a, uint n) {
  return wb_v128_const(wb_i32_shr_u(a[0], n), wb_i32_shr_u(a[1], n), wb_i32_shr_u(a[2], n),
                       wb_i32_shr_u(a[3], n));
}
static inline uint wb_i32x4_all_true(wb_v128 a) {
  return (uint)(a[0] != 0u && a[1] != 0u && a[2] != 0u && a[3] != 0u);
}
static inline uint wb_i32x4_bitmask(wb_v128 a) {
  return (a[0] >> 31u) | ((a[1] >> 30u) & 2u) | ((a[2] >> 29u) & 4u) | ((a[3] >> 28u) & 8u);
}

static inline ulong wb_i64_mask(uint truth) { return 0ul - (ulong)truth; }
static inline wb_v128 wb_i64x2_eq(wb_v128 a, wb_v128 b) {
  return wb_i64x2(wb_i64_mask(wb_i64_eq(wb_low(a), wb_low(b))),
                  wb_i64_mask(wb_i64_eq(wb_high(a), wb_high(b))));
}
static inline wb_v128 wb_i64x2_ne(wb_v128 a, wb_v128 b) {
  return wb_i64x2(wb_i64_mask(wb_i64_ne(wb_low(a), wb_low(b))),
                  wb_i64_mask(wb_i64_ne(wb_high(a), wb_high(b))));
}
static inline wb_v128 wb_i64x2_lt_s(wb_v128 a, wb_v128 b) {
  return wb_i64x2(wb_i64_mask(wb_i64_lt_s(wb_low(a), wb_low(b))),
                  wb_i64_mask(wb_i64_lt_s(wb_high(a), wb_high(b))));
}
static inline wb_v128 wb_i64x2_gt_s(wb_v128 a, wb_v128 b) {
  return wb_i64x2(wb_i64_mask(wb_i64_gt_s(wb_low(a), wb_low(b))),
                  wb_i64_mask(wb_i64_gt_s(wb_high(a), wb_high(b))));
}
static inline wb_v128 wb_i64x2_le_s(wb_v128 a, wb_v128 b) {
  return wb_i64x2(wb_i64_mask(wb_i64_le_s(wb_low(a), wb_low(b))),
                  wb_i64_mask(wb_i64_le_s(wb_high(a), wb_high(b))));
}
static inline wb_v128 wb_i64x2_ge_s(wb_v128 a, wb_v128 b) {
  return wb_i64x2(wb_i64_mask(wb_i64_ge_s(wb_low(a), wb_low(b))),
                  wb_i64_mask(wb_i64_ge_s(wb_high(a), wb_high(b))));
}
static inline wb_v128 wb_i64x2_add(wb_v128 a, wb_v128 b) {
  return wb_i64x2(wb_i64_add(wb_low(a), wb_low(b)), wb_i64_add(wb_high(a), wb_high(b)));
}
static inline wb_v128 wb_i64x2_sub(wb_v128 a, wb_v128 b) {
  return wb_i64x2(wb_i64_sub(wb_low(a), wb_low(b)), wb_i64_sub(wb_high(a), wb_high(b)));
}
static inline wb_v128 wb_i64x2_mul(wb_v128 a, wb_v128 b) {
  return wb_i64x2(wb_i64_mul(wb_low(a), wb_low(b)), wb_i64_mul(wb_high(a), wb_high(b)));
}
static inline wb_v128 wb_i64x2_neg(wb_v128 a) {
  return wb_i64x2(0ul - wb_low(a), 0ul - wb_high(a));
}
static inline ulong wb_i64_abs(ulong a) { return (a >> 63u) != 0ul ? 0ul - a : a; }
static inline wb_v128 wb_i64x2_abs(wb_v128 a) {
  return wb_i64x2(wb_i64_abs(wb_low(a)), wb_i64_abs(wb_high(a)));
}
static inline wb_v128 wb_i64x2_shl(wb_v128 a, uint n) {
  return wb_i64x2(wb_i64_shl(wb_low(a), (ulong)n), wb_i64_shl(wb_high(a), (ulong)n));
}
static inline wb_v128 wb_i64x2_shr_s(wb_v128 a, uint n) {
  return wb_i64x2(wb_i64_shr_s(wb_low(a), (ulong)n), wb_i64_shr_s(wb_high(a), (ulong)n));
}
static inline wb_v128 wb_i64x2_shr_u(wb_v128 a, uint n) {
  return wb_i64x2(wb_i64_shr_u(wb_low(a), (ulong)n), wb_i64_shr_u(wb_high(a), (ulong)n));
}
static inline uint wb_i64x2_all_true(wb_v128 a) {
  return (uint)(wb_low(a) != 0ul && wb_high(a) != 0ul);
}
static inline uint wb_i64x2_bitmask(wb_v128 a) { return (a[1] >> 31u) | ((a[3] >> 30u) & 2u); }
