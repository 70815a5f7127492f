// What all other bodies do to one, a body for each instance. The group takes the bodies in tiles of
// 32: each instance puts one of them into the memory that they share, and all look at all 32.
//
//     $ clang --target=wasm32 -nostdlib -Wl,--no-entry -O2 -o n.wasm gpu_std/nbody.c
//     $ wasmburstctl -q job run n.wasm --call pull --arg 0..64 --arg 64 --ordered -o csv >n.csv
//     $ cut -d, -f5 n.csv | head -3
//     result
//     128.21140867042593
//     103.04710432751335
//
// With -DALONE each instance makes all bodies itself. Both give the same bits.
#include "gpu_std.h"

typedef struct {
  double x, y, mass;
} Body;

static double unit(uint32_t i) {
  i = (i ^ i >> 15) * 2246822519u;
  i = (i ^ i >> 13) * 3266489917u;
  return (double)(i ^ i >> 16) / 4294967296.0;
}
static Body body(uint32_t i) {
  const Body made = {unit(3 * i), unit(3 * i + 1), unit(3 * i + 2)};
  return made;
}

static double pull_of(Body on, Body by) {
  const double x = by.x - on.x, y = by.y - on.y;
  const double square = x * x + y * y + 0.0001;
  return by.mass * x / (square * __builtin_sqrt(square));
}

__attribute__((export_name("pull"))) double pull(int32_t instance, int32_t bodies) {
  const Body own = body((uint32_t)instance);
  double all = 0;
#ifdef ALONE
  for (int32_t i = 0; i < bodies; ++i) all += pull_of(own, body((uint32_t)i));
#else
  const int32_t lane = gpu_lane_id();
  for (int32_t tile = 0; tile < bodies; tile += GPU_GROUP_SIZE) {
    const Body one = body((uint32_t)(tile + lane));
    gpu_group_store_f64(lane * 24, one.x);
    gpu_group_store_f64(lane * 24 + 8, one.y);
    gpu_group_store_f64(lane * 24 + 16, one.mass);
    gpu_barrier();
    for (int32_t i = 0; i < GPU_GROUP_SIZE && tile + i < bodies; ++i) {
      const Body by = {gpu_group_load_f64(i * 24), gpu_group_load_f64(i * 24 + 8),
                       gpu_group_load_f64(i * 24 + 16)};
      all += pull_of(own, by);
    }
    gpu_barrier();
  }
#endif
  return all;
}
