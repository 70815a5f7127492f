// f32 arithmetic is done in f64 and rounded again: that is exact for sums, products, quotients and
// roots.
#include "float.h"

#include <math.h>

static u64 SignOf(u32 wide) { return wide ? 1ull << 63 : 1u << 31; }
static u64 QuietOf(u32 wide) { return wide ? 1ull << 51 : 1u << 22; }
static u64 InfinityOf(u32 wide) { return wide ? 0x7ffull << 52 : 0x7f800000; }
static u64 DefaultNan(u32 wide) { return InfinityOf(wide) | QuietOf(wide); }
static int IsNan(u64 a, u32 wide) { return (a & ~SignOf(wide)) > InfinityOf(wide); }
static int IsSignaling(u64 a, u32 wide) { return IsNan(a, wide) && !(a & QuietOf(wide)); }

static double Value(u64 a, u32 wide) {
  if (wide) {
    double value;
    memcpy(&value, &a, 8);
    return value;
  }
  const u32 word = (u32)a;
  float value;
  memcpy(&value, &word, 4);
  return value;
}
static u64 BitsOf(double value, u32 wide) {
  if (value != value) return DefaultNan(wide);
  u64 bits = 0;
  const float narrow = (float)value;
  if (wide) {
    memcpy(&bits, &value, 8);
  } else {
    memcpy(&bits, &narrow, 4);
  }
  return bits;
}

// The NaN that an operation gives of operands of which one is a NaN.
static u64 NanOf(u64 a, u64 b, u32 wide) {
  const u64 nan = IsSignaling(a, wide) ? a : IsSignaling(b, wide) ? b : IsNan(a, wide) ? a : b;
  return nan | QuietOf(wide);
}

static double Extreme(double a, double b, int most) {
  if (a == b) return most == (signbit(a) != 0) ? b : a;
  return (a > b) == most ? a : b;
}

u64 FloatBinary(u32 operation, u64 a, u64 b, u32 wide) {
  if (operation == kFMaxNum || operation == kFMinNum) {
    const int a_is_quiet = IsNan(a, wide) && !IsSignaling(a, wide);
    const int b_is_quiet = IsNan(b, wide) && !IsSignaling(b, wide);
    if (a_is_quiet && !IsNan(b, wide)) return b;
    if (b_is_quiet && !IsNan(a, wide)) return a;
    operation = operation == kFMaxNum ? kFMax : kFMin;
  }
  if (IsNan(a, wide) || IsNan(b, wide)) return NanOf(a, b, wide);
  const double x = Value(a, wide), y = Value(b, wide);
  switch (operation) {
    case kFAdd: return BitsOf(x + y, wide);
    case kFSub: return BitsOf(x - y, wide);
    case kFDiv: return BitsOf(x / y, wide);
    case kFMax: return BitsOf(Extreme(x, y, 1), wide);
    case kFMin: return BitsOf(Extreme(x, y, 0), wide);
    case kFMulX:
      if ((x == 0 && isinf(y)) || (isinf(x) && y == 0)) {
        return ((a ^ b) & SignOf(wide)) | (wide ? 1ull << 62 : 1u << 30);
      }
      return BitsOf(x * y, wide);
    default: return BitsOf(x * y, wide);
  }
}

// a * b + c of f32 as f64, of which rounding to f32 gives what one rounding would: where the sum is
// not exact, its last bit is set.
static double FusedNarrow(double a, double b, double c) {
  const double product = a * b, sum = product + c, part = sum - product;
  const double rest = (product - (sum - part)) + (c - part);
  if (rest == 0 || isinf(sum) || isinf(c)) return sum;
  u64 bits = BitsOf(sum, 1);
  // Towards zero first, where the sum was rounded away from it.
  if ((rest > 0) != (sum > 0)) --bits;
  bits |= 1;
  return Value(bits, 1);
}

// The library's fma adds a zero to a product that has become one.
static double FusedWide(double a, double b, double c) {
  return c == 0 && a != 0 && b != 0 ? a * b : fma(a, b, c);
}

u64 FloatFused(u64 addend, u64 a, u64 b, u32 wide) {
  const double x = Value(a, wide), y = Value(b, wide), z = Value(addend, wide);
  const int is_undefined = (x == 0 && isinf(y)) || (isinf(x) && y == 0);
  if (is_undefined && IsNan(addend, wide) && !IsSignaling(addend, wide)) return DefaultNan(wide);
  if (IsSignaling(addend, wide)) return addend | QuietOf(wide);
  if (IsSignaling(a, wide) || IsSignaling(b, wide)) return NanOf(a, b, wide);
  if (IsNan(addend, wide)) return addend;
  if (IsNan(a, wide) || IsNan(b, wide)) return NanOf(a, b, wide);
  return BitsOf(wide ? FusedWide(x, y, z) : FusedNarrow(x, y, z), wide);
}

u64 FloatRoot(u64 a, u32 wide) {
  return IsNan(a, wide) ? NanOf(a, a, wide) : BitsOf(sqrt(Value(a, wide)), wide);
}

static double Rounded(double value, u32 way) {
  switch (way) {
    case kUp: return ceil(value);
    case kDown: return floor(value);
    case kToZero: return trunc(value);
    case kAway: return round(value);
    default: return rint(value);
  }
}
u64 FloatRounded(u64 a, u32 way, u32 wide) {
  if (IsNan(a, wide)) return NanOf(a, a, wide);
  return (BitsOf(Rounded(Value(a, wide), way), wide) & ~SignOf(wide)) | (a & SignOf(wide));
}
u64 FloatNegated(u64 a, u32 wide) { return a ^ SignOf(wide); }

static u64 OfHalf(u64 a, u32 wide) {
  const u64 sign = (a >> 15 & 1) != 0 ? SignOf(wide) : 0;
  const u32 exponent = a >> 10 & 31, fraction = a & 1023;
  if (exponent == 31 && fraction != 0) {
    return sign | DefaultNan(wide) | (u64)fraction << (wide ? 42 : 13);
  }
  if (exponent == 31) return sign | InfinityOf(wide);
  const double value =
      exponent == 0 ? fraction * 0x1p-24 : (1024 + fraction) * ldexp(1, (int)exponent - 25);
  return sign | BitsOf(value, wide);
}
static u64 ToHalf(u64 a, u32 wide) {
  const u64 sign = a & SignOf(wide) ? 0x8000 : 0;
  if (IsNan(a, wide)) return sign | 0x7e00 | (a >> (wide ? 42 : 13) & 1023);
  const double value = fabs(Value(a, wide));
  if (value >= 65520) return sign | 0x7c00;
  if (value < 0x1p-14) return sign | (u64)rint(value * 0x1p24);
  int exponent;
  const double fraction = frexp(value, &exponent);
  // The fraction may round up to the next power of two, which is the sum then.
  return sign | ((u64)(exponent + 13) << 10) + (u64)rint(fraction * 2048);
}

u64 FloatConverted(u64 a, u32 from, u32 to) {
  if (from == 3) return OfHalf(a, to);
  if (to == 3) return ToHalf(a, from);
  if (!IsNan(a, from)) return BitsOf(Value(a, from), to);
  const u64 sign = a & SignOf(from) ? SignOf(to) : 0;
  const u64 payload = to ? (a & 0x3fffff) << 29 : a >> 29 & 0x3fffff;
  return sign | DefaultNan(to) | payload;
}

u64 FloatToInteger(u64 a, u32 wide, u32 way, u32 is_signed, u32 bits, u32 fraction) {
  if (IsNan(a, wide)) return 0;
  const double value = Rounded(ldexp(Value(a, wide), (int)fraction), way);
  if (is_signed) {
    const double bound = ldexp(1, (int)bits - 1);
    if (value >= bound) return Ones(bits - 1);
    return value < -bound ? 1ull << (bits - 1) : (u64)(i64)value & Ones(bits);
  }
  if (value <= 0) return 0;
  return value >= ldexp(1, (int)bits) ? Ones(bits) : (u64)value;
}

u64 FloatOfInteger(u64 a, u32 wide, u32 is_signed, u32 bits, u32 fraction) {
  const i64 number = is_signed ? Signed(a, bits) : (i64)(a & Ones(bits));
  const double scale = ldexp(1, -(int)fraction);
  if (wide) return BitsOf((is_signed ? (double)number : (double)(u64)number) * scale, 1);
  return BitsOf((is_signed ? (float)number : (float)(u64)number) * scale, 0);
}

u32 FloatNzcv(u64 a, u64 b, u32 wide) {
  if (IsNan(a, wide) || IsNan(b, wide)) return 3;
  const double x = Value(a, wide), y = Value(b, wide);
  return x == y ? 6 : x < y ? 8 : 2;
}

u64 FloatOfImmediate(u32 imm8, u32 wide) {
  const u64 sign = imm8 >> 7, low = imm8 & 63, exponent = imm8 >> 6 & 1;
  if (wide) return sign << 63 | (exponent ? 0x3fcull : 0x400ull) << 52 | low << 48;
  return sign << 31 | (exponent ? 0x7cull << 3 : 0x80ull << 3) << 20 | low << 19;
}
