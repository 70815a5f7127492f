// ---- floats: native. The device computes in IEEE 754 itself; wb_native_* come from the prelude.
// An arithmetic result that is NaN may be any NaN: the IR canonicalises where bits can be seen.
// abs, neg, copysign and moves work on bits and keep NaNs as they are.
typedef wb_native_f32 wb_f32;
typedef wb_native_f64 wb_f64;

static inline wb_f32 wb_f32_const(uint bits) { return as_type<wb_f32>(bits); }
static inline wb_f32 wb_f32_reinterpret_i32(uint a) { return as_type<wb_f32>(a); }
static inline uint wb_i32_reinterpret_f32(wb_f32 a) { return wb_hidden(as_type<uint>(a)); }
static inline wb_f32 wb_f32_canon(wb_f32 a) { return a == a ? a : wb_f32_const(0x7fc00000u); }
static inline wb_f32 wb_get_f32(wb_lane L, uint w) { return as_type<wb_f32>(wb_get(L, w)); }
static inline void wb_put_f32(wb_lane L, uint w, wb_f32 v) { wb_put(L, w, as_type<uint>(v)); }
static inline wb_f32 wb_f32_load(wb_mem M, uint a, ulong offset) {
  return as_type<wb_f32>(wb_peek32(M, (ulong)a + offset));
}
static inline void wb_f32_store(wb_mem M, uint a, ulong offset, wb_f32 v) {
  wb_poke32(M, (ulong)a + offset, as_type<uint>(v));
}

static inline uint wb_f32_eq(wb_f32 a, wb_f32 b) { return (uint)(a == b); }
static inline uint wb_f32_ne(wb_f32 a, wb_f32 b) { return (uint)(a != b); }
static inline uint wb_f32_lt(wb_f32 a, wb_f32 b) { return (uint)(a < b); }
static inline uint wb_f32_gt(wb_f32 a, wb_f32 b) { return (uint)(a > b); }
static inline uint wb_f32_le(wb_f32 a, wb_f32 b) { return (uint)(a <= b); }
static inline uint wb_f32_ge(wb_f32 a, wb_f32 b) { return (uint)(a >= b); }

static inline wb_f32 wb_f32_add(wb_f32 a, wb_f32 b) { return a + b; }
static inline wb_f32 wb_f32_sub(wb_f32 a, wb_f32 b) { return a - b; }
static inline wb_f32 wb_f32_mul(wb_f32 a, wb_f32 b) { return a * b; }
// Both rounded: nothing is contracted.
static inline wb_f32 wb_f32_mul_add(wb_f32 a, wb_f32 b, wb_f32 c) { return a * b + c; }
static inline wb_f32 wb_f32_mul_sub(wb_f32 a, wb_f32 b, wb_f32 c) { return a * b - c; }
static inline wb_f32 wb_f32_sub_mul(wb_f32 a, wb_f32 b, wb_f32 c) { return c - a * b; }
static inline wb_f32 wb_f32_div(wb_f32 a, wb_f32 b) { return a / b; }
static inline wb_f32 wb_f32_sqrt(wb_f32 a) { return wb_native_sqrt(a); }
static inline wb_f32 wb_f32_ceil(wb_f32 a) { return wb_native_ceil(a); }
static inline wb_f32 wb_f32_floor(wb_f32 a) { return wb_native_floor(a); }
static inline wb_f32 wb_f32_trunc(wb_f32 a) { return wb_native_trunc(a); }
static inline wb_f32 wb_f32_nearest(wb_f32 a) { return wb_native_rint(a); }
static inline wb_f32 wb_f32_abs(wb_f32 a) {
  return as_type<wb_f32>(as_type<uint>(a) & 0x7fffffffu);
}
static inline wb_f32 wb_f32_neg(wb_f32 a) {
  return as_type<wb_f32>(as_type<uint>(a) ^ 0x80000000u);
}
static inline wb_f32 wb_f32_copysign(wb_f32 a, wb_f32 b) {
  return as_type<wb_f32>((as_type<uint>(a) & 0x7fffffffu) | (as_type<uint>(b) & 0x80000000u));
}
// Each way round gives its second operand where the two are equal or not comparable, so the bits
// together are -0 if either is, and NaN if either is.
static inline wb_f32 wb_f32_min(wb_f32 a, wb_f32 b) {
  wb_f32 x = a < b ? a : b;
  wb_f32 y = b < a ? b : a;
  return as_type<wb_f32>(as_type<uint>(x) | as_type<uint>(y));
}
static inline wb_f32 wb_f32_max(wb_f32 a, wb_f32 b) {
  wb_f32 x = a > b ? a : b;
  wb_f32 y = b > a ? b : a;
  wb_f32 r = as_type<wb_f32>(as_type<uint>(x) & as_type<uint>(y));
  return a == a && b == b ? r : a + b;
}

static inline wb_f64 wb_f64_const(ulong bits) { return as_type<wb_f64>(bits); }
static inline wb_f64 wb_f64_reinterpret_i64(ulong a) { return as_type<wb_f64>(a); }
static inline ulong wb_i64_reinterpret_f64(wb_f64 a) { return as_type<ulong>(a); }
static inline wb_f64 wb_f64_canon(wb_f64 a) {
  return a == a ? a : wb_f64_const(0x7ff8000000000000ul);
}
static inline wb_f64 wb_get_f64(wb_lane L, uint w) { return as_type<wb_f64>(wb_get64(L, w)); }
static inline void wb_put_f64(wb_lane L, uint w, wb_f64 v) { wb_put64(L, w, as_type<ulong>(v)); }
static inline wb_f64 wb_f64_load(wb_mem M, uint a, ulong offset) {
  return as_type<wb_f64>(wb_peek64(M, (ulong)a + offset));
}
static inline void wb_f64_store(wb_mem M, uint a, ulong offset, wb_f64 v) {
  wb_poke64(M, (ulong)a + offset, as_type<ulong>(v));
}

static inline uint wb_f64_eq(wb_f64 a, wb_f64 b) { return (uint)(a == b); }
static inline uint wb_f64_ne(wb_f64 a, wb_f64 b) { return (uint)(a != b); }
static inline uint wb_f64_lt(wb_f64 a, wb_f64 b) { return (uint)(a < b); }
static inline uint wb_f64_gt(wb_f64 a, wb_f64 b) { return (uint)(a > b); }
static inline uint wb_f64_le(wb_f64 a, wb_f64 b) { return (uint)(a <= b); }
static inline uint wb_f64_ge(wb_f64 a, wb_f64 b) { return (uint)(a >= b); }

static inline wb_f64 wb_f64_add(wb_f64 a, wb_f64 b) { return a + b; }
static inline wb_f64 wb_f64_sub(wb_f64 a, wb_f64 b) { return a - b; }
static inline wb_f64 wb_f64_mul(wb_f64 a, wb_f64 b) { return a * b; }
static inline wb_f64 wb_f64_div(wb_f64 a, wb_f64 b) { return a / b; }
static inline wb_f64 wb_f64_sqrt(wb_f64 a) { return wb_native_sqrt(a); }
static inline wb_f64 wb_f64_ceil(wb_f64 a) { return wb_native_ceil(a); }
static inline wb_f64 wb_f64_floor(wb_f64 a) { return wb_native_floor(a); }
static inline wb_f64 wb_f64_trunc(wb_f64 a) { return wb_native_trunc(a); }
static inline wb_f64 wb_f64_nearest(wb_f64 a) { return wb_native_rint(a); }
static inline wb_f64 wb_f64_abs(wb_f64 a) {
  return as_type<wb_f64>(as_type<ulong>(a) & 0x7ffffffffffffffful);
}
static inline wb_f64 wb_f64_neg(wb_f64 a) {
  return as_type<wb_f64>(as_type<ulong>(a) ^ 0x8000000000000000ul);
}
static inline wb_f64 wb_f64_copysign(wb_f64 a, wb_f64 b) {
  return as_type<wb_f64>((as_type<ulong>(a) & 0x7ffffffffffffffful) |
                         (as_type<ulong>(b) & 0x8000000000000000ul));
}
// Each way round gives its second operand where the two are equal or not comparable, so the bits
// together are -0 if either is, and NaN if either is.
static inline wb_f64 wb_f64_min(wb_f64 a, wb_f64 b) {
  wb_f64 x = a < b ? a : b;
  wb_f64 y = b < a ? b : a;
  return as_type<wb_f64>(as_type<ulong>(x) | as_type<ulong>(y));
}
static inline wb_f64 wb_f64_max(wb_f64 a, wb_f64 b) {
  wb_f64 x = a > b ? a : b;
  wb_f64 y = b > a ? b : a;
  wb_f64 r = as_type<wb_f64>(as_type<ulong>(x) & as_type<ulong>(y));
  return a == a && b == b ? r : a + b;
}

// Conversions to integers: the range within which truncation fits, then the trap, the value
// (0 outside the range: the check or the saturating form comes first) and the saturating value.
static inline bool wb_i32_trunc_f32_s_fits(wb_f32 a) {
  return a >= wb_f32_const(0xcf000000u) && a < wb_f32_const(0x4f000000u);
}
static inline uint wb_i32_trunc_f32_s_check(wb_f32 a) {
  if (a != a) {
    return WB_TRAP_INVALID_CONVERSION;
  }
  return wb_i32_trunc_f32_s_fits(a) ? 0u : WB_TRAP_INTEGER_OVERFLOW;
}
static inline uint wb_i32_trunc_f32_s(wb_f32 a) {
  return wb_i32_trunc_f32_s_fits(a) ? as_type<uint>((int)a) : 0u;
}
static inline uint wb_i32_trunc_sat_f32_s(wb_f32 a) {
  if (wb_i32_trunc_f32_s_fits(a)) {
    return wb_i32_trunc_f32_s(a);
  }
  if (a > wb_f32_const(0x00000000u)) {
    return 0x7fffffffu;
  }
  return a == a ? 0x80000000u : 0u;
}
static inline bool wb_i32_trunc_f32_u_fits(wb_f32 a) {
  return a > wb_f32_const(0xbf800000u) && a < wb_f32_const(0x4f800000u);
}
static inline uint wb_i32_trunc_f32_u_check(wb_f32 a) {
  if (a != a) {
    return WB_TRAP_INVALID_CONVERSION;
  }
  return wb_i32_trunc_f32_u_fits(a) ? 0u : WB_TRAP_INTEGER_OVERFLOW;
}
static inline uint wb_i32_trunc_f32_u(wb_f32 a) {
  return wb_i32_trunc_f32_u_fits(a) ? (uint)a : 0u;
}
static inline uint wb_i32_trunc_sat_f32_u(wb_f32 a) {
  if (wb_i32_trunc_f32_u_fits(a)) {
    return wb_i32_trunc_f32_u(a);
  }
  return a > wb_f32_const(0x00000000u) ? 0xffffffffu : 0u;
}
static inline bool wb_i64_trunc_f32_s_fits(wb_f32 a) {
  return a >= wb_f32_const(0xdf000000u) && a < wb_f32_const(0x5f000000u);
}
static inline uint wb_i64_trunc_f32_s_check(wb_f32 a) {
  if (a != a) {
    return WB_TRAP_INVALID_CONVERSION;
  }
  return wb_i64_trunc_f32_s_fits(a) ? 0u : WB_TRAP_INTEGER_OVERFLOW;
}
static inline ulong wb_i64_trunc_f32_s(wb_f32 a) {
  return wb_i64_trunc_f32_s_fits(a) ? as_type<ulong>((long)a) : 0ul;
}
static inline ulong wb_i64_trunc_sat_f32_s(wb_f32 a) {
  if (wb_i64_trunc_f32_s_fits(a)) {
    return wb_i64_trunc_f32_s(a);
  }
  if (a > wb_f32_const(0x00000000u)) {
    return 0x7ffffffffffffffful;
  }
  return a == a ? 0x8000000000000000ul : 0ul;
}
static inline bool wb_i64_trunc_f32_u_fits(wb_f32 a) {
  return a > wb_f32_const(0xbf800000u) && a < wb_f32_const(0x5f800000u);
}
static inline uint wb_i64_trunc_f32_u_check(wb_f32 a) {
  if (a != a) {
    return WB_TRAP_INVALID_CONVERSION;
  }
  return wb_i64_trunc_f32_u_fits(a) ? 0u : WB_TRAP_INTEGER_OVERFLOW;
}
static inline ulong wb_i64_trunc_f32_u(wb_f32 a) {
  return wb_i64_trunc_f32_u_fits(a) ? (ulong)a : 0ul;
}
static inline ulong wb_i64_trunc_sat_f32_u(wb_f32 a) {
  if (wb_i64_trunc_f32_u_fits(a)) {
    return wb_i64_trunc_f32_u(a);
  }
  return a > wb_f32_const(0x00000000u) ? 0xfffffffffffffffful : 0ul;
}
static inline bool wb_i32_trunc_f64_s_fits(wb_f64 a) {
  return a > wb_f64_const(0xc1e0000000200000ul) && a < wb_f64_const(0x41e0000000000000ul);
}
static inline uint wb_i32_trunc_f64_s_check(wb_f64 a) {
  if (a != a) {
    return WB_TRAP_INVALID_CONVERSION;
  }
  return wb_i32_trunc_f64_s_fits(a) ? 0u : WB_TRAP_INTEGER_OVERFLOW;
}
static inline uint wb_i32_trunc_f64_s(wb_f64 a) {
  return wb_i32_trunc_f64_s_fits(a) ? as_type<uint>((int)a) : 0u;
}
static inline uint wb_i32_trunc_sat_f64_s(wb_f64 a) {
  if (wb_i32_trunc_f64_s_fits(a)) {
    return wb_i32_trunc_f64_s(a);
  }
  if (a > wb_f64_const(0x0000000000000000ul)) {
    return 0x7fffffffu;
  }
  return a == a ? 0x80000000u : 0u;
}
static inline bool wb_i32_trunc_f64_u_fits(wb_f64 a) {
  return a > wb_f64_const(0xbff0000000000000ul) && a < wb_f64_const(0x41f0000000000000ul);
}
static inline uint wb_i32_trunc_f64_u_check(wb_f64 a) {
  if (a != a) {
    return WB_TRAP_INVALID_CONVERSION;
  }
  return wb_i32_trunc_f64_u_fits(a) ? 0u : WB_TRAP_INTEGER_OVERFLOW;
}
static inline uint wb_i32_trunc_f64_u(wb_f64 a) {
  return wb_i32_trunc_f64_u_fits(a) ? (uint)a : 0u;
}
static inline uint wb_i32_trunc_sat_f64_u(wb_f64 a) {
  if (wb_i32_trunc_f64_u_fits(a)) {
    return wb_i32_trunc_f64_u(a);
  }
  return a > wb_f64_const(0x0000000000000000ul) ? 0xffffffffu : 0u;
}
static inline bool wb_i64_trunc_f64_s_fits(wb_f64 a) {
  return a >= wb_f64_const(0xc3e0000000000000ul) && a < wb_f64_const(0x43e0000000000000ul);
}
static inline uint wb_i64_trunc_f64_s_check(wb_f64 a) {
  if (a != a) {
    return WB_TRAP_INVALID_CONVERSION;
  }
  return wb_i64_trunc_f64_s_fits(a) ? 0u : WB_TRAP_INTEGER_OVERFLOW;
}
static inline ulong wb_i64_trunc_f64_s(wb_f64 a) {
  return wb_i64_trunc_f64_s_fits(a) ? as_type<ulong>((long)a) : 0ul;
}
static inline ulong wb_i64_trunc_sat_f64_s(wb_f64 a) {
  if (wb_i64_trunc_f64_s_fits(a)) {
    return wb_i64_trunc_f64_s(a);
  }
  if (a > wb_f64_const(0x0000000000000000ul)) {
    return 0x7ffffffffffffffful;
  }
  return a == a ? 0x8000000000000000ul : 0ul;
}
static inline bool wb_i64_trunc_f64_u_fits(wb_f64 a) {
  return a > wb_f64_const(0xbff0000000000000ul) && a < wb_f64_const(0x43f0000000000000ul);
}
static inline uint wb_i64_trunc_f64_u_check(wb_f64 a) {
  if (a != a) {
    return WB_TRAP_INVALID_CONVERSION;
  }
  return wb_i64_trunc_f64_u_fits(a) ? 0u : WB_TRAP_INTEGER_OVERFLOW;
}
static inline ulong wb_i64_trunc_f64_u(wb_f64 a) {
  return wb_i64_trunc_f64_u_fits(a) ? (ulong)a : 0ul;
}
static inline ulong wb_i64_trunc_sat_f64_u(wb_f64 a) {
  if (wb_i64_trunc_f64_u_fits(a)) {
    return wb_i64_trunc_f64_u(a);
  }
  return a > wb_f64_const(0x0000000000000000ul) ? 0xfffffffffffffffful : 0ul;
}

static inline wb_f32 wb_f32_convert_i32_s(uint a) { return (wb_f32)as_type<int>(a); }
static inline wb_f32 wb_f32_convert_i32_u(uint a) { return (wb_f32)a; }
static inline wb_f32 wb_f32_convert_i64_s(ulong a) { return (wb_f32)as_type<long>(a); }
static inline wb_f32 wb_f32_convert_i64_u(ulong a) { return (wb_f32)a; }
static inline wb_f64 wb_f64_convert_i32_s(uint a) { return (wb_f64)as_type<int>(a); }
static inline wb_f64 wb_f64_convert_i32_u(uint a) { return (wb_f64)a; }
static inline wb_f64 wb_f64_convert_i64_s(ulong a) { return (wb_f64)as_type<long>(a); }
static inline wb_f64 wb_f64_convert_i64_u(ulong a) { return (wb_f64)a; }
static inline wb_f32 wb_f32_demote_f64(wb_f64 a) { return (wb_f32)a; }
static inline wb_f64 wb_f64_promote_f32(wb_f32 a) { return (wb_f64)a; }

