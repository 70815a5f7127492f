// The Mandelbrot set in f64: an instance is 16 points of a row of a picture of 1024 x 1024, at most
// 256 rounds each. Each 32 instances in a row are neighbours in the picture; which neighbours
// jumps, so that a few instances take on average what all of them take.
#include "guest.h"

enum { kSide = 1024, kPoints = 16, kMost = 256, kStretches = kSide * kSide / kPoints };

EXPORT("mandelbrot") uint32_t Mandelbrot(uint32_t instance) {
  const uint32_t group = instance / 32 * 1237 % (kStretches / 32);
  const uint32_t first = (group * 32 + instance % 32) * kPoints;
  const double y = (double)(first / kSide) * (2.5 / kSide) - 1.25;
  uint32_t digest = kFoldStart;
  for (uint32_t point = 0; point < kPoints; ++point) {
    const double x = (double)((first + point) % kSide) * (2.5 / kSide) - 2;
    double zx = 0, zy = 0;
    uint32_t rounds = 0;
    for (; rounds < kMost && zx * zx + zy * zy < 4; ++rounds) {
      const double next = zx * zx - zy * zy + x;
      zy = 2 * zx * zy + y;
      zx = next;
    }
    digest = Fold(digest, rounds);
  }
  return digest;
}
