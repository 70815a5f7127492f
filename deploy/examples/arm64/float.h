// Arithmetic of floats as ARM64 has it: NaNs are those of operands, made quiet, and the default
// one.
#ifndef EXAMPLES_ARM64_FLOAT_H_
#define EXAMPLES_ARM64_FLOAT_H_

#include "arm64.h"

// Values are bits in a u64; `wide`: f64, else f32.
enum { kFAdd, kFSub, kFMul, kFDiv, kFMax, kFMin, kFMaxNum, kFMinNum, kFMulX };
// Ways to round: to the nearest even, up, down, to zero, to the nearest away from zero.
enum { kNearest, kUp, kDown, kToZero, kAway };

u64 FloatBinary(u32 operation, u64 a, u64 b, u32 wide);
u64 FloatFused(u64 addend, u64 a, u64 b, u32 wide);  // addend + a * b, rounded once
u64 FloatRoot(u64 a, u32 wide);
u64 FloatRounded(u64 a, u32 way, u32 wide);
u64 FloatNegated(u64 a, u32 wide);
u64 FloatConverted(u64 a, u32 from, u32 to);  // types of instructions: 0 f32, 1 f64, 3 f16
// Saturating; `bits` of the result, `fraction` of these behind the point.
u64 FloatToInteger(u64 a, u32 wide, u32 way, u32 is_signed, u32 bits, u32 fraction);
u64 FloatOfInteger(u64 a, u32 wide, u32 is_signed, u32 bits, u32 fraction);
u32 FloatNzcv(u64 a, u64 b, u32 wide);
u64 FloatOfImmediate(u32 imm8, u32 wide);

// estimate.c
u32 IntegerEstimate(u32 a, u32 of_root);
u64 FloatReciprocal(u64 a, u32 wide);
u64 FloatRootReciprocal(u64 a, u32 wide);
u64 FloatExponentReciprocal(u64 a, u32 wide);
u64 FloatStep(u64 a, u64 b, u32 of_root, u32 wide);
u64 FloatToOdd(u64 a);

#endif  // EXAMPLES_ARM64_FLOAT_H_
