// ---- vectors of 8-bit integers: 4 lanes of a word at once (wb_i8x4_*), then the operators.

static inline uint wb_i8x4_add(uint a, uint b) {
  return ((a & 0x7f7f7f7fu) + (b & 0x7f7f7f7fu)) ^ ((a ^ b) & 0x80808080u);
}
static inline uint wb_i8x4_sub(uint a, uint b) {
  return ((a | 0x80808080u) - (b & 0x7f7f7f7fu)) ^ ((a ^ ~b) & 0x80808080u);
}
static inline uint wb_i8x4_neg(uint a) { return wb_i8x4_sub(0u, a); }
// All bits of a lane as its highest one.
static inline uint wb_i8x4_mask(uint a) {
  uint m = a & 0x80808080u;
  return m | (m - (m >> 7u));
}
static inline uint wb_i8x4_eq(uint a, uint b) {
  uint x = a ^ b;
  return wb_i8x4_mask(~(((x & 0x7f7f7f7fu) + 0x7f7f7f7fu) | x));
}
static inline uint wb_i8x4_ne(uint a, uint b) { return ~wb_i8x4_eq(a, b); }
// The highest bits decide where they differ, else whether the others can be subtracted.
static inline uint wb_i8x4_lt_u(uint a, uint b) {
  uint rest = (a | 0x80808080u) - (b & 0x7f7f7f7fu);
  return wb_i8x4_mask((~a & b) | (~(a ^ b) & ~rest));
}
static inline uint wb_i8x4_gt_u(uint a, uint b) { return wb_i8x4_lt_u(b, a); }
static inline uint wb_i8x4_le_u(uint a, uint b) { return ~wb_i8x4_lt_u(b, a); }
static inline uint wb_i8x4_ge_u(uint a, uint b) { return ~wb_i8x4_lt_u(a, b); }
static inline uint wb_i8x4_lt_s(uint a, uint b) {
  return wb_i8x4_lt_u(a ^ 0x80808080u, b ^ 0x80808080u);
}
static inline uint wb_i8x4_gt_s(uint a, uint b) { return wb_i8x4_lt_s(b, a); }
static inline uint wb_i8x4_le_s(uint a, uint b) { return ~wb_i8x4_lt_s(b, a); }
static inline uint wb_i8x4_ge_s(uint a, uint b) { return ~wb_i8x4_lt_s(a, b); }
static inline uint wb_i8x4_min_s(uint a, uint b) { return wb_mix(wb_i8x4_lt_s(a, b), a, b); }
static inline uint wb_i8x4_min_u(uint a, uint b) { return wb_mix(wb_i8x4_lt_u(a, b), a, b); }
static inline uint wb_i8x4_max_s(uint a, uint b) { return wb_mix(wb_i8x4_lt_s(a, b), b, a); }
static inline uint wb_i8x4_max_u(uint a, uint b) { return wb_mix(wb_i8x4_lt_u(a, b), b, a); }
// The nearest value of a lane to what lies beyond its range on a's side.
static inline uint wb_i8x4_bound(uint a) { return wb_i8x4_mask(a) ^ 0x7f7f7f7fu; }
static inline uint wb_i8x4_add_sat_s(uint a, uint b) {
  uint sum = wb_i8x4_add(a, b);
  return wb_mix(wb_i8x4_mask(~(a ^ b) & (a ^ sum)), wb_i8x4_bound(a), sum);
}
static inline uint wb_i8x4_sub_sat_s(uint a, uint b) {
  uint rest = wb_i8x4_sub(a, b);
  return wb_mix(wb_i8x4_mask((a ^ b) & (a ^ rest)), wb_i8x4_bound(a), rest);
}
static inline uint wb_i8x4_add_sat_u(uint a, uint b) {
  uint sum = wb_i8x4_add(a, b);
  return sum | wb_i8x4_lt_u(sum, a);
}
static inline uint wb_i8x4_sub_sat_u(uint a, uint b) {
  return wb_i8x4_sub(a, b) & ~wb_i8x4_lt_u(a, b);
}
static inline uint wb_i8x4_avgr_u(uint a, uint b) {
  return (a | b) - (((a ^ b) >> 1u) & 0x7f7f7f7fu);
}
static inline uint wb_i8x4_abs(uint a) {
  uint m = wb_i8x4_mask(a);
  return wb_i8x4_sub(a ^ m, m);
}
static inline uint wb_i8x4_shl(uint a, uint n) {
  return (a << (n & 7u)) & (((0xffu << (n & 7u)) & 0xffu) * 0x01010101u);
}
static inline uint wb_i8x4_shr_u(uint a, uint n) {
  return (a >> (n & 7u)) & ((0xffu >> (n & 7u)) * 0x01010101u);
}
static inline uint wb_i8x4_shr_s(uint a, uint n) {
  uint kept = (0xffu >> (n & 7u)) * 0x01010101u;
  return wb_mix(kept, a >> (n & 7u), wb_i8x4_mask(a));
}
static inline uint wb_i8x4_popcnt(uint a) {
  uint pairs = a - ((a >> 1u) & 0x55555555u);
  uint fours = (pairs & 0x33333333u) + ((pairs >> 2u) & 0x33333333u);
  return (fours + (fours >> 4u)) & 0x0f0f0f0fu;
}
// The highest bits of four lanes, side by side.
static inline uint wb_i8x4_bitmask(uint a) {
  return (((a >> 7u) & 0x01010101u) * 0x10204080u) >> 28u;
}

static inline wb_v128 wb_i8x16_add(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i8x4_add(a[0], b[0]), wb_i8x4_add(a[1], b[1]), wb_i8x4_add(a[2], b[2]),
                       wb_i8x4_add(a[3], b[3]));
}
static inline wb_v128 wb_i8x16_sub(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i8x4_sub(a[0], b[0]), wb_i8x4_sub(a[1], b[1]), wb_i8x4_sub(a[2], b[2]),
                       wb_i8x4_sub(a[3], b[3]));
}
static inline wb_v128 wb_i8x16_eq(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i8x4_eq(a[0], b[0]), wb_i8x4_eq(a[1], b[1]), wb_i8x4_eq(a[2], b[2]),
                       wb_i8x4_eq(a[3], b[3]));
}
static inline wb_v128 wb_i8x16_ne(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i8x4_ne(a[0], b[0]), wb_i8x4_ne(a[1], b[1]), wb_i8x4_ne(a[2], b[2]),
                       wb_i8x4_ne(a[3], b[3]));
}
static inline wb_v128 wb_i8x16_lt_s(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i8x4_lt_s(a[0], b[0]), wb_i8x4_lt_s(a[1], b[1]), wb_i8x4_lt_s(a[2], b[2]),
                       wb_i8x4_lt_s(a[3], b[3]));
}
static inline wb_v128 wb_i8x16_lt_u(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i8x4_lt_u(a[0], b[0]), wb_i8x4_lt_u(a[1], b[1]), wb_i8x4_lt_u(a[2], b[2]),
                       wb_i8x4_lt_u(a[3], b[3]));
}
static inline wb_v128 wb_i8x16_gt_s(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i8x4_gt_s(a[0], b[0]), wb_i8x4_gt_s(a[1], b[1]), wb_i8x4_gt_s(a[2], b[2]),
                       wb_i8x4_gt_s(a[3], b[3]));
}
static inline wb_v128 wb_i8x16_gt_u(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i8x4_gt_u(a[0], b[0]), wb_i8x4_gt_u(a[1], b[1]), wb_i8x4_gt_u(a[2], b[2]),
                       wb_i8x4_gt_u(a[3], b[3]));
}
static inline wb_v128 wb_i8x16_le_s(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i8x4_le_s(a[0], b[0]), wb_i8x4_le_s(a[1], b[1]), wb_i8x4_le_s(a[2], b[2]),
                       wb_i8x4_le_s(a[3], b[3]));
}
static inline wb_v128 wb_i8x16_le_u(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i8x4_le_u(a[0], b[0]), wb_i8x4_le_u(a[1], b[1]), wb_i8x4_le_u(a[2], b[2]),
                       wb_i8x4_le_u(a[3], b[3]));
}
static inline wb_v128 wb_i8x16_ge_s(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i8x4_ge_s(a[0], b[0]), wb_i8x4_ge_s(a[1], b[1]), wb_i8x4_ge_s(a[2], b[2]),
                       wb_i8x4_ge_s(a[3], b[3]));
}
static inline wb_v128 wb_i8x16_ge_u(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i8x4_ge_u(a[0], b[0]), wb_i8x4_ge_u(a[1], b[1]), wb_i8x4_ge_u(a[2], b[2]),
                       wb_i8x4_ge_u(a[3], b[3]));
}
static inline wb_v128 wb_i8x16_min_s(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i8x4_min_s(a[0], b[0]), wb_i8x4_min_s(a[1], b[1]),
                       wb_i8x4_min_s(a[2], b[2]), wb_i8x4_min_s(a[3], b[3]));
}
static inline wb_v128 wb_i8x16_min_u(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i8x4_min_u(a[0], b[0]), wb_i8x4_min_u(a[1], b[1]),
                       wb_i8x4_min_u(a[2], b[2]), wb_i8x4_min_u(a[3], b[3]));
}
static inline wb_v128 wb_i8x16_max_s(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i8x4_max_s(a[0], b[0]), wb_i8x4_max_s(a[1], b[1]),
                       wb_i8x4_max_s(a[2], b[2]), wb_i8x4_max_s(a[3], b[3]));
}
static inline wb_v128 wb_i8x16_max_u(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i8x4_max_u(a[0], b[0]), wb_i8x4_max_u(a[1], b[1]),
                       wb_i8x4_max_u(a[2], b[2]), wb_i8x4_max_u(a[3], b[3]));
}
static inline wb_v128 wb_i8x16_add_sat_s(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i8x4_add_sat_s(a[0], b[0]), wb_i8x4_add_sat_s(a[1], b[1]),
                       wb_i8x4_add_sat_s(a[2], b[2]), wb_i8x4_add_sat_s(a[3], b[3]));
}
static inline wb_v128 wb_i8x16_add_sat_u(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i8x4_add_sat_u(a[0], b[0]), wb_i8x4_add_sat_u(a[1], b[1]),
                       wb_i8x4_add_sat_u(a[2], b[2]), wb_i8x4_add_sat_u(a[3], b[3]));
}
static inline wb_v128 wb_i8x16_sub_sat_s(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i8x4_sub_sat_s(a[0], b[0]), wb_i8x4_sub_sat_s(a[1], b[1]),
                       wb_i8x4_sub_sat_s(a[2], b[2]), wb_i8x4_sub_sat_s(a[3], b[3]));
}
static inline wb_v128 wb_i8x16_sub_sat_u(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i8x4_sub_sat_u(a[0], b[0]), wb_i8x4_sub_sat_u(a[1], b[1]),
                       wb_i8x4_sub_sat_u(a[2], b[2]), wb_i8x4_sub_sat_u(a[3], b[3]));
}
static inline wb_v128 wb_i8x16_avgr_u(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_i8x4_avgr_u(a[0], b[0]), wb_i8x4_avgr_u(a[1], b[1]),
                       wb_i8x4_avgr_u(a[2], b[2]), wb_i8x4_avgr_u(a[3], b[3]));
}
static inline wb_v128 wb_i8x16_neg(wb_v128 a) {
  return wb_v128_const(wb_i8x4_neg(a[0]), wb_i8x4_neg(a[1]), wb_i8x4_neg(a[2]), wb_i8x4_neg(a[3]));
}
static inline wb_v128 wb_i8x16_abs(wb_v128 a) {
  return wb_v128_const(wb_i8x4_abs(a[0]), wb_i8x4_abs(a[1]), wb_i8x4_abs(a[2]), wb_i8x4_abs(a[3]));
}
static inline wb_v128 wb_i8x16_popcnt(wb_v128 a) {
  return wb_v128_const(wb_i8x4_popcnt(a[0]), wb_i8x4_popcnt(a[1]), wb_i8x4_popcnt(a[2]),
                       wb_i8x4_popcnt(a[3]));
}
static inline wb_v128 wb_i8x16_shl(wb_v128 a, uint n) {
  return wb_v128_const(wb_i8x4_shl(a[0], n), wb_i8x4_shl(a[1], n), wb_i8x4_shl(a[2], n),
                       wb_i8x4_shl(a[3], n));
}
static inline wb_v128 wb_i8x16_shr_s(wb_v128 a, uint n) {
  return wb_v128_const(wb_i8x4_shr_s(a[0], n), wb_i8x4_shr_s(a[1], n), wb_i8x4_shr_s(a[2], n),
                       wb_i8x4_shr_s(a[3], n));
}
static inline wb_v128 wb_i8x16_shr_u(wb_v128 a, uint n) {
  return wb_v128_const(wb_i8x4_shr_u(a[0], n), wb_i8x4_shr_u(a[1], n), wb_i8x4_shr_u(a[2], n),
                       wb_i8x4_shr_u(a[3], n));
}
static inline uint wb_i8x16_all_true(wb_v128 a) {
  uint zero =
      wb_i8x4_eq(a[0], 0u) | wb_i8x4_eq(a[1], 0u) | wb_i8x4_eq(a[2], 0u) | wb_i8x4_eq(a[3], 0u);
  return (uint)(zero == 0u);
}
static inline uint wb_i8x16_bitmask(wb_v128 a) {
  return wb_i8x4_bitmask(a[0]) | (wb_i8x4_bitmask(a[1]) << 4u) | (wb_i8x4_bitmask(a[2]) << 8u) |
         (wb_i8x4_bitmask(a[3]) << 12u);
}
