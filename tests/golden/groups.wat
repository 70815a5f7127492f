;; Instances of a group meet, and share memory.
(module
  (import "gpu_std" "sum_f64" (func $sum (param f64) (result f64)))
  (import "gpu_std" "barrier" (func $barrier))
  (import "gpu_std" "group_load_f64" (func $load (param i32) (result f64)))
  (import "gpu_std" "group_store_i64" (func $store (param i32 i64)))
  (import "gpu_std" "group_atomic_add_i32" (func $add (param i32 i32) (result i32)))
  (import "gpu_std" "group_atomic_compare_exchange_i32" (func $swap (param i32 i32 i32) (result i32)))
  (func (export "run") (param $n i32) (result f64)
    (call $store (i32.shl (local.get $n) (i32.const 3)) (i64.const 7))
    (drop (call $swap (i32.const 4096) (call $add (i32.const 4096) (local.get $n)) (i32.const 1)))
    (call $barrier)
    (call $sum (call $load (i32.const 8)))))
