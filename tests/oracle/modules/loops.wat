;; Single loops, with conditions at the top, at the bottom and in the middle.
(module
  (func (export "sum_to") (param $n i32) (result i64)
    (local $s i64)
    (local.set $n (i32.and (local.get $n) (i32.const 1023)))
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $n)))
        (local.set $s (i64.add (local.get $s) (i64.extend_i32_u (local.get $n))))
        (local.set $n (i32.sub (local.get $n) (i32.const 1)))
        (br $next)))
    (local.get $s))
  (func (export "collatz") (param $n i64) (result i32)
    (local $steps i32)
    (local.set $n (i64.or (i64.and (local.get $n) (i64.const 0xffff)) (i64.const 1)))
    (block $done
      (loop $next
        (br_if $done (i64.le_u (local.get $n) (i64.const 1)))
        (local.set $steps (i32.add (local.get $steps) (i32.const 1)))
        (if (i64.eqz (i64.and (local.get $n) (i64.const 1)))
          (then (local.set $n (i64.shr_u (local.get $n) (i64.const 1))))
          (else (local.set $n
            (i64.add (i64.mul (local.get $n) (i64.const 3)) (i64.const 1)))))
        (br $next)))
    (local.get $steps))
  (func (export "gcd") (param $a i64) (param $b i64) (result i64)
    (local $t i64)
    (loop $next
      (if (i64.ne (local.get $b) (i64.const 0))
        (then
          (local.set $t (i64.rem_u (local.get $a) (local.get $b)))
          (local.set $a (local.get $b))
          (local.set $b (local.get $t))
          (br $next))))
    (local.get $a)))
