// ---- software f64: div, sqrt. A reciprocal (root) from the device's float, made better once in
// integers to 30 bits, gives two digits; the exact remainder behind them puts the last one right.
// The device's float need only be within 2^-21 there, not correctly rounded.

static inline wb_f64 wb_f64_div_rare(wb_f64 a, wb_f64 b) {
  ulong x = wb_f64_magnitude(a);
  ulong y = wb_f64_magnitude(b);
  ulong sign = (a ^ b) & WB_F64_SIGN;
  if (x > WB_F64_INFINITY || y > WB_F64_INFINITY || x == y) {
    return WB_F64_NAN;
  }
  return x == WB_F64_INFINITY || y == 0ul ? sign | WB_F64_INFINITY : sign;
}

// 2^62 / b for 2^30 < b <= 2^31, or up to 2 less.
static inline uint wb_reciprocal(uint b) {
  // From 2^62 less 2^-20 of it: still below after what the float loses.
  uint y = (uint)(4611681620380876800.0f / (float)b);
  ulong off = 0x4000000000000000ul - (ulong)b * (ulong)y;
  return y + (metal::mulhi(y, (uint)(off >> 11u)) >> 19u);
}

static __attribute__((noinline, unused)) wb_f64 wb_f64_div(wb_f64 a, wb_f64 b) {
  ulong x = wb_f64_magnitude(a);
  ulong y = wb_f64_magnitude(b);
  if (x >= WB_F64_INFINITY || y >= WB_F64_INFINITY || x == 0ul || y == 0ul) {
    return wb_f64_div_rare(a, b);
  }
  ulong m = wb_f64_significand(x);
  ulong n = wb_f64_significand(y);
  int e = wb_f64_exponent(x) - wb_f64_exponent(y) + 1023;
  if (m < n) {
    m <<= 1u;
    e -= 1;
  }
  // m / n in [1, 2). The divisor is rounded up and all else down, so no digit is too large: the
  // first is at most 6 too small, so that rest < 2^56, and the second at most 1.
  uint y1 = wb_reciprocal((uint)(n >> 22u) + 1u);
  uint high = metal::mulhi((uint)(m >> 22u), y1);
  ulong rest = (m << 30u) - (ulong)high * n;
  uint low = metal::mulhi((uint)(rest >> 24u), y1) >> 3u;
  rest = (rest << 25u) - (ulong)low * n;
  ulong q = ((ulong)high << 25u) + (ulong)low;
  bool more = rest >= n;
  q += (ulong)more;
  q = (q << 7u) | (ulong)(rest != (more ? n : 0ul));
  return wb_f64_pack(wb_f64_sign(a ^ b), e, q);
}

// 2^47 / sqrt(x) for x from 2^30 to 2^32, or up to 4 less.
static inline uint wb_reciprocal_root(uint x) {
  float root = metal::precise::sqrt((float)x);
  uint y = (uint)(140737354137600.0f / root);
  ulong off = 0x4000000000000000ul - (ulong)x * (ulong)metal::mulhi(y, y);
  return y + (metal::mulhi(y, (uint)(off >> 12u)) >> 19u) - 2u;
}

static __attribute__((noinline, unused)) wb_f64 wb_f64_sqrt(wb_f64 a) {
  if (wb_f64_magnitude(a) == 0ul || a == WB_F64_INFINITY) {
    return a;
  }
  if (a > WB_F64_INFINITY) {
    return WB_F64_NAN;  // negative, or NaN already
  }
  // An even exponent and a significand of 2^62 to 2^64.
  int e = wb_f64_exponent(a) - 1023;
  uint odd = as_type<uint>(e) & 1u;
  ulong m = wb_f64_significand(a) << (10u + odd);
  uint x = (uint)(m >> 32u);
  uint y = wb_reciprocal_root(x);
  // The first digit is at most 6 too small, so that rest < 2^35; both together are off by at most
  // one, up or down.
  uint high = metal::mulhi(x, y);
  ulong rest = (m >> 2u) - (ulong)high * (ulong)high;
  uint low = metal::mulhi((uint)(rest >> 3u), y) >> 3u;
  ulong q = ((ulong)high << 25u) + (ulong)low;
  // What is left behind both digits, modulo 2^64; it is far below that.
  rest = (rest << 50u) - ((ulong)high * (ulong)low << 26u) - (ulong)low * (ulong)low;
  if (as_type<long>(rest) < 0) {
    q -= 1ul;
    rest += 2ul * q + 1ul;
  } else if (rest > 2ul * q) {
    rest -= 2ul * q + 1ul;
    q += 1ul;
  }
  q = (q << 7u) | (ulong)(rest != 0ul);
  return wb_f64_round((uint)((e - (int)odd) / 2 + 1022) << 20u, q);
}
