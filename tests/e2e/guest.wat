;; The guest of the end-to-end tests.
(module
  (memory (export "memory") 1)
  (func (export "fac") (param $n i64) (result i64)
    (local $product i64)
    (local.set $product (i64.const 1))
    (block $done
      (loop $next
        (br_if $done (i64.eqz (local.get $n)))
        (local.set $product (i64.mul (local.get $product) (local.get $n)))
        (local.set $n (i64.sub (local.get $n) (i64.const 1)))
        (br $next)))
    (local.get $product))
  (func (export "div") (param i32 i32) (result i32)
    (i32.div_s (local.get 0) (local.get 1)))
  ;; Draws random numbers for ever: a loop that no compiler replaces by its sum.
  (func (export "spin")
    (local $x i32)
    (loop $again
      (local.set $x
        (i32.add (i32.mul (i32.xor (local.get $x) (i32.shr_u (local.get $x) (i32.const 7)))
                          (i32.const 1664525))
                 (i32.const 1013904223)))
      (i32.store (i32.const 0) (local.get $x))
      (br $again)))
  ;; The n-th random number after a seed.
  (func (export "draw") (param $x i32) (param $n i32) (result i32)
    (loop $again
      (local.set $x
        (i32.add (i32.mul (i32.xor (local.get $x) (i32.shr_u (local.get $x) (i32.const 7)))
                          (i32.const 1664525))
                 (i32.const 1013904223)))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br_if $again (local.get $n)))
    (local.get $x))
  ;; Four words of the instance's number; where they lie.
  (func (export "fill") (param $value i32) (result i32)
    (local $at i32)
    (loop $next
      (i32.store offset=64 (local.get $at) (local.get $value))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (br_if $next (i32.lt_u (local.get $at) (i32.const 16))))
    (i32.const 64))
  ;; The sum of the bytes at [pointer, pointer + length).
  (func (export "sum") (param $pointer i32) (param $length i32) (result i32)
    (local $sum i32)
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $length)))
        (local.set $sum (i32.add (local.get $sum) (i32.load8_u (local.get $pointer))))
        (local.set $pointer (i32.add (local.get $pointer) (i32.const 1)))
        (local.set $length (i32.sub (local.get $length) (i32.const 1)))
        (br $next)))
    (local.get $sum)))
