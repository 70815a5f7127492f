// A parameter sweep: the Gray-Scott model of two substances that react and spread, on a torus of
// kSide x kSide cells. What comes of a drop of V in a sea of U depends on two numbers alone: how
// fast U is fed and V is taken away.
#include <stdint.h>

#ifdef __wasm__
#define EXPORT(name) __attribute__((export_name(name)))
#else
#define EXPORT(name)
#endif

enum { kSide = 32, kCells = kSide * kSide, kMask = kSide - 1 };

typedef float Field[kSide][kSide];
static Field u[2], v[2];
static uint8_t picture[kCells];

static void Pour(void) {
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      // A square, a little off the middle and with a notch, so that nothing stays symmetric.
      const int drop = x >= 11 && x < 20 && y >= 12 && y < 19 && !(x > 16 && y > 16);
      u[0][y][x] = drop ? 0.5f : 1.0f;
      v[0][y][x] = drop ? 0.25f : 0.0f;
    }
  }
}

static float Spread(Field f, int y, int x) {
  const int up = (y - 1) & kMask, down = (y + 1) & kMask, left = (x - 1) & kMask,
            right = (x + 1) & kMask;
  const float sides = f[up][x] + f[down][x] + f[y][left] + f[y][right];
  const float corners = f[up][left] + f[up][right] + f[down][left] + f[down][right];
  return 0.2f * sides + 0.05f * corners - f[y][x];
}

static void Step(int from, float feed, float kill) {
  const int to = 1 - from;
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      const float uu = u[from][y][x], vv = v[from][y][x];
      const float reacts = uu * vv * vv;
      u[to][y][x] = uu + (1.0f * Spread(u[from], y, x) - reacts + feed * (1.0f - uu));
      v[to][y][x] = vv + (0.5f * Spread(v[from], y, x) + reacts - (feed + kill) * vv);
    }
  }
}

// The address of kCells bytes: V, 0 to 0.4 as 0 to 255.
EXPORT("pattern") const uint8_t* Pattern(float feed, float kill, int32_t steps) {
  Pour();
  for (int32_t i = 0; i < steps; ++i) Step(i & 1, feed, kill);
  for (int i = 0; i < kCells; ++i) {
    const float level = (&v[steps & 1][0][0])[i] * 637.5f;
    picture[i] = (uint8_t)(level < 0.0f ? 0.0f : level > 255.0f ? 255.0f : level);
  }
  return picture;
}
