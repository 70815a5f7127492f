// The demo's guest: one row of the Mandelbrot set per instance, written as plain sequential C.
// clang --target=wasm32 turns it into a module without imports (deploy/demo/build_wasm.sh).
//
// `row` fills the row's buffer and returns its address. The picture is kSize x kSize pixels of
// 2 x 2 samples; a sample is a 16-bit escape count in steps of 1/kSteps, kInside where the point
// did not escape.

#include "log2.h"

enum {
  kSize = 1024,                  // pixels across and down
  kSamples = 2 * kSize,          // samples across
  kSamplesOfRow = 2 * kSamples,  // two lines of samples make one row of pixels
  kSteps = 48,
  kMaxIterations = 1000,
  kInside = 0xFFFF,
};

static const double kLeft = -2.15, kTop = -1.35, kWidth = 2.7;

static unsigned short samples[kSamplesOfRow];

static unsigned short Escape(double cx, double cy) {
  double x = 0, y = 0, xx = 0, yy = 0;
  int n = 0;
  while (n < kMaxIterations && xx + yy < 256.0) {
    y = 2 * x * y + cy;
    x = xx - yy + cx;
    xx = x * x;
    yy = y * y;
    ++n;
  }
  if (n == kMaxIterations) return kInside;
  // Continuous between the bands: |z| squares at each step, so log2(log2 |z|) falls by one.
  return (unsigned short)((n + 4.0 - Log2(Log2(xx + yy))) * kSteps);
}

__attribute__((export_name("row"))) unsigned short* Row(int pixel_row) {
  const double step = kWidth / kSamples;
  for (int i = 0; i < kSamplesOfRow; ++i) {
    int line = 2 * pixel_row + (i >= kSamples);
    int column = i >= kSamples ? i - kSamples : i;
    samples[i] = Escape(kLeft + (column + 0.5) * step, kTop + (line + 0.5) * step);
  }
  return samples;
}
