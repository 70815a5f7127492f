// A program for ARM64 Linux: sorts numbers that follow from its argument, and says what it saw of
// them.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kNumbers = 1000 };

static int Compare(const void* a, const void* b) {
  const uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
  return (x > y) - (x < y);
}

int main(int argc, char** argv) {
  uint64_t state = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
  uint32_t numbers[kNumbers];
  double sum = 0;
  for (int i = 0; i < kNumbers; ++i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    numbers[i] = (uint32_t)(state >> 33);
    sum += sqrt(numbers[i]);
  }
  qsort(numbers, kNumbers, sizeof *numbers, Compare);
  uint64_t hash = 14695981039346656037u;
  for (int i = 0; i < kNumbers; ++i) hash = (hash ^ numbers[i]) * 1099511628211;
  printf("least %u, median %u, mean root %.6f, hash %016llx\n", numbers[0], numbers[kNumbers / 2],
         sum / kNumbers, (unsigned long long)hash);
  return 0;
}
