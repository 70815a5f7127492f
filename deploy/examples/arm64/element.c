// What one element of a vector becomes. Bits above an element's own do not matter in results.
#include "vector.h"

Form FormOf(u32 word) {
  Form form = {.word = word, .rd = word & 31, .rn = word >> 5 & 31, .rm = word >> 16 & 31};
  form.q = word >> 30 & 1;
  form.u = word >> 29 & 1;
  form.size = word >> 22 & 3;
  form.scalar = word >> 28 & 1;
  form.elements = form.scalar ? 1 : (8u << form.q) >> form.size;
  return form;
}

u64 Saturated(i64 value, u32 bits, u32 is_signed) {
  if (!is_signed) return value < 0 ? 0 : (u64)value > Ones(bits) ? Ones(bits) : (u64)value;
  const i64 most = (i64)Ones(bits - 1);
  return (u64)(value > most ? most : value < -most - 1 ? -most - 1 : value);
}

u64 SumSaturated(u64 a, u64 b, u32 size, u32 is_unsigned, u32 subtracts) {
  if (size < 3) {
    const i64 x = Number(a, size, is_unsigned), y = Number(b, size, is_unsigned);
    return Saturated(subtracts ? x - y : x + y, 8u << size, !is_unsigned);
  }
  const u64 sum = subtracts ? a - b : a + b;
  if (is_unsigned) return subtracts ? (a < b ? 0 : sum) : sum < a ? ~0ull : sum;
  const u64 overflows = (subtracts ? a ^ b : ~(a ^ b)) & (a ^ sum);
  return overflows >> 63 ? (a >> 63) + Ones(63) : sum;
}

i64 DoubledProduct(u64 a, u64 b, u32 size) {
  const i64 product = Signed(a, 8u << size) * Signed(b, 8u << size);
  if (size == 2) return product == 1ll << 62 ? INT64_MAX : product * 2;
  return Signed(Saturated(product * 2, 16u << size, 1), 16u << size);
}

u64 HighDoubled(u64 a, u64 b, u32 size, u32 rounds) {
  const u32 bits = 8u << size;
  const i64 product = Signed(a, bits) * Signed(b, bits);
  // Twice the product and half a unit, over 2^bits: all of it halved, so that it fits.
  return Saturated((product + (rounds ? 1ll << (bits - 2) : 0)) >> (bits - 1), bits, 1);
}

u64 CarrylessProduct(u64 a, u64 b) {
  u64 product = 0;
  for (; b != 0; b >>= 1, a <<= 1) product ^= b & 1 ? a : 0;
  return product;
}

static u64 ShiftedRight(u64 value, u32 shift, u32 size, u32 is_unsigned, u32 rounds) {
  const u32 bits = 8u << size;
  const i64 number = Number(value, size, is_unsigned);
  if (shift > bits) return !rounds && !is_unsigned && number < 0 ? ~0ull : 0;
  const u64 last = is_unsigned ? value >> (shift - 1) & 1 : (u64)(number >> (shift - 1)) & 1;
  const u64 kept = shift == 64   ? (!is_unsigned && number < 0 ? ~0ull : 0)
                   : is_unsigned ? value >> shift
                                 : (u64)(number >> shift);
  return kept + (rounds ? last : 0);
}

u64 Shifted(u64 value, i32 shift, u32 size, u32 is_unsigned, u32 how) {
  const u32 bits = 8u << size;
  if (shift < 0) return ShiftedRight(value, (u32)-shift, size, is_unsigned, how & kRounds);
  const u32 up = (u32)shift;
  if (!(how & kSaturates)) return up >= bits ? 0 : value << up;
  const i64 number = Number(value, size, is_unsigned);
  if (how & kToUnsigned) {
    if (number < 0) return 0;
    is_unsigned = 1;
  }
  if (value == 0) return 0;
  const int fits =
      up < bits && (is_unsigned ? (value & Ones(bits)) <= Ones(bits) >> up
                                : Signed(Signed(value << up, bits) >> up, bits) == number);
  if (fits) return value << up;
  return is_unsigned ? Ones(bits) : number < 0 ? 1ull << (bits - 1) : Ones(bits - 1);
}
