// What programs do with floats: the guests of float_guests.cc. Each export works `rounds` times on
// numbers made from the seed and returns a digest of what it computed.
#include <stdint.h>

#ifndef EXPORT  // bench/race includes this file
#define EXPORT(name) __attribute__((export_name(name)))
#endif

// Between 0 and 1, a step of 2^-24.
static uint32_t Next(uint32_t* state) { return *state = *state * 1664525u + 1013904223u; }
static double Double(uint32_t* state) { return (double)(Next(state) >> 8) * 0x1p-24; }
static float Float(uint32_t* state) { return (float)(Next(state) >> 8) * 0x1p-24f; }

// Bodies that attract one another, the step's velocities first, then the places. Returns the
// energy.
enum { kBodies = 5 };
typedef struct {
  double at[3], speed[3], mass;
} Body;
static Body bodies[kBodies];

static void Attract(Body* a, Body* b, double step) {
  double d[3], square = 0.01;
  for (int i = 0; i < 3; ++i) {
    d[i] = a->at[i] - b->at[i];
    square += d[i] * d[i];
  }
  const double force = step / (square * __builtin_sqrt(square));
  for (int i = 0; i < 3; ++i) {
    a->speed[i] -= d[i] * b->mass * force;
    b->speed[i] += d[i] * a->mass * force;
  }
}

EXPORT("nbody") double NBody(uint32_t seed, uint32_t rounds) {
  for (int k = 0; k < kBodies; ++k) {
    for (int i = 0; i < 3; ++i) {
      bodies[k].at[i] = 4 * Double(&seed) - 2;
      bodies[k].speed[i] = Double(&seed) - 0.5;
    }
    bodies[k].mass = 0.1 + Double(&seed);
  }
  for (uint32_t round = 0; round < rounds; ++round) {
    for (int k = 0; k < kBodies; ++k) {
      for (int l = k + 1; l < kBodies; ++l) Attract(&bodies[k], &bodies[l], 0.001);
    }
    for (int k = 0; k < kBodies; ++k) {
      for (int i = 0; i < 3; ++i) bodies[k].at[i] += 0.001 * bodies[k].speed[i];
    }
  }
  double energy = 0;
  for (int k = 0; k < kBodies; ++k) {
    for (int i = 0; i < 3; ++i) {
      energy += 0.5 * bodies[k].mass * bodies[k].speed[i] * bodies[k].speed[i];
    }
  }
  return energy;
}

// c += a * b of square matrices; returns the sum of c.
enum { kSide = 24 };
#define GEMM(name, function, type, random)                            \
  static type a_##function[kSide][kSide], b_##function[kSide][kSide]; \
  static type c_##function[kSide][kSide];                             \
  EXPORT(name) type function(uint32_t seed, uint32_t rounds) {        \
    for (int i = 0; i < kSide; ++i) {                                 \
      for (int j = 0; j < kSide; ++j) {                               \
        a_##function[i][j] = random(&seed);                           \
        b_##function[i][j] = random(&seed) - (type)0.5;               \
        c_##function[i][j] = random(&seed);                           \
      }                                                               \
    }                                                                 \
    for (uint32_t round = 0; round < rounds; ++round) {               \
      for (int i = 0; i < kSide; ++i) {                               \
        for (int j = 0; j < kSide; ++j) {                             \
          type sum = c_##function[i][j];                              \
          for (int k = 0; k < kSide; ++k) {                           \
            sum += a_##function[i][k] * b_##function[k][j];           \
          }                                                           \
          c_##function[i][j] = sum;                                   \
        }                                                             \
      }                                                               \
    }                                                                 \
    type all = 0;                                                     \
    for (int i = 0; i < kSide; ++i) {                                 \
      for (int j = 0; j < kSide; ++j) all += c_##function[i][j];      \
    }                                                                 \
    return all;                                                       \
  }
GEMM("gemm64", Gemm64, double, Double)
GEMM("gemm32", Gemm32, float, Float)

// A picture through a filter of 5 x 5, into the other picture and back; returns its middle's sum.
enum { kPicture = 48, kFilter = 5 };
static float pictures[2][kPicture][kPicture], filter[kFilter][kFilter];

static void Filter(const float from[kPicture][kPicture], float to[kPicture][kPicture]) {
  for (int y = 0; y + kFilter <= kPicture; ++y) {
    for (int x = 0; x + kFilter <= kPicture; ++x) {
      float sum = 0;
      for (int j = 0; j < kFilter; ++j) {
        for (int i = 0; i < kFilter; ++i) sum += from[y + j][x + i] * filter[j][i];
      }
      to[y + 2][x + 2] = sum;
    }
  }
}

EXPORT("conv32") float Conv32(uint32_t seed, uint32_t rounds) {
  for (int j = 0; j < kFilter; ++j) {
    for (int i = 0; i < kFilter; ++i) filter[j][i] = Float(&seed) * 0.08f;
  }
  for (int y = 0; y < kPicture; ++y) {
    for (int x = 0; x < kPicture; ++x) pictures[0][y][x] = pictures[1][y][x] = Float(&seed);
  }
  for (uint32_t round = 0; round < rounds; ++round) {
    Filter(pictures[round % 2], pictures[1 - round % 2]);
  }
  float sum = 0;
  for (int y = 16; y < 32; ++y) {
    for (int x = 16; x < 32; ++x) sum += pictures[rounds % 2][y][x];
  }
  return sum;
}

// Escape of z * z + c over a stretch of points; returns the rounds of all.
EXPORT("mandelbrot64") double Mandelbrot64(uint32_t seed, uint32_t rounds) {
  uint32_t total = 0;
  for (int point = 0; point < 8; ++point) {
    const double x = -0.8 + 0.1 * Double(&seed), y = 0.1 * Double(&seed);
    double zx = 0, zy = 0;
    for (uint32_t i = 0; i < rounds && zx * zx + zy * zy < 4; ++i) {
      const double next = zx * zx - zy * zy + x;
      zy = 2 * zx * zy + y;
      zx = next;
      ++total;
    }
  }
  return total;
}
