;; The guest of the tests of the Python and the Node packages: functions of every type.
(module
  (memory (export "memory") 1)
  (func (export "double") (param i32) (result i32) (i32.shl (local.get 0) (i32.const 1)))
  (func (export "add") (param i64 i64) (result i64) (i64.add (local.get 0) (local.get 1)))
  (func (export "half32") (param f32) (result f32) (f32.mul (local.get 0) (f32.const 0.5)))
  (func (export "half") (param f64) (result f64) (f64.mul (local.get 0) (f64.const 0.5)))
  (func (export "both") (param i32) (result i64 f64)
    (i64.extend_i32_s (local.get 0)) (f64.convert_i32_s (local.get 0)))
  (func (export "none") (param i32))
  (func (export "divide") (param i32 i32) (result i32) (i32.div_s (local.get 0) (local.get 1)))
  (func (export "steps") (param $n i64) (result i32) (local $count i32)
    (loop $next
      (if (i64.gt_u (local.get $n) (i64.const 1))
        (then
          (local.set $n
            (select
              (i64.shr_u (local.get $n) (i64.const 1))
              (i64.add (i64.mul (local.get $n) (i64.const 3)) (i64.const 1))
              (i64.eqz (i64.and (local.get $n) (i64.const 1)))))
          (local.set $count (i32.add (local.get $count) (i32.const 1)))
          (br $next))))
    (local.get $count))
  (func (export "forever") (param $x i32) (result i32)
    (loop $again
      (i32.store (i32.const 0) (i32.add (i32.mul (i32.load (i32.const 0)) (i32.const 1664525)) (local.get $x)))
      (br $again))
    (i32.const 0)))
