// ---- floats: metal, rounding to integral values. The device's f32 roundings are exact; what they
// make of subnormals and of a zero's sign is put right. f64 works on bits.

static inline wb_f32 wb_f32_trunc(wb_f32 a) {
  return as_type<uint>(metal::trunc(wb_f32_float(a))) | (a & WB_F32_SIGN);
}
static inline wb_f32 wb_f32_nearest(wb_f32 a) {
  return as_type<uint>(metal::rint(wb_f32_float(a))) | (a & WB_F32_SIGN);
}
static inline wb_f32 wb_f32_floor(wb_f32 a) {
  if (a - 0x80000001u < 0x007fffffu) {
    return 0xbf800000u;  // a negative subnormal: -1
  }
  return as_type<uint>(metal::floor(wb_f32_float(a))) | (a & WB_F32_SIGN);
}
static inline wb_f32 wb_f32_ceil(wb_f32 a) {
  if (a - 1u < 0x007fffffu) {
    return 0x3f800000u;  // a positive subnormal: 1
  }
  return as_type<uint>(metal::ceil(wb_f32_float(a))) | (a & WB_F32_SIGN);
}

// The bits of |a| >= 1 that stand behind the binary point; none from 2^52 on.
static inline ulong wb_f64_fraction(wb_f64 a) {
  uint whole = ((uint)(a >> 52u) & 0x7ffu) - 1023u;
  return 0xffffffffffffful >> (whole < 52u ? whole : 52u);
}
static inline wb_f64 wb_f64_trunc(wb_f64 a) {
  if (wb_f64_magnitude(a) < 0x3ff0000000000000ul) {
    return a & WB_F64_SIGN;
  }
  return a & ~wb_f64_fraction(a);
}
// Away from zero where `away` is set: adding the fraction's mask carries into the whole part, and
// from there into the exponent as it should.
static inline wb_f64 wb_f64_integral(wb_f64 a, bool away) {
  if (wb_f64_magnitude(a) < 0x3ff0000000000000ul) {
    bool one = away && wb_f64_magnitude(a) != 0ul;
    return (a & WB_F64_SIGN) | (one ? 0x3ff0000000000000ul : 0ul);
  }
  ulong fraction = wb_f64_fraction(a);
  return (a + (away ? fraction : 0ul)) & ~fraction;
}
static inline wb_f64 wb_f64_floor(wb_f64 a) { return wb_f64_integral(a, wb_f64_sign(a) != 0u); }
static inline wb_f64 wb_f64_ceil(wb_f64 a) { return wb_f64_integral(a, wb_f64_sign(a) == 0u); }
static inline wb_f64 wb_f64_nearest(wb_f64 a) {
  ulong x = wb_f64_magnitude(a);
  if (x < 0x3ff0000000000000ul) {
    return (a & WB_F64_SIGN) | (x > 0x3fe0000000000000ul ? 0x3ff0000000000000ul : 0ul);
  }
  ulong fraction = wb_f64_fraction(a);
  if (fraction == 0ul) {
    return a;
  }
  // The lowest whole bit decides ties; that of 1.x is the exponent's lowest bit, which is set.
  ulong odd = (ulong)((a & (fraction + 1ul)) != 0ul);
  return (a + (fraction >> 1u) + odd) & ~fraction;
}
