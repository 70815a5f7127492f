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

// Exponent fields stay in their place in the high word. The product of significands lacks 11 or 12
// steps to the result's place in two words; the third then rounds it.
static inline wb_f64 wb_f64_mul(wb_f64 a, wb_f64 b) {
  uint ah = (uint)(a >> 32u);
  uint bh = (uint)(b >> 32u);
  // From 0 to 0xffbfffff for normal numbers, of either sign.
  uint x = 2u * ah - 0x00200000u;
  uint y = 2u * bh - 0x00200000u;
  // One less than the field of a product below 2, since the leading bit of a significand adds one.
  uint e = (ah & 0x7ff00000u) + (bh & 0x7ff00000u) - 0x40000000u;
  if ((x < y ? y : x) > 0xffbfffffu || e > 0x7fc00000u) {
    return wb_f64_mul_rare(a, b);
  }
  ulong al = (ulong)(uint)a;
  ulong bl = (ulong)(uint)b;
  ulong ahigh = (ulong)((ah & 0xfffffu) | 0x100000u);
  ulong bhigh = (ulong)((bh & 0xfffffu) | 0x100000u);
  ulong p = al * bl;
  ulong q = al * bhigh + (ahigh * bl + (p >> 32u));
  ulong high = ahigh * bhigh + (q >> 32u);  // from 2^40 to 2^42
  ulong low = (ulong)((uint)q | (uint)((uint)p != 0u));
  uint up = 12u - (uint)(high >> 41u);
  uint top = ((ah ^ bh) & 0x80000000u) + e + 0x00c00000u - (up << 20u);
  low = ((high << 32u) | low) << up;
  high = ((ulong)(top + (uint)((high << up) >> 32u)) << 32u) | (low >> 32u);
  // To even: a half and nothing else carries out of the third word where the second is odd.
  return high + (((ulong)(uint)low + 0x7ffffffful + (high & 1ul)) >> 32u);
}
