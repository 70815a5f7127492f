// Estimates of reciprocals and of roots of these, to eight bits as the architecture defines them,
// and the steps that make them better.
#include "float.h"

#include <math.h>

// Of a number of nine bits, 256 to 511, which stands for 0.5 to 1.
static u32 Reciprocal(u32 a) { return ((1u << 19) / (a * 2 + 1) + 1) / 2; }
// Of 128 to 511, which stands for 0.25 to 1.
static u32 RootReciprocal(u32 a) {
  a = a < 256 ? a * 2 + 1 : ((a | 1) + 1) / 2 * 4 - 2;
  u32 b = 512;
  while (a * (b + 1) * (b + 1) < 1u << 28) ++b;
  return (b + 1) / 2;
}

u32 IntegerEstimate(u32 a, u32 of_root) {
  if (of_root) return a >> 30 == 0 ? ~0u : RootReciprocal(a >> 23) << 23;
  return a >> 31 == 0 ? ~0u : Reciprocal(a >> 23) << 23;
}

typedef struct {
  u64 sign, fraction;  // the fraction in bits 0 to 51
  i32 exponent;
} Parts;

static Parts PartsOf(u64 a, u32 wide) {
  if (wide) return (Parts){a >> 63 << 63, a & Ones(52), (i32)(a >> 52 & 2047)};
  return (Parts){a & 1u << 31, (a & Ones(23)) << 29, (i32)(a >> 23 & 255)};
}
static u64 Joined(u64 sign, i32 exponent, u64 fraction, u32 wide) {
  return sign | (wide ? (u64)exponent << 52 | fraction : (u64)exponent << 23 | fraction >> 29);
}

u64 FloatReciprocal(u64 a, u32 wide) {
  const i32 most = wide ? 2047 : 255;
  Parts parts = PartsOf(a, wide);
  if (parts.exponent == most) return parts.fraction ? FloatRoot(a, wide) : parts.sign;
  // Below 2^-128 (f64: 2^-1024) there is infinity.
  if (parts.exponent == 0 && parts.fraction >> 50 == 0) return Joined(parts.sign, most, 0, wide);
  if (parts.exponent == 0) {
    const u32 up = parts.fraction >> 51 ? 1 : 2;
    parts.exponent = up == 1 ? 0 : -1;
    parts.fraction = parts.fraction << up & Ones(52);
  }
  i32 exponent = most - 2 - parts.exponent;
  u64 fraction = (u64)(Reciprocal(256 | (u32)(parts.fraction >> 44)) & 255) << 44;
  if (exponent <= 0) fraction = (1ull << 52 | fraction) >> (1 - exponent);
  return Joined(parts.sign, exponent < 0 ? 0 : exponent, fraction, wide);
}

u64 FloatRootReciprocal(u64 a, u32 wide) {
  const i32 most = wide ? 2047 : 255;
  Parts parts = PartsOf(a, wide);
  if (parts.exponent == most && parts.fraction) return FloatRoot(a, wide);
  if (parts.exponent == 0 && parts.fraction == 0) return Joined(parts.sign, most, 0, wide);
  if (parts.sign) return FloatRoot(a, wide);  // the default NaN
  if (parts.exponent == most) return 0;
  if (parts.exponent == 0) {
    for (; parts.fraction >> 51 == 0; parts.fraction <<= 1) --parts.exponent;
    parts.fraction = parts.fraction << 1 & Ones(52);
  }
  const u32 high = 256 | (u32)(parts.fraction >> 44);
  const i32 exponent = ((wide ? 3068 : 380) - parts.exponent) / 2;
  const u32 estimate = RootReciprocal(parts.exponent & 1 ? high >> 1 : high);
  return Joined(0, exponent, (u64)(estimate & 255) << 44, wide);
}

u64 FloatExponentReciprocal(u64 a, u32 wide) {
  const i32 most = wide ? 2047 : 255;
  const Parts parts = PartsOf(a, wide);
  if (parts.exponent == most && parts.fraction) return FloatRoot(a, wide);
  return Joined(parts.sign, parts.exponent == 0 ? most - 1 : ~parts.exponent & most, 0, wide);
}

// 2 - a * b, or (3 - a * b) / 2, rounded once.
u64 FloatStep(u64 a, u64 b, u32 of_root, u32 wide) {
  const u64 infinity = wide ? 0x7ffull << 52 : 0x7f800000, absolute = Ones(wide ? 63 : 31);
  a = FloatNegated(a, wide);
  const u64 addend = wide      ? (of_root ? 0x3ff8ull : 0x4000ull) << 48
                     : of_root ? 0x3fc00000
                               : 0x40000000;
  const int a_is_zero = (a & absolute) == 0, b_is_zero = (b & absolute) == 0;
  if (((a & absolute) == infinity && b_is_zero) || (a_is_zero && (b & absolute) == infinity))
    return addend;
  if (!of_root) return FloatFused(addend, a, b, wide);
  // Half of the greater one: that is exact.
  const u64 half = wide ? 0x3feull << 52 : 0x3f000000;
  if ((a & absolute) > (b & absolute)) {
    a = (a & absolute) > infinity ? a : FloatBinary(kFMul, a, half, wide);
  } else {
    b = (b & absolute) > infinity ? b : FloatBinary(kFMul, b, half, wide);
  }
  return FloatFused(addend, a, b, wide);
}

// f32 of an f64 whose last bit is set where it is not exact: to be rounded again later.
u64 FloatToOdd(u64 a) {
  const u64 nearest = FloatConverted(a, 1, 0), back = FloatConverted(nearest, 0, 1),
            absolute = Ones(63);
  if (FloatNzcv(a, back, 1) == 6 || FloatNzcv(a, a, 1) == 3) return nearest;
  const u64 toward_zero = (back & absolute) > (a & absolute) ? nearest - 1 : nearest;
  return toward_zero | 1;
}
