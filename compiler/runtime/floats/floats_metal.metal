// ---- floats: metal, for devices that have 32-bit floats only and flush subnormals. Values are bit
// patterns. f32 computes on the device's float where no subnormal can be involved, f64 in integers
// alone.
// An arithmetic result that is NaN may be any NaN: the IR canonicalises where bits can be seen.
// abs, neg, copysign and moves work on bits and keep NaNs as they are.
typedef uint wb_f32;
typedef ulong wb_f64;

constant uint WB_F32_SIGN = 0x80000000u;
constant uint WB_F32_INFINITY = 0x7f800000u;
constant uint WB_F32_NAN = 0x7fc00000u;
constant ulong WB_F64_SIGN = 0x8000000000000000ul;
constant ulong WB_F64_INFINITY = 0x7ff0000000000000ul;
constant ulong WB_F64_NAN = 0x7ff8000000000000ul;

static inline uint wb_f32_magnitude(wb_f32 a) { return a & 0x7fffffffu; }
static inline bool wb_f32_is_nan(wb_f32 a) { return wb_f32_magnitude(a) > WB_F32_INFINITY; }
static inline float wb_f32_float(wb_f32 a) { return as_type<float>(a); }
static inline ulong wb_f64_magnitude(wb_f64 a) { return a & 0x7ffffffffffffffful; }
static inline bool wb_f64_is_nan(wb_f64 a) { return wb_f64_magnitude(a) > WB_F64_INFINITY; }
static inline uint wb_f64_sign(wb_f64 a) { return (uint)(a >> 63u); }

static inline wb_f32 wb_f32_const(uint bits) { return bits; }
static inline wb_f32 wb_f32_reinterpret_i32(uint a) { return a; }
static inline uint wb_i32_reinterpret_f32(wb_f32 a) { return a; }
static inline wb_f32 wb_f32_canon(wb_f32 a) { return wb_f32_is_nan(a) ? WB_F32_NAN : a; }
static inline wb_f32 wb_get_f32(wb_lane L, uint w) { return wb_get(L, w); }
static inline void wb_put_f32(wb_lane L, uint w, wb_f32 v) { wb_put(L, w, v); }
static inline wb_f32 wb_f32_load(wb_mem M, uint a, ulong offset) {
  return wb_peek32(M, (ulong)a + offset);
}
static inline void wb_f32_store(wb_mem M, uint a, ulong offset, wb_f32 v) {
  wb_poke32(M, (ulong)a + offset, v);
}

static inline wb_f64 wb_f64_const(ulong bits) { return bits; }
static inline wb_f64 wb_f64_reinterpret_i64(ulong a) { return a; }
static inline ulong wb_i64_reinterpret_f64(wb_f64 a) { return a; }
static inline wb_f64 wb_f64_canon(wb_f64 a) { return wb_f64_is_nan(a) ? WB_F64_NAN : a; }
static inline wb_f64 wb_get_f64(wb_lane L, uint w) { return wb_get64(L, w); }
static inline void wb_put_f64(wb_lane L, uint w, wb_f64 v) { wb_put64(L, w, v); }
static inline wb_f64 wb_f64_load(wb_mem M, uint a, ulong offset) {
  return wb_peek64(M, (ulong)a + offset);
}
static inline void wb_f64_store(wb_mem M, uint a, ulong offset, wb_f64 v) {
  wb_poke64(M, (ulong)a + offset, v);
}

static inline wb_f32 wb_f32_abs(wb_f32 a) { return wb_f32_magnitude(a); }
static inline wb_f32 wb_f32_neg(wb_f32 a) { return a ^ WB_F32_SIGN; }
static inline wb_f32 wb_f32_copysign(wb_f32 a, wb_f32 b) {
  return wb_f32_magnitude(a) | (b & WB_F32_SIGN);
}
static inline wb_f64 wb_f64_abs(wb_f64 a) { return wb_f64_magnitude(a); }
static inline wb_f64 wb_f64_neg(wb_f64 a) { return a ^ WB_F64_SIGN; }
static inline wb_f64 wb_f64_copysign(wb_f64 a, wb_f64 b) {
  return wb_f64_magnitude(a) | (b & WB_F64_SIGN);
}

// sign | m * 2^(e - 127 - 31), rounded to nearest even. Bit 31 of m is set; bit 0 also stands for
// everything below it.
static inline wb_f32 wb_f32_pack(uint sign, int e, uint m) {
  int below = 1 - e;
  if (below > 0) {
    uint d = below > 31 ? 31u : (uint)below;
    m = (m >> d) | (uint)((m << (32u - d)) != 0u);
    e = 1;
  }
  uint q = m >> 8u;
  q += (uint)((m & 0xffu) + (q & 1u) > 0x80u);
  return sign | (e > 254 ? WB_F32_INFINITY : ((uint)(e - 1) << 23u) + q);
}

// m >> 10, rounded to nearest even, under `top`: sign and exponent field where they stand in the
// high word. The field is one less than it should be, since the leading bit of m, bit 62, adds one;
// clear, it makes a subnormal (the field is 0 then). Rounding up to infinity comes by itself.
static inline wb_f64 wb_f64_round(uint top, ulong m) {
  ulong rounded = (m + (ulong)(0x1ffu + (((uint)m >> 10u) & 1u))) >> 10u;
  return ((ulong)(top + (uint)(rounded >> 32u)) << 32u) | (ulong)(uint)rounded;
}

// As wb_f32_pack: sign bit | m * 2^(e - 1023 - 62), bit 62 of m set, bit 63 clear.
static inline wb_f64 wb_f64_pack(uint sign, int e, ulong m) {
  int below = 1 - e;
  if (below > 0) {
    uint d = below > 63 ? 63u : (uint)below;
    m = (m >> d) | (ulong)((m << (64u - d)) != 0ul);
    e = 1;
  }
  uint top = sign << 31u;
  return e > 2046 ? ((ulong)top << 32u) | WB_F64_INFINITY
                  : wb_f64_round(top | ((uint)(e - 1) << 20u), m);
}
