//! gpu_std: what the instances of a job, and of a group of 32 that follow one another, ask of the
//! engine. `gpu_std.h` says what the functions mean. For the targets wasm32-unknown-unknown and
//! wasm32-wasi: `mod gpu_std;`.
#![allow(dead_code)]

pub const GROUP_SIZE: u32 = 32;

mod imports {
    #[link(wasm_import_module = "gpu_std")]
    extern "C" {
        pub fn instance_id() -> i64;
        pub fn instance_count() -> i64;
        pub fn lane_id() -> i32;
        pub fn group_size() -> i32;
        pub fn log(bytes: *const u8, count: i32);
        pub fn assert(holds: i32, code: i32);
        pub fn barrier();
        pub fn sum_i32(value: i32) -> i32;
        pub fn sum_i64(value: i64) -> i64;
        pub fn sum_f32(value: f32) -> f32;
        pub fn sum_f64(value: f64) -> f64;
        pub fn min_s_i32(value: i32) -> i32;
        pub fn min_u_i32(value: i32) -> i32;
        pub fn min_s_i64(value: i64) -> i64;
        pub fn min_u_i64(value: i64) -> i64;
        pub fn min_f32(value: f32) -> f32;
        pub fn min_f64(value: f64) -> f64;
        pub fn max_s_i32(value: i32) -> i32;
        pub fn max_u_i32(value: i32) -> i32;
        pub fn max_s_i64(value: i64) -> i64;
        pub fn max_u_i64(value: i64) -> i64;
        pub fn max_f32(value: f32) -> f32;
        pub fn max_f64(value: f64) -> f64;
        pub fn and_i32(value: i32) -> i32;
        pub fn and_i64(value: i64) -> i64;
        pub fn or_i32(value: i32) -> i32;
        pub fn or_i64(value: i64) -> i64;
        pub fn xor_i32(value: i32) -> i32;
        pub fn xor_i64(value: i64) -> i64;
        pub fn any(value: i32) -> i32;
        pub fn all(value: i32) -> i32;
        pub fn ballot(value: i32) -> i32;
        pub fn broadcast_i32(value: i32, lane: i32) -> i32;
        pub fn broadcast_i64(value: i64, lane: i32) -> i64;
        pub fn broadcast_f32(value: f32, lane: i32) -> f32;
        pub fn broadcast_f64(value: f64, lane: i32) -> f64;
        pub fn shuffle_i32(value: i32, lane: i32) -> i32;
        pub fn shuffle_i64(value: i64, lane: i32) -> i64;
        pub fn shuffle_f32(value: f32, lane: i32) -> f32;
        pub fn shuffle_f64(value: f64, lane: i32) -> f64;
        pub fn shuffle_xor_i32(value: i32, bits: i32) -> i32;
        pub fn shuffle_xor_i64(value: i64, bits: i32) -> i64;
        pub fn shuffle_xor_f32(value: f32, bits: i32) -> f32;
        pub fn shuffle_xor_f64(value: f64, bits: i32) -> f64;
        pub fn quad_sum_i32(value: i32) -> i32;
        pub fn quad_sum_i64(value: i64) -> i64;
        pub fn quad_sum_f32(value: f32) -> f32;
        pub fn quad_sum_f64(value: f64) -> f64;
        pub fn quad_min_s_i32(value: i32) -> i32;
        pub fn quad_min_u_i32(value: i32) -> i32;
        pub fn quad_min_s_i64(value: i64) -> i64;
        pub fn quad_min_u_i64(value: i64) -> i64;
        pub fn quad_min_f32(value: f32) -> f32;
        pub fn quad_min_f64(value: f64) -> f64;
        pub fn quad_max_s_i32(value: i32) -> i32;
        pub fn quad_max_u_i32(value: i32) -> i32;
        pub fn quad_max_s_i64(value: i64) -> i64;
        pub fn quad_max_u_i64(value: i64) -> i64;
        pub fn quad_max_f32(value: f32) -> f32;
        pub fn quad_max_f64(value: f64) -> f64;
        pub fn quad_and_i32(value: i32) -> i32;
        pub fn quad_and_i64(value: i64) -> i64;
        pub fn quad_or_i32(value: i32) -> i32;
        pub fn quad_or_i64(value: i64) -> i64;
        pub fn quad_xor_i32(value: i32) -> i32;
        pub fn quad_xor_i64(value: i64) -> i64;
        pub fn quad_any(value: i32) -> i32;
        pub fn quad_all(value: i32) -> i32;
        pub fn quad_ballot(value: i32) -> i32;
        pub fn quad_broadcast_i32(value: i32, lane: i32) -> i32;
        pub fn quad_broadcast_i64(value: i64, lane: i32) -> i64;
        pub fn quad_broadcast_f32(value: f32, lane: i32) -> f32;
        pub fn quad_broadcast_f64(value: f64, lane: i32) -> f64;
        pub fn quad_shuffle_i32(value: i32, lane: i32) -> i32;
        pub fn quad_shuffle_i64(value: i64, lane: i32) -> i64;
        pub fn quad_shuffle_f32(value: f32, lane: i32) -> f32;
        pub fn quad_shuffle_f64(value: f64, lane: i32) -> f64;
        pub fn quad_shuffle_xor_i32(value: i32, bits: i32) -> i32;
        pub fn quad_shuffle_xor_i64(value: i64, bits: i32) -> i64;
        pub fn quad_shuffle_xor_f32(value: f32, bits: i32) -> f32;
        pub fn quad_shuffle_xor_f64(value: f64, bits: i32) -> f64;
        pub fn inclusive_scan_i32(value: i32) -> i32;
        pub fn inclusive_scan_i64(value: i64) -> i64;
        pub fn inclusive_scan_f32(value: f32) -> f32;
        pub fn inclusive_scan_f64(value: f64) -> f64;
        pub fn exclusive_scan_i32(value: i32) -> i32;
        pub fn exclusive_scan_i64(value: i64) -> i64;
        pub fn exclusive_scan_f32(value: f32) -> f32;
        pub fn exclusive_scan_f64(value: f64) -> f64;
        pub fn group_load_i32(address: i32) -> i32;
        pub fn group_load_i64(address: i32) -> i64;
        pub fn group_load_f32(address: i32) -> f32;
        pub fn group_load_f64(address: i32) -> f64;
        pub fn group_store_i32(address: i32, value: i32);
        pub fn group_store_i64(address: i32, value: i64);
        pub fn group_store_f32(address: i32, value: f32);
        pub fn group_store_f64(address: i32, value: f64);
        pub fn group_atomic_add_i32(address: i32, value: i32) -> i32;
        pub fn group_atomic_and_i32(address: i32, value: i32) -> i32;
        pub fn group_atomic_or_i32(address: i32, value: i32) -> i32;
        pub fn group_atomic_xor_i32(address: i32, value: i32) -> i32;
        pub fn group_atomic_min_s_i32(address: i32, value: i32) -> i32;
        pub fn group_atomic_max_s_i32(address: i32, value: i32) -> i32;
        pub fn group_atomic_min_u_i32(address: i32, value: i32) -> i32;
        pub fn group_atomic_max_u_i32(address: i32, value: i32) -> i32;
        pub fn group_atomic_exchange_i32(address: i32, value: i32) -> i32;
        pub fn group_atomic_compare_exchange_i32(address: i32, expected: i32, value: i32) -> i32;
    }
}

pub fn instance_id() -> i64 {
    unsafe { imports::instance_id() }
}
pub fn instance_count() -> i64 {
    unsafe { imports::instance_count() }
}
pub fn lane_id() -> i32 {
    unsafe { imports::lane_id() }
}
pub fn group_size() -> i32 {
    unsafe { imports::group_size() }
}
/// Appends to the instance's log, at most 65,536 bytes a call.
pub fn log(text: &str) {
    unsafe { imports::log(text.as_ptr(), text.len() as i32) }
}
/// Ends the instance in the trap ASSERTION_FAILED unless it holds.
pub fn assert(holds: bool, code: i32) {
    if !holds {
        unsafe { imports::assert(0, code) }
    }
}
pub fn barrier() {
    unsafe { imports::barrier() }
}
pub fn sum_i32(value: i32) -> i32 {
    unsafe { imports::sum_i32(value) }
}
pub fn sum_i64(value: i64) -> i64 {
    unsafe { imports::sum_i64(value) }
}
pub fn sum_f32(value: f32) -> f32 {
    unsafe { imports::sum_f32(value) }
}
pub fn sum_f64(value: f64) -> f64 {
    unsafe { imports::sum_f64(value) }
}
pub fn min_s_i32(value: i32) -> i32 {
    unsafe { imports::min_s_i32(value) }
}
pub fn min_u_i32(value: i32) -> i32 {
    unsafe { imports::min_u_i32(value) }
}
pub fn min_s_i64(value: i64) -> i64 {
    unsafe { imports::min_s_i64(value) }
}
pub fn min_u_i64(value: i64) -> i64 {
    unsafe { imports::min_u_i64(value) }
}
pub fn min_f32(value: f32) -> f32 {
    unsafe { imports::min_f32(value) }
}
pub fn min_f64(value: f64) -> f64 {
    unsafe { imports::min_f64(value) }
}
pub fn max_s_i32(value: i32) -> i32 {
    unsafe { imports::max_s_i32(value) }
}
pub fn max_u_i32(value: i32) -> i32 {
    unsafe { imports::max_u_i32(value) }
}
pub fn max_s_i64(value: i64) -> i64 {
    unsafe { imports::max_s_i64(value) }
}
pub fn max_u_i64(value: i64) -> i64 {
    unsafe { imports::max_u_i64(value) }
}
pub fn max_f32(value: f32) -> f32 {
    unsafe { imports::max_f32(value) }
}
pub fn max_f64(value: f64) -> f64 {
    unsafe { imports::max_f64(value) }
}
pub fn and_i32(value: i32) -> i32 {
    unsafe { imports::and_i32(value) }
}
pub fn and_i64(value: i64) -> i64 {
    unsafe { imports::and_i64(value) }
}
pub fn or_i32(value: i32) -> i32 {
    unsafe { imports::or_i32(value) }
}
pub fn or_i64(value: i64) -> i64 {
    unsafe { imports::or_i64(value) }
}
pub fn xor_i32(value: i32) -> i32 {
    unsafe { imports::xor_i32(value) }
}
pub fn xor_i64(value: i64) -> i64 {
    unsafe { imports::xor_i64(value) }
}
pub fn any(value: i32) -> i32 {
    unsafe { imports::any(value) }
}
pub fn all(value: i32) -> i32 {
    unsafe { imports::all(value) }
}
pub fn ballot(value: i32) -> i32 {
    unsafe { imports::ballot(value) }
}
pub fn broadcast_i32(value: i32, lane: i32) -> i32 {
    unsafe { imports::broadcast_i32(value, lane) }
}
pub fn broadcast_i64(value: i64, lane: i32) -> i64 {
    unsafe { imports::broadcast_i64(value, lane) }
}
pub fn broadcast_f32(value: f32, lane: i32) -> f32 {
    unsafe { imports::broadcast_f32(value, lane) }
}
pub fn broadcast_f64(value: f64, lane: i32) -> f64 {
    unsafe { imports::broadcast_f64(value, lane) }
}
pub fn shuffle_i32(value: i32, lane: i32) -> i32 {
    unsafe { imports::shuffle_i32(value, lane) }
}
pub fn shuffle_i64(value: i64, lane: i32) -> i64 {
    unsafe { imports::shuffle_i64(value, lane) }
}
pub fn shuffle_f32(value: f32, lane: i32) -> f32 {
    unsafe { imports::shuffle_f32(value, lane) }
}
pub fn shuffle_f64(value: f64, lane: i32) -> f64 {
    unsafe { imports::shuffle_f64(value, lane) }
}
pub fn shuffle_xor_i32(value: i32, bits: i32) -> i32 {
    unsafe { imports::shuffle_xor_i32(value, bits) }
}
pub fn shuffle_xor_i64(value: i64, bits: i32) -> i64 {
    unsafe { imports::shuffle_xor_i64(value, bits) }
}
pub fn shuffle_xor_f32(value: f32, bits: i32) -> f32 {
    unsafe { imports::shuffle_xor_f32(value, bits) }
}
pub fn shuffle_xor_f64(value: f64, bits: i32) -> f64 {
    unsafe { imports::shuffle_xor_f64(value, bits) }
}
pub fn quad_sum_i32(value: i32) -> i32 {
    unsafe { imports::quad_sum_i32(value) }
}
pub fn quad_sum_i64(value: i64) -> i64 {
    unsafe { imports::quad_sum_i64(value) }
}
pub fn quad_sum_f32(value: f32) -> f32 {
    unsafe { imports::quad_sum_f32(value) }
}
pub fn quad_sum_f64(value: f64) -> f64 {
    unsafe { imports::quad_sum_f64(value) }
}
pub fn quad_min_s_i32(value: i32) -> i32 {
    unsafe { imports::quad_min_s_i32(value) }
}
pub fn quad_min_u_i32(value: i32) -> i32 {
    unsafe { imports::quad_min_u_i32(value) }
}
pub fn quad_min_s_i64(value: i64) -> i64 {
    unsafe { imports::quad_min_s_i64(value) }
}
pub fn quad_min_u_i64(value: i64) -> i64 {
    unsafe { imports::quad_min_u_i64(value) }
}
pub fn quad_min_f32(value: f32) -> f32 {
    unsafe { imports::quad_min_f32(value) }
}
pub fn quad_min_f64(value: f64) -> f64 {
    unsafe { imports::quad_min_f64(value) }
}
pub fn quad_max_s_i32(value: i32) -> i32 {
    unsafe { imports::quad_max_s_i32(value) }
}
pub fn quad_max_u_i32(value: i32) -> i32 {
    unsafe { imports::quad_max_u_i32(value) }
}
pub fn quad_max_s_i64(value: i64) -> i64 {
    unsafe { imports::quad_max_s_i64(value) }
}
pub fn quad_max_u_i64(value: i64) -> i64 {
    unsafe { imports::quad_max_u_i64(value) }
}
pub fn quad_max_f32(value: f32) -> f32 {
    unsafe { imports::quad_max_f32(value) }
}
pub fn quad_max_f64(value: f64) -> f64 {
    unsafe { imports::quad_max_f64(value) }
}
pub fn quad_and_i32(value: i32) -> i32 {
    unsafe { imports::quad_and_i32(value) }
}
pub fn quad_and_i64(value: i64) -> i64 {
    unsafe { imports::quad_and_i64(value) }
}
pub fn quad_or_i32(value: i32) -> i32 {
    unsafe { imports::quad_or_i32(value) }
}
pub fn quad_or_i64(value: i64) -> i64 {
    unsafe { imports::quad_or_i64(value) }
}
pub fn quad_xor_i32(value: i32) -> i32 {
    unsafe { imports::quad_xor_i32(value) }
}
pub fn quad_xor_i64(value: i64) -> i64 {
    unsafe { imports::quad_xor_i64(value) }
}
pub fn quad_any(value: i32) -> i32 {
    unsafe { imports::quad_any(value) }
}
pub fn quad_all(value: i32) -> i32 {
    unsafe { imports::quad_all(value) }
}
pub fn quad_ballot(value: i32) -> i32 {
    unsafe { imports::quad_ballot(value) }
}
pub fn quad_broadcast_i32(value: i32, lane: i32) -> i32 {
    unsafe { imports::quad_broadcast_i32(value, lane) }
}
pub fn quad_broadcast_i64(value: i64, lane: i32) -> i64 {
    unsafe { imports::quad_broadcast_i64(value, lane) }
}
pub fn quad_broadcast_f32(value: f32, lane: i32) -> f32 {
    unsafe { imports::quad_broadcast_f32(value, lane) }
}
pub fn quad_broadcast_f64(value: f64, lane: i32) -> f64 {
    unsafe { imports::quad_broadcast_f64(value, lane) }
}
pub fn quad_shuffle_i32(value: i32, lane: i32) -> i32 {
    unsafe { imports::quad_shuffle_i32(value, lane) }
}
pub fn quad_shuffle_i64(value: i64, lane: i32) -> i64 {
    unsafe { imports::quad_shuffle_i64(value, lane) }
}
pub fn quad_shuffle_f32(value: f32, lane: i32) -> f32 {
    unsafe { imports::quad_shuffle_f32(value, lane) }
}
pub fn quad_shuffle_f64(value: f64, lane: i32) -> f64 {
    unsafe { imports::quad_shuffle_f64(value, lane) }
}
pub fn quad_shuffle_xor_i32(value: i32, bits: i32) -> i32 {
    unsafe { imports::quad_shuffle_xor_i32(value, bits) }
}
pub fn quad_shuffle_xor_i64(value: i64, bits: i32) -> i64 {
    unsafe { imports::quad_shuffle_xor_i64(value, bits) }
}
pub fn quad_shuffle_xor_f32(value: f32, bits: i32) -> f32 {
    unsafe { imports::quad_shuffle_xor_f32(value, bits) }
}
pub fn quad_shuffle_xor_f64(value: f64, bits: i32) -> f64 {
    unsafe { imports::quad_shuffle_xor_f64(value, bits) }
}
pub fn inclusive_scan_i32(value: i32) -> i32 {
    unsafe { imports::inclusive_scan_i32(value) }
}
pub fn inclusive_scan_i64(value: i64) -> i64 {
    unsafe { imports::inclusive_scan_i64(value) }
}
pub fn inclusive_scan_f32(value: f32) -> f32 {
    unsafe { imports::inclusive_scan_f32(value) }
}
pub fn inclusive_scan_f64(value: f64) -> f64 {
    unsafe { imports::inclusive_scan_f64(value) }
}
pub fn exclusive_scan_i32(value: i32) -> i32 {
    unsafe { imports::exclusive_scan_i32(value) }
}
pub fn exclusive_scan_i64(value: i64) -> i64 {
    unsafe { imports::exclusive_scan_i64(value) }
}
pub fn exclusive_scan_f32(value: f32) -> f32 {
    unsafe { imports::exclusive_scan_f32(value) }
}
pub fn exclusive_scan_f64(value: f64) -> f64 {
    unsafe { imports::exclusive_scan_f64(value) }
}

// The group's memory: GROUP_BYTES that its instances share (`gpu_std.h`).
pub const GROUP_BYTES: u32 = 8192;
pub fn group_load_i32(address: i32) -> i32 {
    unsafe { imports::group_load_i32(address) }
}
pub fn group_load_i64(address: i32) -> i64 {
    unsafe { imports::group_load_i64(address) }
}
pub fn group_load_f32(address: i32) -> f32 {
    unsafe { imports::group_load_f32(address) }
}
pub fn group_load_f64(address: i32) -> f64 {
    unsafe { imports::group_load_f64(address) }
}
pub fn group_store_i32(address: i32, value: i32) {
    unsafe { imports::group_store_i32(address, value) }
}
pub fn group_store_i64(address: i32, value: i64) {
    unsafe { imports::group_store_i64(address, value) }
}
pub fn group_store_f32(address: i32, value: f32) {
    unsafe { imports::group_store_f32(address, value) }
}
pub fn group_store_f64(address: i32, value: f64) {
    unsafe { imports::group_store_f64(address, value) }
}
pub fn group_atomic_add_i32(address: i32, value: i32) -> i32 {
    unsafe { imports::group_atomic_add_i32(address, value) }
}
pub fn group_atomic_and_i32(address: i32, value: i32) -> i32 {
    unsafe { imports::group_atomic_and_i32(address, value) }
}
pub fn group_atomic_or_i32(address: i32, value: i32) -> i32 {
    unsafe { imports::group_atomic_or_i32(address, value) }
}
pub fn group_atomic_xor_i32(address: i32, value: i32) -> i32 {
    unsafe { imports::group_atomic_xor_i32(address, value) }
}
pub fn group_atomic_min_s_i32(address: i32, value: i32) -> i32 {
    unsafe { imports::group_atomic_min_s_i32(address, value) }
}
pub fn group_atomic_max_s_i32(address: i32, value: i32) -> i32 {
    unsafe { imports::group_atomic_max_s_i32(address, value) }
}
pub fn group_atomic_min_u_i32(address: i32, value: i32) -> i32 {
    unsafe { imports::group_atomic_min_u_i32(address, value) }
}
pub fn group_atomic_max_u_i32(address: i32, value: i32) -> i32 {
    unsafe { imports::group_atomic_max_u_i32(address, value) }
}
pub fn group_atomic_exchange_i32(address: i32, value: i32) -> i32 {
    unsafe { imports::group_atomic_exchange_i32(address, value) }
}
pub fn group_atomic_compare_exchange_i32(address: i32, expected: i32, value: i32) -> i32 {
    unsafe { imports::group_atomic_compare_exchange_i32(address, expected, value) }
}

/// Calls `each` with the numbers of the range that lane 0 gives: lane i of the group with begin + i,
/// and then each 32nd one. The whole group calls it, and it ends with a meeting.
pub fn group_for(begin: i32, end: i32, mut each: impl FnMut(i32)) {
    let lane = lane_id();
    let first = broadcast_i32(begin, 0);
    let end = broadcast_i32(end, 0);
    let mut number = first + lane;
    while number < end {
        each(number);
        number += GROUP_SIZE as i32;
    }
    barrier();
}
