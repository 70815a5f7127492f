// ---- vectors of f64, as those of f32; and conversions of float lanes.

static inline ulong wb_f64_lane_eq(ulong a, ulong b) {
  return wb_i64_mask(wb_f64_eq(wb_f64_in(a), wb_f64_in(b)));
}
static inline wb_v128 wb_f64x2_eq(wb_v128 a, wb_v128 b) {
  return wb_i64x2(wb_f64_lane_eq(wb_low(a), wb_low(b)), wb_f64_lane_eq(wb_high(a), wb_high(b)));
}
static inline ulong wb_f64_lane_ne(ulong a, ulong b) {
  return wb_i64_mask(wb_f64_ne(wb_f64_in(a), wb_f64_in(b)));
}
static inline wb_v128 wb_f64x2_ne(wb_v128 a, wb_v128 b) {
  return wb_i64x2(wb_f64_lane_ne(wb_low(a), wb_low(b)), wb_f64_lane_ne(wb_high(a), wb_high(b)));
}
static inline ulong wb_f64_lane_lt(ulong a, ulong b) {
  return wb_i64_mask(wb_f64_lt(wb_f64_in(a), wb_f64_in(b)));
}
static inline wb_v128 wb_f64x2_lt(wb_v128 a, wb_v128 b) {
  return wb_i64x2(wb_f64_lane_lt(wb_low(a), wb_low(b)), wb_f64_lane_lt(wb_high(a), wb_high(b)));
}
static inline ulong wb_f64_lane_gt(ulong a, ulong b) {
  return wb_i64_mask(wb_f64_gt(wb_f64_in(a), wb_f64_in(b)));
}
static inline wb_v128 wb_f64x2_gt(wb_v128 a, wb_v128 b) {
  return wb_i64x2(wb_f64_lane_gt(wb_low(a), wb_low(b)), wb_f64_lane_gt(wb_high(a), wb_high(b)));
}
static inline ulong wb_f64_lane_le(ulong a, ulong b) {
  return wb_i64_mask(wb_f64_le(wb_f64_in(a), wb_f64_in(b)));
}
static inline wb_v128 wb_f64x2_le(wb_v128 a, wb_v128 b) {
  return wb_i64x2(wb_f64_lane_le(wb_low(a), wb_low(b)), wb_f64_lane_le(wb_high(a), wb_high(b)));
}
static inline ulong wb_f64_lane_ge(ulong a, ulong b) {
  return wb_i64_mask(wb_f64_ge(wb_f64_in(a), wb_f64_in(b)));
}
static inline wb_v128 wb_f64x2_ge(wb_v128 a, wb_v128 b) {
  return wb_i64x2(wb_f64_lane_ge(wb_low(a), wb_low(b)), wb_f64_lane_ge(wb_high(a), wb_high(b)));
}
static inline ulong wb_f64_lane_add(ulong a, ulong b) {
  return wb_f64_out(wb_f64_add(wb_f64_in(a), wb_f64_in(b)));
}
static inline wb_v128 wb_f64x2_add(wb_v128 a, wb_v128 b) {
  return wb_i64x2(wb_f64_lane_add(wb_low(a), wb_low(b)), wb_f64_lane_add(wb_high(a), wb_high(b)));
}
static inline ulong wb_f64_lane_sub(ulong a, ulong b) {
  return wb_f64_out(wb_f64_sub(wb_f64_in(a), wb_f64_in(b)));
}
static inline wb_v128 wb_f64x2_sub(wb_v128 a, wb_v128 b) {
  return wb_i64x2(wb_f64_lane_sub(wb_low(a), wb_low(b)), wb_f64_lane_sub(wb_high(a), wb_high(b)));
}
static inline ulong wb_f64_lane_mul(ulong a, ulong b) {
  return wb_f64_out(wb_f64_mul(wb_f64_in(a), wb_f64_in(b)));
}
static inline wb_v128 wb_f64x2_mul(wb_v128 a, wb_v128 b) {
  return wb_i64x2(wb_f64_lane_mul(wb_low(a), wb_low(b)), wb_f64_lane_mul(wb_high(a), wb_high(b)));
}
static inline ulong wb_f64_lane_div(ulong a, ulong b) {
  return wb_f64_out(wb_f64_div(wb_f64_in(a), wb_f64_in(b)));
}
static inline wb_v128 wb_f64x2_div(wb_v128 a, wb_v128 b) {
  return wb_i64x2(wb_f64_lane_div(wb_low(a), wb_low(b)), wb_f64_lane_div(wb_high(a), wb_high(b)));
}
static inline ulong wb_f64_lane_min(ulong a, ulong b) {
  return wb_f64_out(wb_f64_min(wb_f64_in(a), wb_f64_in(b)));
}
static inline wb_v128 wb_f64x2_min(wb_v128 a, wb_v128 b) {
  return wb_i64x2(wb_f64_lane_min(wb_low(a), wb_low(b)), wb_f64_lane_min(wb_high(a), wb_high(b)));
}
static inline ulong wb_f64_lane_max(ulong a, ulong b) {
  return wb_f64_out(wb_f64_max(wb_f64_in(a), wb_f64_in(b)));
}
static inline wb_v128 wb_f64x2_max(wb_v128 a, wb_v128 b) {
  return wb_i64x2(wb_f64_lane_max(wb_low(a), wb_low(b)), wb_f64_lane_max(wb_high(a), wb_high(b)));
}
static inline ulong wb_f64_lane_sqrt(ulong a) { return wb_f64_out(wb_f64_sqrt(wb_f64_in(a))); }
static inline wb_v128 wb_f64x2_sqrt(wb_v128 a) {
  return wb_i64x2(wb_f64_lane_sqrt(wb_low(a)), wb_f64_lane_sqrt(wb_high(a)));
}
static inline ulong wb_f64_lane_ceil(ulong a) { return wb_f64_out(wb_f64_ceil(wb_f64_in(a))); }
static inline wb_v128 wb_f64x2_ceil(wb_v128 a) {
  return wb_i64x2(wb_f64_lane_ceil(wb_low(a)), wb_f64_lane_ceil(wb_high(a)));
}
static inline ulong wb_f64_lane_floor(ulong a) { return wb_f64_out(wb_f64_floor(wb_f64_in(a))); }
static inline wb_v128 wb_f64x2_floor(wb_v128 a) {
  return wb_i64x2(wb_f64_lane_floor(wb_low(a)), wb_f64_lane_floor(wb_high(a)));
}
static inline ulong wb_f64_lane_trunc(ulong a) { return wb_f64_out(wb_f64_trunc(wb_f64_in(a))); }
static inline wb_v128 wb_f64x2_trunc(wb_v128 a) {
  return wb_i64x2(wb_f64_lane_trunc(wb_low(a)), wb_f64_lane_trunc(wb_high(a)));
}
static inline ulong wb_f64_lane_nearest(ulong a) {
  return wb_f64_out(wb_f64_nearest(wb_f64_in(a)));
}
static inline wb_v128 wb_f64x2_nearest(wb_v128 a) {
  return wb_i64x2(wb_f64_lane_nearest(wb_low(a)), wb_f64_lane_nearest(wb_high(a)));
}
// Bits are moved or changed, NaNs kept.
static inline ulong wb_f64_lane_neg(ulong a) { return a ^ 0x8000000000000000ul; }
static inline wb_v128 wb_f64x2_neg(wb_v128 a) {
  return wb_i64x2(wb_f64_lane_neg(wb_low(a)), wb_f64_lane_neg(wb_high(a)));
}
static inline ulong wb_f64_lane_abs(ulong a) { return a & 0x7ffffffffffffffful; }
static inline wb_v128 wb_f64x2_abs(wb_v128 a) {
  return wb_i64x2(wb_f64_lane_abs(wb_low(a)), wb_f64_lane_abs(wb_high(a)));
}
static inline ulong wb_f64_lane_pmin(ulong a, ulong b) {
  return wb_f64_lt(wb_f64_in(b), wb_f64_in(a)) != 0u ? b : a;
}
static inline wb_v128 wb_f64x2_pmin(wb_v128 a, wb_v128 b) {
  return wb_i64x2(wb_f64_lane_pmin(wb_low(a), wb_low(b)), wb_f64_lane_pmin(wb_high(a), wb_high(b)));
}
static inline ulong wb_f64_lane_pmax(ulong a, ulong b) {
  return wb_f64_lt(wb_f64_in(a), wb_f64_in(b)) != 0u ? b : a;
}
static inline wb_v128 wb_f64x2_pmax(wb_v128 a, wb_v128 b) {
  return wb_i64x2(wb_f64_lane_pmax(wb_low(a), wb_low(b)), wb_f64_lane_pmax(wb_high(a), wb_high(b)));
}

static inline uint wb_lane_convert_s(uint a) {
  return wb_i32_reinterpret_f32(wb_f32_convert_i32_s(a));
}
static inline wb_v128 wb_f32x4_convert_i32x4_s(wb_v128 a) {
  return wb_v128_const(wb_lane_convert_s(a[0]), wb_lane_convert_s(a[1]), wb_lane_convert_s(a[2]),
                       wb_lane_convert_s(a[3]));
}
static inline ulong wb_lane_convert_low_s(uint a) {
  return wb_i64_reinterpret_f64(wb_f64_convert_i32_s(a));
}
static inline wb_v128 wb_f64x2_convert_low_i32x4_s(wb_v128 a) {
  return wb_i64x2(wb_lane_convert_low_s(a[0]), wb_lane_convert_low_s(a[1]));
}
static inline uint wb_lane_trunc_f32_s(uint a) { return wb_i32_trunc_sat_f32_s(wb_f32_in(a)); }
static inline wb_v128 wb_i32x4_trunc_sat_f32x4_s(wb_v128 a) {
  return wb_v128_const(wb_lane_trunc_f32_s(a[0]), wb_lane_trunc_f32_s(a[1]),
                       wb_lane_trunc_f32_s(a[2]), wb_lane_trunc_f32_s(a[3]));
}
static inline uint wb_lane_trunc_f64_s(ulong a) { return wb_i32_trunc_sat_f64_s(wb_f64_in(a)); }
static inline wb_v128 wb_i32x4_trunc_sat_f64x2_s_zero(wb_v128 a) {
  return wb_v128_const(wb_lane_trunc_f64_s(wb_low(a)), wb_lane_trunc_f64_s(wb_high(a)), 0u, 0u);
}
static inline uint wb_lane_convert_u(uint a) {
  return wb_i32_reinterpret_f32(wb_f32_convert_i32_u(a));
}
static inline wb_v128 wb_f32x4_convert_i32x4_u(wb_v128 a) {
  return wb_v128_const(wb_lane_convert_u(a[0]), wb_lane_convert_u(a[1]), wb_lane_convert_u(a[2]),
                       wb_lane_convert_u(a[3]));
}
static inline ulong wb_lane_convert_low_u(uint a) {
  return wb_i64_reinterpret_f64(wb_f64_convert_i32_u(a));
}
static inline wb_v128 wb_f64x2_convert_low_i32x4_u(wb_v128 a) {
  return wb_i64x2(wb_lane_convert_low_u(a[0]), wb_lane_convert_low_u(a[1]));
}
static inline uint wb_lane_trunc_f32_u(uint a) { return wb_i32_trunc_sat_f32_u(wb_f32_in(a)); }
static inline wb_v128 wb_i32x4_trunc_sat_f32x4_u(wb_v128 a) {
  return wb_v128_const(wb_lane_trunc_f32_u(a[0]), wb_lane_trunc_f32_u(a[1]),
                       wb_lane_trunc_f32_u(a[2]), wb_lane_trunc_f32_u(a[3]));
}
static inline uint wb_lane_trunc_f64_u(ulong a) { return wb_i32_trunc_sat_f64_u(wb_f64_in(a)); }
static inline wb_v128 wb_i32x4_trunc_sat_f64x2_u_zero(wb_v128 a) {
  return wb_v128_const(wb_lane_trunc_f64_u(wb_low(a)), wb_lane_trunc_f64_u(wb_high(a)), 0u, 0u);
}
static inline wb_v128 wb_f32x4_demote_f64x2_zero(wb_v128 a) {
  return wb_v128_const(wb_f32_out(wb_f32_demote_f64(wb_f64_in(wb_low(a)))),
                       wb_f32_out(wb_f32_demote_f64(wb_f64_in(wb_high(a)))), 0u, 0u);
}
static inline wb_v128 wb_f64x2_promote_low_f32x4(wb_v128 a) {
  return wb_i64x2(wb_f64_out(wb_f64_promote_f32(wb_f32_in(a[0]))),
                  wb_f64_out(wb_f64_promote_f32(wb_f32_in(a[1]))));
}
