(module
  (memory (export "memory") 1)
  (data (i32.const 1024) "dump me")
  (global $depth (mut i32) (i32.const 0))
  (func $fac (export "fac") (param $n i32) (param $by i32) (result i32) (local $twice i32)
    (local.set $twice (i32.mul (local.get $n) (i32.const 2)))
    (global.set $depth (i32.add (global.get $depth) (i32.const 1)))
    (if (result i32) (i32.eqz (local.get $n))
      (then (i32.div_u (i32.const 1) (local.get $by)))
      (else
        (i32.mul (local.get $n)
                 (call $fac (i32.sub (local.get $n) (i32.const 1)) (local.get $by))))))
  ;; n!, but of 3 it divides by zero.
  (func (export "run") (param $n i32) (result i32)
    (call $fac (local.get $n)
               (select (i32.const 0) (i32.const 1) (i32.eq (local.get $n) (i32.const 3)))))
  ;; 128 KiB that are not zero.
  (func (export "fill") (result i32)
    (drop (memory.grow (i32.const 1)))
    (memory.fill (i32.const 0) (i32.const 7) (i32.const 131072))
    (unreachable)))
