// ---- software f64: add, sub. Significands stand at bit 61, so that a sum stays below bit 63 and
// nine bits below the result are kept; what is shifted out further sets the lowest one.

static inline ulong wb_f64_at_61(ulong a) {
  return ((a << 9u) & 0x1ffffffffffffffful) | 0x2000000000000000ul;
}

// (m +- n >> d) * 2^(e - 1023 - 61) with the sign of `signed_by`; m >= n >> d, e from 1 to 2046.
static inline wb_f64 wb_f64_add_aligned(wb_f64 signed_by, uint e, ulong m, uint d, ulong n,
                                        bool opposite) {
  d = d < 63u ? d : 63u;
  ulong s = n >> d;
  s |= (ulong)((s << d) != n);
  ulong sum = opposite ? m - s : m + s;
  if (sum == 0ul) {
    return 0ul;
  }
  // Up to bit 62, or as far as the least exponent allows.
  uint high = (uint)(sum >> 32u);
  uint up = (high != 0u ? metal::clz(high) : 32u + metal::clz((uint)sum)) - 1u;
  up = up < e ? up : e;
  uint top = (uint)(signed_by >> 32u) & 0x80000000u;
  return wb_f64_round(top + ((e - up) << 20u), sum << up);
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
  ulong m = e != 0u ? wb_f64_at_61(x) : x << 9u;
  ulong n = f != 0u ? wb_f64_at_61(y) : y << 9u;
  e = e != 0u ? e : 1u;
  f = f != 0u ? f : 1u;
  wb_f64 sum = wb_f64_add_aligned(big, e, m, e - f, n, opposite);
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
  bool opposite = as_type<long>(a ^ b) < 0;
  return wb_f64_add_aligned(big, e, wb_f64_at_61(big), e - f, wb_f64_at_61(small), opposite);
}
static inline wb_f64 wb_f64_sub(wb_f64 a, wb_f64 b) { return wb_f64_add(a, b ^ WB_F64_SIGN); }
