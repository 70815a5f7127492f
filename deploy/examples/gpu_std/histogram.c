// How many numbers fall into each of 32 bins: the instances of a group count in the memory that
// they share, and each then gives the count of one bin, times the bin's number plus one.
//
//     $ clang --target=wasm32 -nostdlib -Wl,--no-entry -O2 -o h.wasm gpu_std/histogram.c
//     $ wasmburstctl -q job run h.wasm --call count --arg 0..32 --arg 1000 --ordered -o csv >h.csv
//     $ cut -d, -f5 h.csv | head -4
//     result
//     1012
//     2060
//     2949
//
// With -DALONE each instance counts in its own memory, and gives the sum over all bins.
#include "gpu_std.h"

#define BINS 32

// The bin that number i falls into.
static uint32_t bin(uint32_t i) {
  i = (i ^ i >> 15) * 2246822519u;
  i = (i ^ i >> 13) * 3266489917u;
  return (i ^ i >> 16) % BINS;
}

__attribute__((export_name("count"))) int32_t count(int32_t instance, int32_t numbers) {
  const uint32_t begin = (uint32_t)instance * (uint32_t)numbers;
#ifdef ALONE
  static int32_t counts[BINS];
  for (uint32_t i = 0; i < (uint32_t)numbers; ++i) ++counts[bin(begin + i)];
  int32_t all = 0;
  for (int32_t b = 0; b < BINS; ++b) all += counts[b] * (b + 1);
  return all;
#else
  for (uint32_t i = 0; i < (uint32_t)numbers; ++i) {
    gpu_group_atomic_add_i32((int32_t)bin(begin + i) * 4, 1);
  }
  gpu_barrier();
  const int32_t lane = gpu_lane_id();
  return gpu_group_load_i32(lane * 4) * (lane + 1);
#endif
}
