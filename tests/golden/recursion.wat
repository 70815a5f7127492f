;; Roots: one that calls itself, two that call each other with a loop between them, and a function
;; in between that is not recursive but may leave.
(module
  (func $fib (export "fib") (param $n i32) (result i32)
    (if (result i32) (i32.lt_u (local.get $n) (i32.const 2))
      (then (local.get $n))
      (else
        (i32.add
          (call $fib (i32.sub (local.get $n) (i32.const 1)))
          (call $fib (i32.sub (local.get $n) (i32.const 2)))))))
  (func $even (param $n i32) (param $x f64) (result f64 i32)
    (if (result f64 i32) (i32.eqz (local.get $n))
      (then (local.get $x) (i32.const 1))
      (else (call $odd (i32.sub (local.get $n) (i32.const 1)) (local.get $x)))))
  (func $odd (param $n i32) (param $x f64) (result f64 i32) (local $i i32)
    (if (i32.eqz (local.get $n)) (then (return (local.get $x) (i32.const 0))))
    (loop $l
      (local.set $x (f64.add (local.get $x) (f64.const 0.5)))
      (br_if $l (i32.lt_u
        (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $n))))
    (call $even (i32.sub (local.get $n) (i32.const 1)) (local.get $x)))
  (func $between (param $n i32) (result f64) (local $i i32) (local $sum f64)
    (loop $l
      (call $even (local.get $i) (local.get $sum))
      (drop)
      (local.set $sum)
      (br_if $l (i32.lt_u
        (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $n))))
    (local.get $sum))
  (func (export "run") (param $n i32) (result f64)
    (f64.add (call $between (local.get $n)) (f64.convert_i32_u (call $fib (local.get $n))))))
