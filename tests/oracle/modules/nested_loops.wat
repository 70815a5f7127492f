;; Loops in loops, left from the inside to every level.
(module
  (func (export "leave_both") (param $limit i32) (result i32)
    (local $i i32) (local $j i32) (local $count i32)
    (local.set $limit (i32.and (local.get $limit) (i32.const 511)))
    (block $out
      (loop $outer
        (local.set $j (i32.const 0))
        (loop $inner
          (local.set $count (i32.add (local.get $count) (i32.const 1)))
          (br_if $out (i32.gt_u (local.get $count) (local.get $limit)))
          (local.set $j (i32.add (local.get $j) (i32.const 1)))
          (br_if $inner (i32.lt_u (local.get $j) (local.get $i))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $outer (i32.lt_u (local.get $i) (i32.const 20)))))
    (i32.add (i32.mul (local.get $i) (i32.const 1000)) (local.get $j)))
  (func (export "three_deep") (param $seed i32) (result i32)
    (local $i i32) (local $j i32) (local $k i32) (local $h i32) (local $again i32)
    (local.set $h (local.get $seed))
    (loop $a
      (local.set $j (i32.const 0))
      (loop $b
        (local.set $k (i32.const 0))
        (loop $c
          (local.set $h (i32.xor
            (i32.mul (local.get $h) (i32.const 16777619))
            (i32.add (local.get $i) (i32.mul (local.get $j) (local.get $k)))))
          (if (i32.eq (i32.and (local.get $h) (i32.const 127)) (i32.const 5))
            (then
              (local.set $again (i32.add (local.get $again) (i32.const 1)))
              (br_if $b (i32.lt_u (local.get $again) (i32.const 9)))))
          (local.set $k (i32.add (local.get $k) (i32.const 1)))
          (br_if $c (i32.lt_u (local.get $k) (i32.const 7))))
        (local.set $j (i32.add (local.get $j) (i32.const 1)))
        (br_if $b (i32.lt_u (local.get $j) (i32.const 6))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $a (i32.lt_u (local.get $i) (i32.const 5))))
    (local.get $h)))
