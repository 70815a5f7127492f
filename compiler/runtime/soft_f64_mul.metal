// ---- software f64: mul. Products of 32-bit halves, which every GPU multiplies to 64 bits.

// The exponent field and the significand in [2^52, 2^53) of a number that is not 0; subnormals are
// shifted up, so that their field goes below 1.
static inline int wb_f64_exponent(wb_f64 a) {
  int e = (int)((uint)(a >> 52u) & 0x7ffu);
  return e != 0 ? e : 12 - (int)(uint)wb_i64_clz(a & 0xffffffffffffful);
}
static inline ulong wb_f64_significand(wb_f64 a) {
  ulong m = a & 0xffffffffffffful;
  bool normal = (a & WB_F64_INFINITY) != 0ul;
  return normal ? m | 0x10000000000000ul : m << (((uint)wb_i64_clz(m | 1ul) - 11u) & 63u);
}

// The high half of a product; the lowest bit also stands for the low half.
static inline ulong wb_mul_high_sticky(ulong a, ulong b) {
  ulong al = (ulong)(uint)a;
  ulong ah = a >> 32u;
  ulong bl = (ulong)(uint)b;
  ulong bh = b >> 32u;
  ulong p = al * bl;
  ulong q = ah * bl + (p >> 32u);
  ulong r = al * bh + (ulong)(uint)q;
  ulong high = ah * bh + (q >> 32u) + (r >> 32u);
  return high | (ulong)(((uint)p | (uint)r) != 0u);
}

static __attribute__((noinline, unused)) wb_f64 wb_f64_mul_rare(wb_f64 a, wb_f64 b) {
  uint sign = wb_f64_sign(a ^ b);
  ulong x = wb_f64_magnitude(a);
  ulong y = wb_f64_magnitude(b);
  ulong more = x < y ? y : x;
  ulong less = x < y ? x : y;
  if (less == 0ul) {
    return more >= WB_F64_INFINITY ? WB_F64_NAN : (ulong)sign << 63u;
  }
  if (more >= WB_F64_INFINITY) {
    return more > WB_F64_INFINITY ? WB_F64_NAN : ((ulong)sign << 63u) | WB_F64_INFINITY;
  }
  ulong p = wb_mul_high_sticky(wb_f64_significand(x) << 10u, wb_f64_significand(y) << 11u);
  int e = wb_f64_exponent(x) + wb_f64_exponent(y) - 1022;
  if ((p >> 62u) == 0ul) {
    p <<= 1u;
    e -= 1;
  }
  return wb_f64_pack(sign, e, p);
}

// Exponent fields stay in their place in the high word.
static inline wb_f64 wb_f64_mul(wb_f64 a, wb_f64 b) {
  uint ah = (uint)(a >> 32u);
  uint bh = (uint)(b >> 32u);
  uint e = ah & 0x7ff00000u;
  uint f = bh & 0x7ff00000u;
  uint sum = e + f - 0x3ff00000u;
  if (e - 0x00100000u > 0x7fd00000u || f - 0x00100000u > 0x7fd00000u ||
      sum - 0x00100000u > 0x7fc00000u) {
    return wb_f64_mul_rare(a, b);
  }
  ulong m = ((a << 10u) & 0x3ffffffffffffffful) | 0x4000000000000000ul;
  ulong n = (b << 11u) | 0x8000000000000000ul;
  ulong p = wb_mul_high_sticky(m, n);
  // In [2^61, 2^63): at bit 62 with at most one step.
  uint up = 1u - ((uint)(p >> 32u) >> 30u);
  uint top = ((ah ^ bh) & 0x80000000u) + sum - (up << 20u);
  return wb_f64_round(top, p << up);
}
