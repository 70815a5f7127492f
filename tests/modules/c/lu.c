// f64: LU decomposition with partial pivoting, a system solved with it, and the residual.
#include "guest.h"

enum { kN = 24 };
static double matrix[kN][kN], lu[kN][kN], right[kN], x[kN];
static uint32_t row_of[kN];

static void out_f64(double value) {
  uint64_t bits;
  memcpy(&bits, &value, 8);
  out_u64(bits);
}
static double magnitude(double value) { return value < 0 ? -value : value; }

// Seeds divisible by 8 give a singular matrix, whose last pivot is zero or rounding noise.
static void make(uint32_t seed) {
  for (int i = 0; i < kN; ++i) {
    for (int j = 0; j < kN; ++j) matrix[i][j] = (double)(int32_t)next_random() / 65536.0;
    right[i] = (double)(next_random() % 1000);
  }
  if (seed % 8 == 0) {
    for (int j = 0; j < kN; ++j) matrix[kN - 1][j] = matrix[0][j] + matrix[1][j];
  }
  memcpy(lu, matrix, sizeof(lu));
}

static int decompose(void) {
  int sign = 1;
  for (uint32_t i = 0; i < kN; ++i) row_of[i] = i;
  for (int k = 0; k < kN; ++k) {
    int pivot = k;
    for (int i = k + 1; i < kN; ++i) {
      if (magnitude(lu[i][k]) > magnitude(lu[pivot][k])) pivot = i;
    }
    if (pivot != k) {
      sign = -sign;
      uint32_t kept = row_of[k];
      row_of[k] = row_of[pivot];
      row_of[pivot] = kept;
      for (int j = 0; j < kN; ++j) {
        double moved = lu[k][j];
        lu[k][j] = lu[pivot][j];
        lu[pivot][j] = moved;
      }
    }
    for (int i = k + 1; i < kN; ++i) {
      double factor = lu[i][k] /= lu[k][k];
      for (int j = k + 1; j < kN; ++j) lu[i][j] -= factor * lu[k][j];
    }
  }
  return sign;
}

static void solve(void) {
  for (int i = 0; i < kN; ++i) {
    double sum = right[row_of[i]];
    for (int j = 0; j < i; ++j) sum -= lu[i][j] * x[j];
    x[i] = sum;
  }
  for (int i = kN - 1; i >= 0; --i) {
    double sum = x[i];
    for (int j = i + 1; j < kN; ++j) sum -= lu[i][j] * x[j];
    x[i] = sum / lu[i][i];
  }
}

EXPORT(run) uint32_t run(uint32_t seed) {
  seed_random(seed);
  make(seed);
  double determinant = decompose();
  for (int i = 0; i < kN; ++i) determinant *= lu[i][i];
  solve();
  double residual = 0;
  for (int i = 0; i < kN; ++i) {
    double sum = -right[i];
    for (int j = 0; j < kN; ++j) sum += matrix[i][j] * x[j];
    residual += sum * sum;
  }
  out_f64(determinant);
  out_f64(__builtin_sqrt(residual));
  out_f64(__builtin_floor(x[0]) + __builtin_trunc(x[1]) + __builtin_ceil(x[2]));
  for (int i = 0; i < kN; ++i) out_f64(x[i]);
  for (int i = 0; i < kN; ++i) out_byte(row_of[i]);
  float narrow = (float)residual;
  out_f64((double)narrow);
  return guest_output_size;
}
