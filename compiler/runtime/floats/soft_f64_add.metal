// ---- software f64: add, sub. The larger significand stands at bit 61, so that a sum stays below
// bit 63 and nine bits below the result are kept; what is shifted out further sets the lowest one.

// (m +- n * 2^(2 - d)) * 2^(e - 1023 - 61) with the sign of `sign`, where n stands two bits higher
// than m; the first is not less, e from 1 to 2046. `flip`: all bits set to subtract.
static inline wb_f64 wb_f64_add_aligned(uint sign, uint e, ulong m, uint d, ulong n, ulong flip) {
  d = d < 63u ? d : 63u;
  ulong s = n >> d;
  s |= (ulong)((s << d) != n);
  ulong sum = m + (s ^ flip) + (flip & 1ul);
  // Up to bit 62, or as far as the least exponent allows.
  uint high = (uint)(sum >> 32u);
  uint up = (high != 0u ? metal::clz(high) : 32u + metal::clz((uint)sum)) - 1u;
  up = up < e ? up : e;
  uint top = (sign & 0x80000000u) + ((e - up) << 20u);
  return wb_f64_round(sum != 0ul ? top : 0u, sum << up);
}

// Where the fast path has not looked: zeros, subnormals, infinities, NaNs, sums near the largest
// number. `big` is the larger in magnitude.
static __attribute__((noinline, unused)) wb_f64 wb_f64_add_rare(wb_f64 big, wb_f64 small) {
  ulong x = wb_f64_magnitude(big);
  ulong y = wb_f64_magnitude(small);
  bool opposite = as_type<long>(big ^ small) < 0;
  if (x >= WB_F64_INFINITY) {
    return x > WB_F64_INFINITY || (y == WB_F64_INFINITY && opposite) ? WB_F64_NAN : big;
  }
  if (y == 0ul) {
    return x == 0ul ? big & small : big;
  }
  uint e = (uint)(x >> 52u);
  uint f = (uint)(y >> 52u);
  ulong leading = 0x10000000000000ul;
  ulong m = e != 0u ? (x & 0xffffffffffffful) | leading : x;
  ulong n = f != 0u ? (y & 0xffffffffffffful) | leading : y;
  e = e != 0u ? e : 1u;
  f = f != 0u ? f : 1u;
  wb_f64 sum = wb_f64_add_aligned((uint)(big >> 32u), e, m << 9u, e - f + 2u, n << 11u,
                                  opposite ? ~0ul : 0ul);
  bool overflow = wb_f64_magnitude(sum) > WB_F64_INFINITY;
  return overflow ? (big & WB_F64_SIGN) | WB_F64_INFINITY : sum;
}

static inline wb_f64 wb_f64_add(wb_f64 a, wb_f64 b) {
  bool swap = wb_f64_magnitude(a) < wb_f64_magnitude(b);
  wb_f64 big = swap ? b : a;
  wb_f64 small = swap ? a : b;
  uint e = (uint)(big >> 52u) & 0x7ffu;
  uint f = (uint)(small >> 52u) & 0x7ffu;
  if (f == 0u || e > 2045u) {
    return wb_f64_add_rare(big, small);
  }
  ulong flip = as_type<ulong>(as_type<long>(a ^ b) >> 63u);
  ulong m = ((big << 9u) & 0x1ffffffffffffffful) | 0x2000000000000000ul;
  ulong n = (small << 11u) | 0x8000000000000000ul;
  return wb_f64_add_aligned((uint)(big >> 32u), e, m, e - f + 2u, n, flip);
}
static inline wb_f64 wb_f64_sub(wb_f64 a, wb_f64 b) { return wb_f64_add(a, b ^ WB_F64_SIGN); }
