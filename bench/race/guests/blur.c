// A picture of 200 x 200 with 24 bits a point, blurred by a Gauss curve of sigma 10 in f32, columns
// first: the input of the closest published system.
#include "guest.h"

enum { kSide = 200, kColours = 3, kRow = kSide * kColours, kRadius = 20, kTaps = 2 * kRadius + 1 };
static uint8_t picture[kSide][kRow];
static float columns[kSide][kRow];
static float weights[kTaps];

// exp(-k * k / 200) by products alone, which every machine rounds the same way.
static void MakeWeights(void) {
  const float by = 0x1.fd7246p-1f, square = by * by;  // exp(-1 / 200)
  float weight = 1, step = by, sum = 1;
  weights[kRadius] = 1;
  for (int k = 1; k <= kRadius; ++k) {
    weight *= step;
    step *= square;
    weights[kRadius + k] = weights[kRadius - k] = weight;
    sum += 2 * weight;
  }
  for (int k = 0; k < kTaps; ++k) weights[k] /= sum;
}

static int Inside(int at) { return at < 0 ? 0 : at < kSide ? at : kSide - 1; }

static void BlurColumns(void) {
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kRow; ++x) {
      float sum = 0;
      for (int k = 0; k < kTaps; ++k)
        sum += weights[k] * (float)picture[Inside(y + k - kRadius)][x];
      columns[y][x] = sum;
    }
  }
}

static void BlurRows(void) {
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      for (int colour = 0; colour < kColours; ++colour) {
        float sum = 0;
        for (int k = 0; k < kTaps; ++k) {
          sum += weights[k] * columns[y][kColours * Inside(x + k - kRadius) + colour];
        }
        picture[y][kColours * x + colour] = (uint8_t)(sum + 0.5f);
      }
    }
  }
}

EXPORT("blur") uint32_t Blur(uint32_t instance) {
  uint32_t random = FirstRandom(instance);
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kRow; ++x) picture[y][x] = (uint8_t)(Next(&random) >> 24);
  }
  MakeWeights();
  BlurColumns();
  BlurRows();
  uint32_t digest = kFoldStart;
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kRow; ++x) digest = Fold(digest, picture[y][x]);
  }
  return digest;
}
