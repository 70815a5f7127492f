// ---- floats: metal, comparisons, minima and maxima. f32 compares on the device's float, which is
// wrong only where both sides are zero or subnormal; all else compares bits.

static inline bool wb_f32_both_tiny(wb_f32 a, wb_f32 b) { return ((a | b) & 0x7f800000u) == 0u; }

// By sign and magnitude, -0 before +0; NaNs are the caller's affair.
static inline bool wb_f32_precedes(wb_f32 a, wb_f32 b) {
  bool less = as_type<int>(a) < as_type<int>(b);
  return (a & b & WB_F32_SIGN) != 0u ? as_type<int>(b) < as_type<int>(a) : less;
}
static inline bool wb_f32_any_nan(wb_f32 a, wb_f32 b) {
  float x = wb_f32_float(a);
  float y = wb_f32_float(b);
  return x != x || y != y;
}

static inline uint wb_f32_eq(wb_f32 a, wb_f32 b) {
  if (wb_f32_both_tiny(a, b)) {
    return (uint)(a == b || ((a | b) << 1u) == 0u);
  }
  return (uint)(wb_f32_float(a) == wb_f32_float(b));
}
static inline uint wb_f32_ne(wb_f32 a, wb_f32 b) { return wb_f32_eq(a, b) ^ 1u; }
static inline uint wb_f32_lt(wb_f32 a, wb_f32 b) {
  if (wb_f32_both_tiny(a, b)) {
    return (uint)(wb_f32_precedes(a, b) && ((a | b) << 1u) != 0u);
  }
  return (uint)(wb_f32_float(a) < wb_f32_float(b));
}
static inline uint wb_f32_le(wb_f32 a, wb_f32 b) {
  if (wb_f32_both_tiny(a, b)) {
    return (uint)(!wb_f32_precedes(b, a) || ((a | b) << 1u) == 0u);
  }
  return (uint)(wb_f32_float(a) <= wb_f32_float(b));
}
static inline uint wb_f32_gt(wb_f32 a, wb_f32 b) { return wb_f32_lt(b, a); }
static inline uint wb_f32_ge(wb_f32 a, wb_f32 b) { return wb_f32_le(b, a); }

static inline wb_f32 wb_f32_min(wb_f32 a, wb_f32 b) {
  wb_f32 r = wb_f32_precedes(b, a) ? b : a;
  return wb_f32_any_nan(a, b) ? WB_F32_NAN : r;
}
static inline wb_f32 wb_f32_max(wb_f32 a, wb_f32 b) {
  wb_f32 r = wb_f32_precedes(a, b) ? b : a;
  return wb_f32_any_nan(a, b) ? WB_F32_NAN : r;
}

static inline bool wb_f64_precedes(wb_f64 a, wb_f64 b) {
  bool less = as_type<long>(a) < as_type<long>(b);
  return ((a & b) >> 63u) != 0ul ? as_type<long>(b) < as_type<long>(a) : less;
}
static inline bool wb_f64_any_nan(wb_f64 a, wb_f64 b) {
  return wb_f64_is_nan(a) || wb_f64_is_nan(b);
}
static inline bool wb_f64_both_zero(wb_f64 a, wb_f64 b) { return ((a | b) << 1u) == 0ul; }

static inline uint wb_f64_eq(wb_f64 a, wb_f64 b) {
  return (uint)((a == b && !wb_f64_is_nan(a)) || wb_f64_both_zero(a, b));
}
static inline uint wb_f64_ne(wb_f64 a, wb_f64 b) { return wb_f64_eq(a, b) ^ 1u; }
static inline uint wb_f64_lt(wb_f64 a, wb_f64 b) {
  return (uint)(wb_f64_precedes(a, b) && !wb_f64_any_nan(a, b) && !wb_f64_both_zero(a, b));
}
static inline uint wb_f64_le(wb_f64 a, wb_f64 b) {
  return (uint)((!wb_f64_precedes(b, a) || wb_f64_both_zero(a, b)) && !wb_f64_any_nan(a, b));
}
static inline uint wb_f64_gt(wb_f64 a, wb_f64 b) { return wb_f64_lt(b, a); }
static inline uint wb_f64_ge(wb_f64 a, wb_f64 b) { return wb_f64_le(b, a); }

static inline wb_f64 wb_f64_min(wb_f64 a, wb_f64 b) {
  wb_f64 r = wb_f64_precedes(b, a) ? b : a;
  return wb_f64_any_nan(a, b) ? WB_F64_NAN : r;
}
static inline wb_f64 wb_f64_max(wb_f64 a, wb_f64 b) {
  wb_f64 r = wb_f64_precedes(a, b) ? b : a;
  return wb_f64_any_nan(a, b) ? WB_F64_NAN : r;
}
