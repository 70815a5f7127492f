// ---- floats: metal, conversions to integers. For each: the range within which truncation fits,
// the trap, the value (0 outside the range: the check or the saturating form comes first) and the
// saturating value.

// The whole part of |a| < 2^64.
static inline ulong wb_f32_whole(wb_f32 a) {
  uint e = (a >> 23u) & 0xffu;
  ulong m = (ulong)((a << 8u) | 0x80000000u) << 32u;
  return e < 127u ? 0ul : m >> ((190u - e) & 63u);
}
static inline ulong wb_f64_whole(wb_f64 a) {
  uint e = (uint)(a >> 52u) & 0x7ffu;
  ulong m = (a << 11u) | 0x8000000000000000ul;
  return e < 1023u ? 0ul : m >> ((1086u - e) & 63u);
}
static inline uint wb_trunc_check(bool nan, bool fits) {
  uint trap = nan ? WB_TRAP_INVALID_CONVERSION : WB_TRAP_INTEGER_OVERFLOW;
  return fits ? 0u : trap;
}

static inline bool wb_i32_trunc_f32_s_fits(wb_f32 a) {
  return wb_f32_magnitude(a) < 0x4f000000u || a == 0xcf000000u;
}
static inline uint wb_i32_trunc_f32_s_check(wb_f32 a) {
  return wb_trunc_check(wb_f32_is_nan(a), wb_i32_trunc_f32_s_fits(a));
}
static inline uint wb_i32_trunc_f32_s(wb_f32 a) {
  return wb_i32_trunc_f32_s_fits(a) ? as_type<uint>((int)wb_f32_float(a)) : 0u;
}
static inline uint wb_i32_trunc_sat_f32_s(wb_f32 a) {
  if (wb_i32_trunc_f32_s_fits(a)) {
    return wb_i32_trunc_f32_s(a);
  }
  uint v = (a & WB_F32_SIGN) != 0u ? 0x80000000u : 0x7fffffffu;
  return wb_f32_is_nan(a) ? 0u : v;
}

static inline bool wb_i32_trunc_f32_u_fits(wb_f32 a) {
  return wb_f32_magnitude(a) < ((a & WB_F32_SIGN) != 0u ? 0x3f800000u : 0x4f800000u);
}
static inline uint wb_i32_trunc_f32_u_check(wb_f32 a) {
  return wb_trunc_check(wb_f32_is_nan(a), wb_i32_trunc_f32_u_fits(a));
}
static inline uint wb_i32_trunc_f32_u(wb_f32 a) {
  return wb_i32_trunc_f32_u_fits(a) ? (uint)wb_f32_float(a) : 0u;
}
static inline uint wb_i32_trunc_sat_f32_u(wb_f32 a) {
  if (wb_i32_trunc_f32_u_fits(a)) {
    return wb_i32_trunc_f32_u(a);
  }
  uint v = (a & WB_F32_SIGN) != 0u ? 0u : 0xffffffffu;
  return wb_f32_is_nan(a) ? 0u : v;
}

static inline bool wb_i64_trunc_f32_s_fits(wb_f32 a) {
  return wb_f32_magnitude(a) < 0x5f000000u || a == 0xdf000000u;
}
static inline uint wb_i64_trunc_f32_s_check(wb_f32 a) {
  return wb_trunc_check(wb_f32_is_nan(a), wb_i64_trunc_f32_s_fits(a));
}
static inline ulong wb_i64_trunc_f32_s(wb_f32 a) {
  ulong v = wb_i64_trunc_f32_s_fits(a) ? wb_f32_whole(a) : 0ul;
  return (a & WB_F32_SIGN) != 0u ? 0ul - v : v;
}
static inline ulong wb_i64_trunc_sat_f32_s(wb_f32 a) {
  if (wb_i64_trunc_f32_s_fits(a)) {
    return wb_i64_trunc_f32_s(a);
  }
  ulong v = (a & WB_F32_SIGN) != 0u ? 0x8000000000000000ul : 0x7ffffffffffffffful;
  return wb_f32_is_nan(a) ? 0ul : v;
}

static inline bool wb_i64_trunc_f32_u_fits(wb_f32 a) {
  return wb_f32_magnitude(a) < ((a & WB_F32_SIGN) != 0u ? 0x3f800000u : 0x5f800000u);
}
static inline uint wb_i64_trunc_f32_u_check(wb_f32 a) {
  return wb_trunc_check(wb_f32_is_nan(a), wb_i64_trunc_f32_u_fits(a));
}
static inline ulong wb_i64_trunc_f32_u(wb_f32 a) {
  return wb_i64_trunc_f32_u_fits(a) ? wb_f32_whole(a) : 0ul;
}
static inline ulong wb_i64_trunc_sat_f32_u(wb_f32 a) {
  if (wb_i64_trunc_f32_u_fits(a)) {
    return wb_i64_trunc_f32_u(a);
  }
  ulong v = (a & WB_F32_SIGN) != 0u ? 0ul : 0xfffffffffffffffful;
  return wb_f32_is_nan(a) ? 0ul : v;
}

static inline bool wb_i32_trunc_f64_s_fits(wb_f64 a) {
  ulong below = wb_f64_sign(a) != 0u ? 0x41e0000000200000ul : 0x41e0000000000000ul;
  return wb_f64_magnitude(a) < below;
}
static inline uint wb_i32_trunc_f64_s_check(wb_f64 a) {
  return wb_trunc_check(wb_f64_is_nan(a), wb_i32_trunc_f64_s_fits(a));
}
static inline uint wb_i32_trunc_f64_s(wb_f64 a) {
  uint v = wb_i32_trunc_f64_s_fits(a) ? (uint)wb_f64_whole(a) : 0u;
  return wb_f64_sign(a) != 0u ? 0u - v : v;
}
static inline uint wb_i32_trunc_sat_f64_s(wb_f64 a) {
  if (wb_i32_trunc_f64_s_fits(a)) {
    return wb_i32_trunc_f64_s(a);
  }
  uint v = wb_f64_sign(a) != 0u ? 0x80000000u : 0x7fffffffu;
  return wb_f64_is_nan(a) ? 0u : v;
}

static inline bool wb_i32_trunc_f64_u_fits(wb_f64 a) {
  return wb_f64_magnitude(a) < (wb_f64_sign(a) != 0u ? 0x3ff0000000000000ul : 0x41f0000000000000ul);
}
static inline uint wb_i32_trunc_f64_u_check(wb_f64 a) {
  return wb_trunc_check(wb_f64_is_nan(a), wb_i32_trunc_f64_u_fits(a));
}
static inline uint wb_i32_trunc_f64_u(wb_f64 a) {
  return wb_i32_trunc_f64_u_fits(a) ? (uint)wb_f64_whole(a) : 0u;
}
static inline uint wb_i32_trunc_sat_f64_u(wb_f64 a) {
  if (wb_i32_trunc_f64_u_fits(a)) {
    return wb_i32_trunc_f64_u(a);
  }
  uint v = wb_f64_sign(a) != 0u ? 0u : 0xffffffffu;
  return wb_f64_is_nan(a) ? 0u : v;
}

static inline bool wb_i64_trunc_f64_s_fits(wb_f64 a) {
  return wb_f64_magnitude(a) < 0x43e0000000000000ul || a == 0xc3e0000000000000ul;
}
static inline uint wb_i64_trunc_f64_s_check(wb_f64 a) {
  return wb_trunc_check(wb_f64_is_nan(a), wb_i64_trunc_f64_s_fits(a));
}
static inline ulong wb_i64_trunc_f64_s(wb_f64 a) {
  ulong v = wb_i64_trunc_f64_s_fits(a) ? wb_f64_whole(a) : 0ul;
  return wb_f64_sign(a) != 0u ? 0ul - v : v;
}
static inline ulong wb_i64_trunc_sat_f64_s(wb_f64 a) {
  if (wb_i64_trunc_f64_s_fits(a)) {
    return wb_i64_trunc_f64_s(a);
  }
  ulong v = wb_f64_sign(a) != 0u ? 0x8000000000000000ul : 0x7ffffffffffffffful;
  return wb_f64_is_nan(a) ? 0ul : v;
}

static inline bool wb_i64_trunc_f64_u_fits(wb_f64 a) {
  return wb_f64_magnitude(a) < (wb_f64_sign(a) != 0u ? 0x3ff0000000000000ul : 0x43f0000000000000ul);
}
static inline uint wb_i64_trunc_f64_u_check(wb_f64 a) {
  return wb_trunc_check(wb_f64_is_nan(a), wb_i64_trunc_f64_u_fits(a));
}
static inline ulong wb_i64_trunc_f64_u(wb_f64 a) {
  return wb_i64_trunc_f64_u_fits(a) ? wb_f64_whole(a) : 0ul;
}
static inline ulong wb_i64_trunc_sat_f64_u(wb_f64 a) {
  if (wb_i64_trunc_f64_u_fits(a)) {
    return wb_i64_trunc_f64_u(a);
  }
  ulong v = wb_f64_sign(a) != 0u ? 0ul : 0xfffffffffffffffful;
  return wb_f64_is_nan(a) ? 0ul : v;
}
