// ---- floats: metal, arithmetic of f32. The device's float rounds as IEEE 754 says but takes and
// gives zeros for subnormals. Each operation looks at its result (division and root at their
// operands, for what their own sequences may flush) and leaves the fast path where that could show.
// What leaves it is called with floats and gives one: the result stays in a float register.

// The exponent field and the significand in [2^23, 2^24) of a number that is not 0; subnormals are
// shifted up, so that their field goes below 1.
static inline int wb_f32_exponent(wb_f32 a) {
  int e = (int)((a >> 23u) & 0xffu);
  return e != 0 ? e : 9 - (int)metal::clz(a & 0x7fffffu);
}
static inline uint wb_f32_significand(wb_f32 a) {
  uint m = a & 0x7fffffu;
  return (a & 0x7f800000u) != 0u ? m | 0x800000u : m << (metal::clz(m | 1u) - 8u);
}

// A multiple of 2^-149, exactly; |a| < 2^-88.
static inline ulong wb_f32_fixed(wb_f32 a) {
  uint e = (a >> 23u) & 0xffu;
  ulong m = e != 0u ? (ulong)((a & 0x7fffffu) | 0x800000u) << (e - 1u) : (ulong)(a & 0x7fffffu);
  return (a & WB_F32_SIGN) != 0u ? 0ul - m : m;
}

// A sum below 2^-100 of numbers above 2^-88 has lost no bits and is no subnormal: the device is
// right. Smaller numbers are added as integers.
static __attribute__((cold, noinline, unused)) float wb_f32_add_rare(float x, float y) {
  wb_f32 a = as_type<uint>(x);
  wb_f32 b = as_type<uint>(y);
  if (wb_f32_magnitude(a) >= 0x13800000u || wb_f32_magnitude(b) >= 0x13800000u) {
    return x + y;
  }
  ulong sum = wb_f32_fixed(a) + wb_f32_fixed(b);
  if (sum == 0ul) {
    return wb_f32_float(a & b & WB_F32_SIGN);
  }
  uint sign = (uint)(sum >> 32u) & WB_F32_SIGN;
  ulong m = sign != 0u ? 0ul - sum : sum;
  return wb_f32_float(
      sign | (m < 0x1000000ul ? (uint)m : wb_f32_convert_i64_u(m) - (149u << 23u)));
}
// A flushed operand is below half a unit in the last place of any sum from 2^-100 on. An infinite
// sum is right, a NaN goes the other way.
static inline wb_f32 wb_f32_add(wb_f32 a, wb_f32 b) {
  float u = wb_f32_float(a) + wb_f32_float(b);
  if (!(metal::fabs(u) >= wb_f32_float(0x0d800000u))) {
    u = wb_f32_add_rare(wb_f32_float(a), wb_f32_float(b));
  }
  return as_type<uint>(u);
}
static inline wb_f32 wb_f32_sub(wb_f32 a, wb_f32 b) { return wb_f32_add(a, b ^ WB_F32_SIGN); }

static inline wb_f32 wb_f32_mul_in_integers(wb_f32 a, wb_f32 b) {
  uint sign = (a ^ b) & WB_F32_SIGN;
  uint x = wb_f32_magnitude(a);
  uint y = wb_f32_magnitude(b);
  uint more = x < y ? y : x;
  uint less = x < y ? x : y;
  if (more >= WB_F32_INFINITY) {
    return more > WB_F32_INFINITY || less == 0u ? WB_F32_NAN : sign | WB_F32_INFINITY;
  }
  if (less == 0u) {
    return sign;
  }
  ulong p = (ulong)wb_f32_significand(x) * (ulong)wb_f32_significand(y) << 16u;
  int e = wb_f32_exponent(x) + wb_f32_exponent(y) - 126;
  if ((p >> 63u) == 0ul) {
    p <<= 1u;
    e -= 1;
  }
  return wb_f32_pack(sign, e, (uint)(p >> 32u) | (uint)((uint)p != 0u));
}
static __attribute__((cold, noinline, unused)) float wb_f32_mul_rare(float x, float y) {
  return wb_f32_float(wb_f32_mul_in_integers(as_type<uint>(x), as_type<uint>(y)));
}
// A flushed operand makes 0 or NaN; the least normal number may be a rounded or a flushed result.
static inline wb_f32 wb_f32_mul(wb_f32 a, wb_f32 b) {
  float u = wb_f32_float(a) * wb_f32_float(b);
  if (!(metal::fabs(u) >= wb_f32_float(0x00800001u))) {
    u = wb_f32_mul_rare(wb_f32_float(a), wb_f32_float(b));
  }
  return as_type<uint>(u);
}

// Two roundings. One look serves both where the product is at least 2^-76: then the sum is 0 or no
// subnormal (it is a multiple of 2^-123, or else above 2^-77), and right whatever c was flushed to.
static __attribute__((cold, noinline, unused)) float wb_f32_mul_add_rare(float x, float y,
                                                                         float z) {
  wb_f32 product = wb_f32_mul(as_type<uint>(x), as_type<uint>(y));
  return wb_f32_float(wb_f32_add(product, as_type<uint>(z)));
}
static inline wb_f32 wb_f32_mul_add(wb_f32 a, wb_f32 b, wb_f32 c) {
  float p = wb_f32_float(a) * wb_f32_float(b);
  float u = p + wb_f32_float(c);
  if (!(metal::fabs(p) >= wb_f32_float(0x19800000u))) {
    u = wb_f32_mul_add_rare(wb_f32_float(a), wb_f32_float(b), wb_f32_float(c));
  }
  return as_type<uint>(u);
}

// a * b - c, and c - a * b.
static inline wb_f32 wb_f32_mul_sub(wb_f32 a, wb_f32 b, wb_f32 c) {
  return wb_f32_mul_add(a, b, c ^ WB_F32_SIGN);
}
static inline wb_f32 wb_f32_sub_mul(wb_f32 a, wb_f32 b, wb_f32 c) {
  return wb_f32_mul_add(a ^ WB_F32_SIGN, b, c);
}

static inline wb_f32 wb_f32_div_in_integers(wb_f32 a, wb_f32 b) {
  uint sign = (a ^ b) & WB_F32_SIGN;
  uint x = wb_f32_magnitude(a);
  uint y = wb_f32_magnitude(b);
  if (x > WB_F32_INFINITY || y > WB_F32_INFINITY || (x == y && (x == 0u || x == WB_F32_INFINITY))) {
    return WB_F32_NAN;
  }
  if (x == WB_F32_INFINITY || y == 0u) {
    return sign | WB_F32_INFINITY;
  }
  if (x == 0u || y == WB_F32_INFINITY) {
    return sign;
  }
  // The device's quotient of the significands is off by at most half a unit in its last place,
  // which is 4 or 8 here; the exact remainder says to which side.
  uint m = wb_f32_significand(x);
  uint n = wb_f32_significand(y);
  uint q = (uint)((float)m / (float)n * 67108864.0f);
  ulong rest = ((ulong)m << 26u) - (ulong)q * (ulong)n;
  if (rest != 0ul) {
    q = (rest >> 63u) != 0ul ? q - 1u : q | 1u;
  }
  uint up = metal::clz(q);
  int e = wb_f32_exponent(x) - wb_f32_exponent(y) + 132 - (int)up;
  return wb_f32_pack(sign, e, q << up);
}
static __attribute__((cold, noinline, unused)) float wb_f32_div_rare(float x, float y) {
  return wb_f32_float(wb_f32_div_in_integers(as_type<uint>(x), as_type<uint>(y)));
}
// Both from 2^-62 to 2^62: neither the quotient nor reciprocals and remainders of the device's own
// come near subnormals.
static inline wb_f32 wb_f32_div(wb_f32 a, wb_f32 b) {
  float u = wb_f32_float(a) / wb_f32_float(b);
  uint x = 2u * a - 0x41000000u;
  uint y = 2u * b - 0x41000000u;
  if ((x < y ? y : x) > 0x7c000000u) {
    u = wb_f32_div_rare(wb_f32_float(a), wb_f32_float(b));
  }
  return as_type<uint>(u);
}

static __attribute__((cold, noinline, unused)) float wb_f32_sqrt_rare(float x) {
  wb_f32 a = as_type<uint>(x);
  if (wb_f32_magnitude(a) == 0u || a == WB_F32_INFINITY) {
    return x;
  }
  if (a > WB_F32_INFINITY) {
    return wb_f32_float(WB_F32_NAN);  // negative, or NaN already
  }
  // Roots are never subnormal: halve the exponent apart, make it even first.
  int e = wb_f32_exponent(a) - 150;
  uint odd = as_type<uint>(e) & 1u;
  float root = metal::precise::sqrt((float)(wb_f32_significand(a) << odd));
  return wb_f32_float(as_type<uint>(root) + (as_type<uint>((e - (int)odd) / 2) << 23u));
}
static inline wb_f32 wb_f32_sqrt(wb_f32 a) {
  float u = metal::precise::sqrt(wb_f32_float(a));
  if (a - 0x0d800000u >= 0x72000000u) {
    u = wb_f32_sqrt_rare(wb_f32_float(a));
  }
  return as_type<uint>(u);
}
