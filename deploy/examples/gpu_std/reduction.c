// A sum over many numbers: each instance sums its stretch of them, and a group the sums of its
// instances.
//
//     $ clang --target=wasm32 -nostdlib -Wl,--no-entry -O2 -o sum.wasm gpu_std/reduction.c
//     $ wasmburstctl -q job run sum.wasm --call sum --arg 0..64 --arg 1000 -o csv >sums.csv
//     $ cut -d, -f5 sums.csv | sort -u
//     1048539239
//     1048568991
//     result
//
// With -DALONE instances have no group, and each gives its own sum (bench/group_programs.sh).
#include "gpu_std.h"

static uint32_t number(uint32_t i) { return (i * 2654435761u) >> 16 & 0xffff; }

__attribute__((export_name("sum"))) int64_t sum(int32_t instance, int32_t numbers) {
  const uint32_t begin = (uint32_t)instance * (uint32_t)numbers;
  int64_t own = 0;
  for (uint32_t i = 0; i < (uint32_t)numbers; ++i) own += number(begin + i);
#ifdef ALONE
  return own;
#else
  return gpu_sum_i64(own);
#endif
}
