// Elements of vector registers, and what one element becomes.
#ifndef EXAMPLES_ARM64_VECTOR_H_
#define EXAMPLES_ARM64_VECTOR_H_

#include "float.h"

// `size`: an element has 8 << size bits.
static inline u64 Element(const Vector* v, u32 size, u32 index) {
  switch (size) {
    case 0: return v->b[index];
    case 1: return v->h[index];
    case 2: return v->s[index];
    default: return v->d[index];
  }
}
static inline void SetElement(Vector* v, u32 size, u32 index, u64 value) {
  switch (size) {
    case 0: v->b[index] = (u8)value; break;
    case 1: v->h[index] = (u16)value; break;
    case 2: v->s[index] = (u32)value; break;
    default: v->d[index] = value; break;
  }
}

// What the encodings have in common: registers, Q (16 bytes instead of 8), U, the size, scalar
// forms.
typedef struct {
  u32 word, rd, rn, rm, q, u, size, scalar, elements;
} Form;
Form FormOf(u32 word);
// An element as a number of 64 bits, by the sign that U names.
static inline i64 Number(u64 value, u32 size, u32 is_unsigned) {
  return is_unsigned ? (i64)value : Signed(value, 8u << size);
}

// Within what `bits` hold.
u64 Saturated(i64 value, u32 bits, u32 is_signed);
u64 SumSaturated(u64 a, u64 b, u32 size, u32 is_unsigned, u32 subtracts);
// 2 * a * b with its sign, saturated to 16 << size bits.
i64 DoubledProduct(u64 a, u64 b, u32 size);
u64 HighDoubled(u64 a, u64 b, u32 size, u32 rounds);
u64 CarrylessProduct(u64 a, u64 b);
// `shift` bits to the left, to the right where it is negative.
enum { kRounds = 1, kSaturates = 2, kToUnsigned = 4 };
u64 Shifted(u64 value, i32 shift, u32 size, u32 is_unsigned, u32 how);

#endif  // EXAMPLES_ARM64_VECTOR_H_
