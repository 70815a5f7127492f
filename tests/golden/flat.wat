;; The same control structure as elsewhere, but as states of a loop around a switch.
(module
  (func $leaf (param i32) (result i32)
    (loop (br_if 0 (i32.eqz (local.get 0))))
    (i32.mul (local.get 0) (i32.const 3)))
  (func (export "f") (param $n i32) (param $m i32) (result i32)
    (local $i i32) (local $sum i32)
    (block $out
      (loop $outer
        (br_if $out (i32.ge_u (local.get $i) (local.get $n)))
        (if (i32.and (local.get $i) (i32.const 1))
          (then (local.set $sum (i32.add (local.get $sum) (call $leaf (local.get $i)))))
          (else
            (if (i32.eq (local.get $i) (i32.const 12)) (then (br $out)))
            (local.set $m (i32.div_u (local.get $m) (local.get $i)))))
        (block $b (block $a
          (br_table $a $b $outer (i32.rem_u (local.get $m) (i32.const 5))))
          (local.set $sum (i32.add (local.get $sum) (i32.const 1))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $outer)))
    (local.get $sum))
)
