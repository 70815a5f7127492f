;; One loop: its header pays, may leave, and is resumed.
(module
  (func (export "sum") (param $n i32) (result i32) (local $i i32) (local $sum i32)
    (loop $top
      (local.set $sum (i32.add (local.get $sum) (local.get $i)))
      (br_if $top (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                            (local.get $n))))
    (local.get $sum)))
