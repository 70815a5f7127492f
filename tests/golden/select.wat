;; Expressions are printed where they are read, unless what they read changes before.
(module
  (func (export "clamp") (param $x i32) (param $low i32) (param $high i32) (result i32)
    (local.set $x (select (local.get $low) (local.get $x)
                          (i32.lt_s (local.get $x) (local.get $low))))
    (select (local.get $high) (local.get $x) (i32.gt_s (local.get $x) (local.get $high))))
  (func (export "old") (param $x i32) (result i32) (local $sum i32)
    (loop $top
      (select (i32.const 1) (i32.const 2) (i32.lt_u (local.get $x) (i32.const 5)))
      (local.set $x (i32.add (local.get $x) (i32.const 1)))
      (local.set $sum (i32.add (local.get $sum)))
      (br_if $top (i32.lt_u (local.get $x) (i32.const 9))))
    (local.get $sum)))
