// ---- vectors of floats, lane by lane through the operators of single ones. A lane can be read as
// an integer at any time, so an arithmetic result that is NaN is canonical at once.

static inline wb_f32 wb_f32_in(uint a) { return wb_f32_reinterpret_i32(a); }
static inline uint wb_f32_out(wb_f32 a) { return wb_i32_reinterpret_f32(wb_f32_canon(a)); }
static inline wb_f64 wb_f64_in(ulong a) { return wb_f64_reinterpret_i64(a); }
static inline ulong wb_f64_out(wb_f64 a) { return wb_i64_reinterpret_f64(wb_f64_canon(a)); }

static inline uint wb_f32_lane_eq(uint a, uint b) {
  return 0u - wb_f32_eq(wb_f32_in(a), wb_f32_in(b));
}
static inline wb_v128 wb_f32x4_eq(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_f32_lane_eq(a[0], b[0]), wb_f32_lane_eq(a[1], b[1]),
                       wb_f32_lane_eq(a[2], b[2]), wb_f32_lane_eq(a[3], b[3]));
}
static inline uint wb_f32_lane_ne(uint a, uint b) {
  return 0u - wb_f32_ne(wb_f32_in(a), wb_f32_in(b));
}
static inline wb_v128 wb_f32x4_ne(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_f32_lane_ne(a[0], b[0]), wb_f32_lane_ne(a[1], b[1]),
                       wb_f32_lane_ne(a[2], b[2]), wb_f32_lane_ne(a[3], b[3]));
}
static inline uint wb_f32_lane_lt(uint a, uint b) {
  return 0u - wb_f32_lt(wb_f32_in(a), wb_f32_in(b));
}
static inline wb_v128 wb_f32x4_lt(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_f32_lane_lt(a[0], b[0]), wb_f32_lane_lt(a[1], b[1]),
                       wb_f32_lane_lt(a[2], b[2]), wb_f32_lane_lt(a[3], b[3]));
}
static inline uint wb_f32_lane_gt(uint a, uint b) {
  return 0u - wb_f32_gt(wb_f32_in(a), wb_f32_in(b));
}
static inline wb_v128 wb_f32x4_gt(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_f32_lane_gt(a[0], b[0]), wb_f32_lane_gt(a[1], b[1]),
                       wb_f32_lane_gt(a[2], b[2]), wb_f32_lane_gt(a[3], b[3]));
}
static inline uint wb_f32_lane_le(uint a, uint b) {
  return 0u - wb_f32_le(wb_f32_in(a), wb_f32_in(b));
}
static inline wb_v128 wb_f32x4_le(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_f32_lane_le(a[0], b[0]), wb_f32_lane_le(a[1], b[1]),
                       wb_f32_lane_le(a[2], b[2]), wb_f32_lane_le(a[3], b[3]));
}
static inline uint wb_f32_lane_ge(uint a, uint b) {
  return 0u - wb_f32_ge(wb_f32_in(a), wb_f32_in(b));
}
static inline wb_v128 wb_f32x4_ge(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_f32_lane_ge(a[0], b[0]), wb_f32_lane_ge(a[1], b[1]),
                       wb_f32_lane_ge(a[2], b[2]), wb_f32_lane_ge(a[3], b[3]));
}
static inline uint wb_f32_lane_add(uint a, uint b) {
  return wb_f32_out(wb_f32_add(wb_f32_in(a), wb_f32_in(b)));
}
static inline wb_v128 wb_f32x4_add(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_f32_lane_add(a[0], b[0]), wb_f32_lane_add(a[1], b[1]),
                       wb_f32_lane_add(a[2], b[2]), wb_f32_lane_add(a[3], b[3]));
}
static inline uint wb_f32_lane_sub(uint a, uint b) {
  return wb_f32_out(wb_f32_sub(wb_f32_in(a), wb_f32_in(b)));
}
static inline wb_v128 wb_f32x4_sub(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_f32_lane_sub(a[0], b[0]), wb_f32_lane_sub(a[1], b[1]),
                       wb_f32_lane_sub(a[2], b[2]), wb_f32_lane_sub(a[3], b[3]));
}
static inline uint wb_f32_lane_mul(uint a, uint b) {
  return wb_f32_out(wb_f32_mul(wb_f32_in(a), wb_f32_in(b)));
}
static inline wb_v128 wb_f32x4_mul(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_f32_lane_mul(a[0], b[0]), wb_f32_lane_mul(a[1], b[1]),
                       wb_f32_lane_mul(a[2], b[2]), wb_f32_lane_mul(a[3], b[3]));
}
static inline uint wb_f32_lane_div(uint a, uint b) {
  return wb_f32_out(wb_f32_div(wb_f32_in(a), wb_f32_in(b)));
}
static inline wb_v128 wb_f32x4_div(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_f32_lane_div(a[0], b[0]), wb_f32_lane_div(a[1], b[1]),
                       wb_f32_lane_div(a[2], b[2]), wb_f32_lane_div(a[3], b[3]));
}
static inline uint wb_f32_lane_min(uint a, uint b) {
  return wb_f32_out(wb_f32_min(wb_f32_in(a), wb_f32_in(b)));
}
static inline wb_v128 wb_f32x4_min(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_f32_lane_min(a[0], b[0]), wb_f32_lane_min(a[1], b[1]),
                       wb_f32_lane_min(a[2], b[2]), wb_f32_lane_min(a[3], b[3]));
}
static inline uint wb_f32_lane_max(uint a, uint b) {
  return wb_f32_out(wb_f32_max(wb_f32_in(a), wb_f32_in(b)));
}
static inline wb_v128 wb_f32x4_max(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_f32_lane_max(a[0], b[0]), wb_f32_lane_max(a[1], b[1]),
                       wb_f32_lane_max(a[2], b[2]), wb_f32_lane_max(a[3], b[3]));
}
static inline uint wb_f32_lane_sqrt(uint a) { return wb_f32_out(wb_f32_sqrt(wb_f32_in(a))); }
static inline wb_v128 wb_f32x4_sqrt(wb_v128 a) {
  return wb_v128_const(wb_f32_lane_sqrt(a[0]), wb_f32_lane_sqrt(a[1]), wb_f32_lane_sqrt(a[2]),
                       wb_f32_lane_sqrt(a[3]));
}
static inline uint wb_f32_lane_ceil(uint a) { return wb_f32_out(wb_f32_ceil(wb_f32_in(a))); }
static inline wb_v128 wb_f32x4_ceil(wb_v128 a) {
  return wb_v128_const(wb_f32_lane_ceil(a[0]), wb_f32_lane_ceil(a[1]), wb_f32_lane_ceil(a[2]),
                       wb_f32_lane_ceil(a[3]));
}
static inline uint wb_f32_lane_floor(uint a) { return wb_f32_out(wb_f32_floor(wb_f32_in(a))); }
static inline wb_v128 wb_f32x4_floor(wb_v128 a) {
  return wb_v128_const(wb_f32_lane_floor(a[0]), wb_f32_lane_floor(a[1]), wb_f32_lane_floor(a[2]),
                       wb_f32_lane_floor(a[3]));
}
static inline uint wb_f32_lane_trunc(uint a) { return wb_f32_out(wb_f32_trunc(wb_f32_in(a))); }
static inline wb_v128 wb_f32x4_trunc(wb_v128 a) {
  return wb_v128_const(wb_f32_lane_trunc(a[0]), wb_f32_lane_trunc(a[1]), wb_f32_lane_trunc(a[2]),
                       wb_f32_lane_trunc(a[3]));
}
static inline uint wb_f32_lane_nearest(uint a) { return wb_f32_out(wb_f32_nearest(wb_f32_in(a))); }
static inline wb_v128 wb_f32x4_nearest(wb_v128 a) {
  return wb_v128_const(wb_f32_lane_nearest(a[0]), wb_f32_lane_nearest(a[1]),
                       wb_f32_lane_nearest(a[2]), wb_f32_lane_nearest(a[3]));
}
// Bits are moved or changed, NaNs kept.
static inline uint wb_f32_lane_neg(uint a) { return a ^ 0x80000000u; }
static inline wb_v128 wb_f32x4_neg(wb_v128 a) {
  return wb_v128_const(wb_f32_lane_neg(a[0]), wb_f32_lane_neg(a[1]), wb_f32_lane_neg(a[2]),
                       wb_f32_lane_neg(a[3]));
}
static inline uint wb_f32_lane_abs(uint a) { return a & 0x7fffffffu; }
static inline wb_v128 wb_f32x4_abs(wb_v128 a) {
  return wb_v128_const(wb_f32_lane_abs(a[0]), wb_f32_lane_abs(a[1]), wb_f32_lane_abs(a[2]),
                       wb_f32_lane_abs(a[3]));
}
static inline uint wb_f32_lane_pmin(uint a, uint b) {
  return wb_f32_lt(wb_f32_in(b), wb_f32_in(a)) != 0u ? b : a;
}
static inline wb_v128 wb_f32x4_pmin(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_f32_lane_pmin(a[0], b[0]), wb_f32_lane_pmin(a[1], b[1]),
                       wb_f32_lane_pmin(a[2], b[2]), wb_f32_lane_pmin(a[3], b[3]));
}
static inline uint wb_f32_lane_pmax(uint a, uint b) {
  return wb_f32_lt(wb_f32_in(a), wb_f32_in(b)) != 0u ? b : a;
}
static inline wb_v128 wb_f32x4_pmax(wb_v128 a, wb_v128 b) {
  return wb_v128_const(wb_f32_lane_pmax(a[0], b[0]), wb_f32_lane_pmax(a[1], b[1]),
                       wb_f32_lane_pmax(a[2], b[2]), wb_f32_lane_pmax(a[3], b[3]));
}
