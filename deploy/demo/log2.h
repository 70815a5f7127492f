#pragma once

// For guests without a library: log2 of a positive normal number: exponent, and a parabola over the
// mantissa (error < 0.008).
static double Log2(double x) {
  unsigned long long bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  double exponent = (double)((long long)(bits >> 52) - 1023);
  bits = (bits & 0xFFFFFFFFFFFFFull) | 0x3FF0000000000000ull;
  double mantissa;
  __builtin_memcpy(&mantissa, &bits, sizeof mantissa);
  return exponent + (mantissa - 1.0) * (1.0 + (2.0 - mantissa) * 0.3446);
}
