/* gpu_std: what the instances of a job, and of a group of 32 that follow one another, ask of the
 * engine. For clang's target wasm32; the functions are imports of the module `gpu_std`.
 *
 * A collective waits until every instance of the group that has not ended is at the same one. Folds
 * go from the lowest lane up, so sums of floats have the same bits on every device. Instances that
 * have ended take no part. Where all are at collectives that differ, each traps,
 * COLLECTIVE_MISMATCH. compiler/docs/collectives.md has the whole definition. */
#ifndef GPU_STD_H
#define GPU_STD_H

#include <stdint.h>

#define GPU_GROUP_SIZE 32

#ifdef __cplusplus
extern "C" {
#endif

#define GPU_STD(name) __attribute__((import_module("gpu_std"), import_name(name)))

/* The instance in its job; its place in its group, 0 to 31. */
GPU_STD("instance_id") int64_t gpu_instance_id(void);
GPU_STD("instance_count") int64_t gpu_instance_count(void);
GPU_STD("lane_id") int32_t gpu_lane_id(void);
GPU_STD("group_size") int32_t gpu_group_size(void);

/* Appends bytes to the instance's log: its output "log", or a program's standard error. At most
 * 65,536 bytes a call. */
GPU_STD("log") void gpu_log(const char* bytes, int32_t count);
/* Ends the instance in the trap ASSERTION_FAILED, with this code, unless it holds. Only an
 * assertion that fails asks the engine. */
GPU_STD("assert") void gpu_assert_by_engine(int32_t holds, int32_t code);
static inline void gpu_assert(int32_t holds, int32_t code) {
  if (!holds) gpu_assert_by_engine(0, code);
}

/* The group meets. */
GPU_STD("barrier") void gpu_barrier(void);

/* Over the group. min_s and max_s are signed, min_u and max_u unsigned. */
GPU_STD("sum_i32") int32_t gpu_sum_i32(int32_t value);
GPU_STD("sum_i64") int64_t gpu_sum_i64(int64_t value);
GPU_STD("sum_f32") float gpu_sum_f32(float value);
GPU_STD("sum_f64") double gpu_sum_f64(double value);
GPU_STD("min_s_i32") int32_t gpu_min_s_i32(int32_t value);
GPU_STD("min_u_i32") int32_t gpu_min_u_i32(int32_t value);
GPU_STD("min_s_i64") int64_t gpu_min_s_i64(int64_t value);
GPU_STD("min_u_i64") int64_t gpu_min_u_i64(int64_t value);
GPU_STD("min_f32") float gpu_min_f32(float value);
GPU_STD("min_f64") double gpu_min_f64(double value);
GPU_STD("max_s_i32") int32_t gpu_max_s_i32(int32_t value);
GPU_STD("max_u_i32") int32_t gpu_max_u_i32(int32_t value);
GPU_STD("max_s_i64") int64_t gpu_max_s_i64(int64_t value);
GPU_STD("max_u_i64") int64_t gpu_max_u_i64(int64_t value);
GPU_STD("max_f32") float gpu_max_f32(float value);
GPU_STD("max_f64") double gpu_max_f64(double value);
GPU_STD("and_i32") int32_t gpu_and_i32(int32_t value);
GPU_STD("and_i64") int64_t gpu_and_i64(int64_t value);
GPU_STD("or_i32") int32_t gpu_or_i32(int32_t value);
GPU_STD("or_i64") int64_t gpu_or_i64(int64_t value);
GPU_STD("xor_i32") int32_t gpu_xor_i32(int32_t value);
GPU_STD("xor_i64") int64_t gpu_xor_i64(int64_t value);

/* 1 or 0: some value, every value is not 0. ballot: bit i: the value of lane i is not 0. */
GPU_STD("any") int32_t gpu_any(int32_t value);
GPU_STD("all") int32_t gpu_all(int32_t value);
GPU_STD("ballot") int32_t gpu_ballot(int32_t value);

/* The value of the lane named; of shuffle_xor, of the lane whose number differs by these bits.
 * Modulo 32. 0 where that lane takes no part. */
GPU_STD("broadcast_i32") int32_t gpu_broadcast_i32(int32_t value, int32_t lane);
GPU_STD("broadcast_i64") int64_t gpu_broadcast_i64(int64_t value, int32_t lane);
GPU_STD("broadcast_f32") float gpu_broadcast_f32(float value, int32_t lane);
GPU_STD("broadcast_f64") double gpu_broadcast_f64(double value, int32_t lane);
GPU_STD("shuffle_i32") int32_t gpu_shuffle_i32(int32_t value, int32_t lane);
GPU_STD("shuffle_i64") int64_t gpu_shuffle_i64(int64_t value, int32_t lane);
GPU_STD("shuffle_f32") float gpu_shuffle_f32(float value, int32_t lane);
GPU_STD("shuffle_f64") double gpu_shuffle_f64(double value, int32_t lane);
GPU_STD("shuffle_xor_i32") int32_t gpu_shuffle_xor_i32(int32_t value, int32_t bits);
GPU_STD("shuffle_xor_i64") int64_t gpu_shuffle_xor_i64(int64_t value, int32_t bits);
GPU_STD("shuffle_xor_f32") float gpu_shuffle_xor_f32(float value, int32_t bits);
GPU_STD("shuffle_xor_f64") double gpu_shuffle_xor_f64(double value, int32_t bits);

/* The same over four lanes from a multiple of 4 on. The whole group meets. */
GPU_STD("quad_sum_i32") int32_t gpu_quad_sum_i32(int32_t value);
GPU_STD("quad_sum_i64") int64_t gpu_quad_sum_i64(int64_t value);
GPU_STD("quad_sum_f32") float gpu_quad_sum_f32(float value);
GPU_STD("quad_sum_f64") double gpu_quad_sum_f64(double value);
GPU_STD("quad_min_s_i32") int32_t gpu_quad_min_s_i32(int32_t value);
GPU_STD("quad_min_u_i32") int32_t gpu_quad_min_u_i32(int32_t value);
GPU_STD("quad_min_s_i64") int64_t gpu_quad_min_s_i64(int64_t value);
GPU_STD("quad_min_u_i64") int64_t gpu_quad_min_u_i64(int64_t value);
GPU_STD("quad_min_f32") float gpu_quad_min_f32(float value);
GPU_STD("quad_min_f64") double gpu_quad_min_f64(double value);
GPU_STD("quad_max_s_i32") int32_t gpu_quad_max_s_i32(int32_t value);
GPU_STD("quad_max_u_i32") int32_t gpu_quad_max_u_i32(int32_t value);
GPU_STD("quad_max_s_i64") int64_t gpu_quad_max_s_i64(int64_t value);
GPU_STD("quad_max_u_i64") int64_t gpu_quad_max_u_i64(int64_t value);
GPU_STD("quad_max_f32") float gpu_quad_max_f32(float value);
GPU_STD("quad_max_f64") double gpu_quad_max_f64(double value);
GPU_STD("quad_and_i32") int32_t gpu_quad_and_i32(int32_t value);
GPU_STD("quad_and_i64") int64_t gpu_quad_and_i64(int64_t value);
GPU_STD("quad_or_i32") int32_t gpu_quad_or_i32(int32_t value);
GPU_STD("quad_or_i64") int64_t gpu_quad_or_i64(int64_t value);
GPU_STD("quad_xor_i32") int32_t gpu_quad_xor_i32(int32_t value);
GPU_STD("quad_xor_i64") int64_t gpu_quad_xor_i64(int64_t value);
GPU_STD("quad_any") int32_t gpu_quad_any(int32_t value);
GPU_STD("quad_all") int32_t gpu_quad_all(int32_t value);
GPU_STD("quad_ballot") int32_t gpu_quad_ballot(int32_t value);
GPU_STD("quad_broadcast_i32") int32_t gpu_quad_broadcast_i32(int32_t value, int32_t lane);
GPU_STD("quad_broadcast_i64") int64_t gpu_quad_broadcast_i64(int64_t value, int32_t lane);
GPU_STD("quad_broadcast_f32") float gpu_quad_broadcast_f32(float value, int32_t lane);
GPU_STD("quad_broadcast_f64") double gpu_quad_broadcast_f64(double value, int32_t lane);
GPU_STD("quad_shuffle_i32") int32_t gpu_quad_shuffle_i32(int32_t value, int32_t lane);
GPU_STD("quad_shuffle_i64") int64_t gpu_quad_shuffle_i64(int64_t value, int32_t lane);
GPU_STD("quad_shuffle_f32") float gpu_quad_shuffle_f32(float value, int32_t lane);
GPU_STD("quad_shuffle_f64") double gpu_quad_shuffle_f64(double value, int32_t lane);
GPU_STD("quad_shuffle_xor_i32") int32_t gpu_quad_shuffle_xor_i32(int32_t value, int32_t bits);
GPU_STD("quad_shuffle_xor_i64") int64_t gpu_quad_shuffle_xor_i64(int64_t value, int32_t bits);
GPU_STD("quad_shuffle_xor_f32") float gpu_quad_shuffle_xor_f32(float value, int32_t bits);
GPU_STD("quad_shuffle_xor_f64") double gpu_quad_shuffle_xor_f64(double value, int32_t bits);

/* The sum up to this lane, and below it. */
GPU_STD("inclusive_scan_i32") int32_t gpu_inclusive_scan_i32(int32_t value);
GPU_STD("inclusive_scan_i64") int64_t gpu_inclusive_scan_i64(int64_t value);
GPU_STD("inclusive_scan_f32") float gpu_inclusive_scan_f32(float value);
GPU_STD("inclusive_scan_f64") double gpu_inclusive_scan_f64(double value);
GPU_STD("exclusive_scan_i32") int32_t gpu_exclusive_scan_i32(int32_t value);
GPU_STD("exclusive_scan_i64") int64_t gpu_exclusive_scan_i64(int64_t value);
GPU_STD("exclusive_scan_f32") float gpu_exclusive_scan_f32(float value);
GPU_STD("exclusive_scan_f64") double gpu_exclusive_scan_f64(double value);

/* The group's memory: 8,192 bytes that its instances share, zeros at first. An address outside, or
 * one that is no multiple of the value's size, traps OUT_OF_BOUNDS_MEMORY. Between two meetings of
 * the group no instance may load what another one stores: a barrier comes between them. The atomic
 * ones may come together; each gives what was there before. compiler/docs/group_memory.md. */
#define GPU_GROUP_BYTES 8192
GPU_STD("group_load_i32") int32_t gpu_group_load_i32(int32_t address);
GPU_STD("group_load_i64") int64_t gpu_group_load_i64(int32_t address);
GPU_STD("group_load_f32") float gpu_group_load_f32(int32_t address);
GPU_STD("group_load_f64") double gpu_group_load_f64(int32_t address);
GPU_STD("group_store_i32") void gpu_group_store_i32(int32_t address, int32_t value);
GPU_STD("group_store_i64") void gpu_group_store_i64(int32_t address, int64_t value);
GPU_STD("group_store_f32") void gpu_group_store_f32(int32_t address, float value);
GPU_STD("group_store_f64") void gpu_group_store_f64(int32_t address, double value);
GPU_STD("group_atomic_add_i32")
int32_t gpu_group_atomic_add_i32(int32_t address, int32_t value);
GPU_STD("group_atomic_and_i32")
int32_t gpu_group_atomic_and_i32(int32_t address, int32_t value);
GPU_STD("group_atomic_or_i32")
int32_t gpu_group_atomic_or_i32(int32_t address, int32_t value);
GPU_STD("group_atomic_xor_i32")
int32_t gpu_group_atomic_xor_i32(int32_t address, int32_t value);
GPU_STD("group_atomic_min_s_i32")
int32_t gpu_group_atomic_min_s_i32(int32_t address, int32_t value);
GPU_STD("group_atomic_max_s_i32")
int32_t gpu_group_atomic_max_s_i32(int32_t address, int32_t value);
GPU_STD("group_atomic_min_u_i32")
int32_t gpu_group_atomic_min_u_i32(int32_t address, int32_t value);
GPU_STD("group_atomic_max_u_i32")
int32_t gpu_group_atomic_max_u_i32(int32_t address, int32_t value);
GPU_STD("group_atomic_exchange_i32")
int32_t gpu_group_atomic_exchange_i32(int32_t address, int32_t value);
GPU_STD("group_atomic_compare_exchange_i32")
int32_t gpu_group_atomic_compare_exchange_i32(int32_t address, int32_t expected, int32_t value);

/* Calls `each` with the numbers from `begin` on and below `end`, as lane 0 gives them: lane i of
 * the group with begin + i, and then each 32nd one. All instances of the group that have not ended
 * call it, and it ends with a meeting. Numbers of a lane that has ended are taken by nobody. */
static inline void gpu_group_for(void (*each)(int32_t number, void* what), int32_t begin,
                                 int32_t end, void* what) {
  const int32_t lane = gpu_lane_id();
  begin = gpu_broadcast_i32(begin, 0);
  end = gpu_broadcast_i32(end, 0);
  for (int32_t number = begin + lane; number < end; number += GPU_GROUP_SIZE) each(number, what);
  gpu_barrier();
}

#ifdef __cplusplus
}
#endif

#endif
