// ---- floats: metal, conversions from integers and between f32 and f64.

// Conversions of 32 bits round to nearest even on every device and give no subnormals.
static inline wb_f32 wb_f32_convert_i32_s(uint a) {
  return as_type<uint>((float)as_type<int>(a));
}
static inline wb_f32 wb_f32_convert_i32_u(uint a) { return as_type<uint>((float)a); }
// By the 32 bits from the highest one down, the last of them also for all below it.
static inline wb_f32 wb_f32_convert_i64_u(ulong a) {
  if ((a >> 32u) == 0ul) {
    return wb_f32_convert_i32_u((uint)a);
  }
  uint up = metal::clz((uint)(a >> 32u));
  ulong m = a << up;
  uint top = (uint)(m >> 32u) | (uint)((uint)m != 0u);
  return as_type<uint>((float)top) + ((32u - up) << 23u);
}
static inline wb_f32 wb_f32_convert_i64_s(ulong a) {
  uint sign = (uint)(a >> 32u) & WB_F32_SIGN;
  return sign | wb_f32_convert_i64_u(sign != 0u ? 0ul - a : a);
}

static inline wb_f64 wb_f64_convert_i32_u(uint a) {
  if (a == 0u) {
    return 0ul;
  }
  uint up = metal::clz(a);
  return ((ulong)(1053u - up) << 52u) + ((ulong)a << (up + 21u));
}
static inline wb_f64 wb_f64_convert_i32_s(uint a) {
  ulong sign = (ulong)(a >> 31u) << 63u;
  return sign | wb_f64_convert_i32_u(sign != 0ul ? 0u - a : a);
}
static inline wb_f64 wb_f64_convert_i64_u(ulong a) {
  if (a == 0ul) {
    return 0ul;
  }
  uint up = (uint)wb_i64_clz(a);
  ulong m = a << (up & 63u);
  return wb_f64_round((1085u - up) << 20u, (m >> 1u) | (m & 1ul));
}
static inline wb_f64 wb_f64_convert_i64_s(ulong a) {
  ulong sign = a & WB_F64_SIGN;
  return sign | wb_f64_convert_i64_u(sign != 0ul ? 0ul - a : a);
}

static inline wb_f32 wb_f32_demote_f64(wb_f64 a) {
  if (wb_f64_is_nan(a)) {
    return WB_F32_NAN;
  }
  int e = (int)((uint)(a >> 52u) & 0x7ffu) - 896;
  ulong m = (a << 11u) | 0x8000000000000000ul;
  uint sign = wb_f64_sign(a) << 31u;
  return wb_f32_pack(sign, e, (uint)(m >> 32u) | (uint)((uint)m != 0u));
}
static inline wb_f64 wb_f64_promote_f32(wb_f32 a) {
  ulong sign = (ulong)(a & WB_F32_SIGN) << 32u;
  ulong x = (ulong)wb_f32_magnitude(a);
  if (x >= 0x7f800000ul) {
    return x > 0x7f800000ul ? WB_F64_NAN : sign | WB_F64_INFINITY;
  }
  if (x < 0x00800000ul) {
    wb_f64 v = wb_f64_convert_i32_u((uint)x);
    return sign | (x != 0ul ? v - (149ul << 52u) : 0ul);
  }
  return sign | ((x << 29u) + (896ul << 52u));
}
