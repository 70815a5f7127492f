;; What the page shows: steps, two traps, an instance without fuel left, and one that takes long.
(module
  (memory 1)
  (func $collatz (export "steps") (param $n i64) (result i32)
    (local $count i32)
    (loop $next
      (if (i64.gt_u (local.get $n) (i64.const 1))
        (then
          (local.set $n (select (i64.shr_u (local.get $n) (i64.const 1))
              (i64.add (i64.mul (local.get $n) (i64.const 3)) (i64.const 1))
              (i64.eqz (i64.and (local.get $n) (i64.const 1)))))
          (local.set $count (i32.add (local.get $count) (i32.const 1)))
          (br $next))))
    (local.get $count))
  (func $work (param $i i32) (result i32) (call $steps32 (i32.add (local.get $i) (i32.const 27))))
  (func $steps32 (param i32) (result i32) (call $collatz (i64.extend_i32_u (local.get 0))))
  (func (export "mixed") (param $i i32) (result i32)
    (if (i32.eqz (i32.rem_u (local.get $i) (i32.const 97))) (then unreachable))
    (if (i32.eqz (i32.rem_u (local.get $i) (i32.const 31))) (then (drop (i32.load (i32.const -4)))))
    (if (i32.eqz (i32.rem_u (local.get $i) (i32.const 53))) (then (loop (br 0))))
    (i32.add (call $work (local.get $i)) (call $work (i32.mul (local.get $i) (i32.const 3)))))
  (func (export "slow") (param $i i32) (result f64)
    (local $k i32) (local $x f64)
    (local.set $x (f64.convert_i32_u (local.get $i)))
    (loop $l
      (local.set $x (f64.sqrt (f64.add (f64.mul (local.get $x) (local.get $x)) (f64.const 1.5))))
      (local.set $k (i32.add (local.get $k) (i32.const 1)))
      (br_if $l (i32.lt_u (local.get $k) (i32.const 40000))))
    (local.get $x)))
