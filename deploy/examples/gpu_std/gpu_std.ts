// gpu_std: what the instances of a job, and of a group of 32 that follow one another, ask of the
// engine. `gpu_std.h` says what the functions mean. For AssemblyScript:
// import * as gpu from "./gpu_std".
export const GROUP_SIZE: i32 = 32;

// @ts-ignore: decorator
@external("gpu_std", "instance_id")
export declare function instance_id(): i64;
// @ts-ignore: decorator
@external("gpu_std", "instance_count")
export declare function instance_count(): i64;
// @ts-ignore: decorator
@external("gpu_std", "lane_id")
export declare function lane_id(): i32;
// @ts-ignore: decorator
@external("gpu_std", "group_size")
export declare function group_size(): i32;
// Appends bytes to the instance's log, at most 65,536 a call.
// @ts-ignore: decorator
@external("gpu_std", "log")
export declare function log(bytes: usize, count: i32): void;
// Ends the instance in the trap ASSERTION_FAILED unless it holds.
// @ts-ignore: decorator
@external("gpu_std", "assert")
export declare function check(holds: i32, code: i32): void;
// @ts-ignore: decorator
@external("gpu_std", "barrier")
export declare function barrier(): void;
// @ts-ignore: decorator
@external("gpu_std", "sum_i32")
export declare function sum_i32(value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "sum_i64")
export declare function sum_i64(value: i64): i64;
// @ts-ignore: decorator
@external("gpu_std", "sum_f32")
export declare function sum_f32(value: f32): f32;
// @ts-ignore: decorator
@external("gpu_std", "sum_f64")
export declare function sum_f64(value: f64): f64;
// @ts-ignore: decorator
@external("gpu_std", "min_s_i32")
export declare function min_s_i32(value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "min_u_i32")
export declare function min_u_i32(value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "min_s_i64")
export declare function min_s_i64(value: i64): i64;
// @ts-ignore: decorator
@external("gpu_std", "min_u_i64")
export declare function min_u_i64(value: i64): i64;
// @ts-ignore: decorator
@external("gpu_std", "min_f32")
export declare function min_f32(value: f32): f32;
// @ts-ignore: decorator
@external("gpu_std", "min_f64")
export declare function min_f64(value: f64): f64;
// @ts-ignore: decorator
@external("gpu_std", "max_s_i32")
export declare function max_s_i32(value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "max_u_i32")
export declare function max_u_i32(value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "max_s_i64")
export declare function max_s_i64(value: i64): i64;
// @ts-ignore: decorator
@external("gpu_std", "max_u_i64")
export declare function max_u_i64(value: i64): i64;
// @ts-ignore: decorator
@external("gpu_std", "max_f32")
export declare function max_f32(value: f32): f32;
// @ts-ignore: decorator
@external("gpu_std", "max_f64")
export declare function max_f64(value: f64): f64;
// @ts-ignore: decorator
@external("gpu_std", "and_i32")
export declare function and_i32(value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "and_i64")
export declare function and_i64(value: i64): i64;
// @ts-ignore: decorator
@external("gpu_std", "or_i32")
export declare function or_i32(value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "or_i64")
export declare function or_i64(value: i64): i64;
// @ts-ignore: decorator
@external("gpu_std", "xor_i32")
export declare function xor_i32(value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "xor_i64")
export declare function xor_i64(value: i64): i64;
// @ts-ignore: decorator
@external("gpu_std", "any")
export declare function any(value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "all")
export declare function all(value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "ballot")
export declare function ballot(value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "broadcast_i32")
export declare function broadcast_i32(value: i32, lane: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "broadcast_i64")
export declare function broadcast_i64(value: i64, lane: i32): i64;
// @ts-ignore: decorator
@external("gpu_std", "broadcast_f32")
export declare function broadcast_f32(value: f32, lane: i32): f32;
// @ts-ignore: decorator
@external("gpu_std", "broadcast_f64")
export declare function broadcast_f64(value: f64, lane: i32): f64;
// @ts-ignore: decorator
@external("gpu_std", "shuffle_i32")
export declare function shuffle_i32(value: i32, lane: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "shuffle_i64")
export declare function shuffle_i64(value: i64, lane: i32): i64;
// @ts-ignore: decorator
@external("gpu_std", "shuffle_f32")
export declare function shuffle_f32(value: f32, lane: i32): f32;
// @ts-ignore: decorator
@external("gpu_std", "shuffle_f64")
export declare function shuffle_f64(value: f64, lane: i32): f64;
// @ts-ignore: decorator
@external("gpu_std", "shuffle_xor_i32")
export declare function shuffle_xor_i32(value: i32, bits: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "shuffle_xor_i64")
export declare function shuffle_xor_i64(value: i64, bits: i32): i64;
// @ts-ignore: decorator
@external("gpu_std", "shuffle_xor_f32")
export declare function shuffle_xor_f32(value: f32, bits: i32): f32;
// @ts-ignore: decorator
@external("gpu_std", "shuffle_xor_f64")
export declare function shuffle_xor_f64(value: f64, bits: i32): f64;
// @ts-ignore: decorator
@external("gpu_std", "quad_sum_i32")
export declare function quad_sum_i32(value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "quad_sum_i64")
export declare function quad_sum_i64(value: i64): i64;
// @ts-ignore: decorator
@external("gpu_std", "quad_sum_f32")
export declare function quad_sum_f32(value: f32): f32;
// @ts-ignore: decorator
@external("gpu_std", "quad_sum_f64")
export declare function quad_sum_f64(value: f64): f64;
// @ts-ignore: decorator
@external("gpu_std", "quad_min_s_i32")
export declare function quad_min_s_i32(value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "quad_min_u_i32")
export declare function quad_min_u_i32(value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "quad_min_s_i64")
export declare function quad_min_s_i64(value: i64): i64;
// @ts-ignore: decorator
@external("gpu_std", "quad_min_u_i64")
export declare function quad_min_u_i64(value: i64): i64;
// @ts-ignore: decorator
@external("gpu_std", "quad_min_f32")
export declare function quad_min_f32(value: f32): f32;
// @ts-ignore: decorator
@external("gpu_std", "quad_min_f64")
export declare function quad_min_f64(value: f64): f64;
// @ts-ignore: decorator
@external("gpu_std", "quad_max_s_i32")
export declare function quad_max_s_i32(value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "quad_max_u_i32")
export declare function quad_max_u_i32(value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "quad_max_s_i64")
export declare function quad_max_s_i64(value: i64): i64;
// @ts-ignore: decorator
@external("gpu_std", "quad_max_u_i64")
export declare function quad_max_u_i64(value: i64): i64;
// @ts-ignore: decorator
@external("gpu_std", "quad_max_f32")
export declare function quad_max_f32(value: f32): f32;
// @ts-ignore: decorator
@external("gpu_std", "quad_max_f64")
export declare function quad_max_f64(value: f64): f64;
// @ts-ignore: decorator
@external("gpu_std", "quad_and_i32")
export declare function quad_and_i32(value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "quad_and_i64")
export declare function quad_and_i64(value: i64): i64;
// @ts-ignore: decorator
@external("gpu_std", "quad_or_i32")
export declare function quad_or_i32(value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "quad_or_i64")
export declare function quad_or_i64(value: i64): i64;
// @ts-ignore: decorator
@external("gpu_std", "quad_xor_i32")
export declare function quad_xor_i32(value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "quad_xor_i64")
export declare function quad_xor_i64(value: i64): i64;
// @ts-ignore: decorator
@external("gpu_std", "quad_any")
export declare function quad_any(value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "quad_all")
export declare function quad_all(value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "quad_ballot")
export declare function quad_ballot(value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "quad_broadcast_i32")
export declare function quad_broadcast_i32(value: i32, lane: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "quad_broadcast_i64")
export declare function quad_broadcast_i64(value: i64, lane: i32): i64;
// @ts-ignore: decorator
@external("gpu_std", "quad_broadcast_f32")
export declare function quad_broadcast_f32(value: f32, lane: i32): f32;
// @ts-ignore: decorator
@external("gpu_std", "quad_broadcast_f64")
export declare function quad_broadcast_f64(value: f64, lane: i32): f64;
// @ts-ignore: decorator
@external("gpu_std", "quad_shuffle_i32")
export declare function quad_shuffle_i32(value: i32, lane: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "quad_shuffle_i64")
export declare function quad_shuffle_i64(value: i64, lane: i32): i64;
// @ts-ignore: decorator
@external("gpu_std", "quad_shuffle_f32")
export declare function quad_shuffle_f32(value: f32, lane: i32): f32;
// @ts-ignore: decorator
@external("gpu_std", "quad_shuffle_f64")
export declare function quad_shuffle_f64(value: f64, lane: i32): f64;
// @ts-ignore: decorator
@external("gpu_std", "quad_shuffle_xor_i32")
export declare function quad_shuffle_xor_i32(value: i32, bits: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "quad_shuffle_xor_i64")
export declare function quad_shuffle_xor_i64(value: i64, bits: i32): i64;
// @ts-ignore: decorator
@external("gpu_std", "quad_shuffle_xor_f32")
export declare function quad_shuffle_xor_f32(value: f32, bits: i32): f32;
// @ts-ignore: decorator
@external("gpu_std", "quad_shuffle_xor_f64")
export declare function quad_shuffle_xor_f64(value: f64, bits: i32): f64;
// @ts-ignore: decorator
@external("gpu_std", "inclusive_scan_i32")
export declare function inclusive_scan_i32(value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "inclusive_scan_i64")
export declare function inclusive_scan_i64(value: i64): i64;
// @ts-ignore: decorator
@external("gpu_std", "inclusive_scan_f32")
export declare function inclusive_scan_f32(value: f32): f32;
// @ts-ignore: decorator
@external("gpu_std", "inclusive_scan_f64")
export declare function inclusive_scan_f64(value: f64): f64;
// @ts-ignore: decorator
@external("gpu_std", "exclusive_scan_i32")
export declare function exclusive_scan_i32(value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "exclusive_scan_i64")
export declare function exclusive_scan_i64(value: i64): i64;
// @ts-ignore: decorator
@external("gpu_std", "exclusive_scan_f32")
export declare function exclusive_scan_f32(value: f32): f32;
// @ts-ignore: decorator
@external("gpu_std", "exclusive_scan_f64")
export declare function exclusive_scan_f64(value: f64): f64;

// The group's memory: GROUP_BYTES that its instances share (`gpu_std.h`).
export const GROUP_BYTES: i32 = 8192;

// @ts-ignore: decorator
@external("gpu_std", "group_load_i32")
export declare function group_load_i32(address: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "group_load_i64")
export declare function group_load_i64(address: i32): i64;
// @ts-ignore: decorator
@external("gpu_std", "group_load_f32")
export declare function group_load_f32(address: i32): f32;
// @ts-ignore: decorator
@external("gpu_std", "group_load_f64")
export declare function group_load_f64(address: i32): f64;
// @ts-ignore: decorator
@external("gpu_std", "group_store_i32")
export declare function group_store_i32(address: i32, value: i32): void;
// @ts-ignore: decorator
@external("gpu_std", "group_store_i64")
export declare function group_store_i64(address: i32, value: i64): void;
// @ts-ignore: decorator
@external("gpu_std", "group_store_f32")
export declare function group_store_f32(address: i32, value: f32): void;
// @ts-ignore: decorator
@external("gpu_std", "group_store_f64")
export declare function group_store_f64(address: i32, value: f64): void;
// @ts-ignore: decorator
@external("gpu_std", "group_atomic_add_i32")
export declare function group_atomic_add_i32(address: i32, value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "group_atomic_and_i32")
export declare function group_atomic_and_i32(address: i32, value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "group_atomic_or_i32")
export declare function group_atomic_or_i32(address: i32, value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "group_atomic_xor_i32")
export declare function group_atomic_xor_i32(address: i32, value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "group_atomic_min_s_i32")
export declare function group_atomic_min_s_i32(address: i32, value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "group_atomic_max_s_i32")
export declare function group_atomic_max_s_i32(address: i32, value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "group_atomic_min_u_i32")
export declare function group_atomic_min_u_i32(address: i32, value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "group_atomic_max_u_i32")
export declare function group_atomic_max_u_i32(address: i32, value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "group_atomic_exchange_i32")
export declare function group_atomic_exchange_i32(address: i32, value: i32): i32;
// @ts-ignore: decorator
@external("gpu_std", "group_atomic_compare_exchange_i32")
export declare function group_atomic_compare_exchange_i32(address: i32, expected: i32, value: i32): i32;

// Calls `each` with the numbers of the range that lane 0 gives: lane i of the group with begin + i, and
// then each 32nd one. The whole group calls it, and it ends with a meeting.
export function group_for(each: (number: i32) => void, begin: i32, end: i32): void {
  const lane = lane_id();
  const first = broadcast_i32(begin, 0);
  const last = broadcast_i32(end, 0);
  for (let number = first + lane; number < last; number += GROUP_SIZE) each(number);
  barrier();
}
