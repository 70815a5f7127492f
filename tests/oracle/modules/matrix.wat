;; Products of small matrices of f64 in memory; entries are made from small integers.
(module
  (memory 1)
  (func $at (param $base i32) (param $row i32) (param $column i32) (result i32)
    (i32.add (local.get $base)
      (i32.shl (i32.add (i32.mul (local.get $row) (i32.const 6)) (local.get $column))
        (i32.const 3))))
  (func (export "product") (param $seed i32) (result f64)
    (local $i i32) (local $j i32) (local $k i32) (local $sum f64)
    (loop $make
      (f64.store (i32.shl (local.get $i) (i32.const 3))
        (f64.div (f64.convert_i32_s (i32.shr_s (local.get $seed) (i32.const 16)))
          (f64.const 7)))
      (local.set $seed (i32.add (i32.mul (local.get $seed) (i32.const 22695477)) (i32.const 1)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $make (i32.lt_u (local.get $i) (i32.const 72))))
    (local.set $i (i32.const 0))
    (loop $rows
      (local.set $j (i32.const 0))
      (loop $columns
        (local.set $k (i32.const 0))
        (local.set $sum (f64.const 0))
        (loop $terms
          (local.set $sum (f64.add (local.get $sum) (f64.mul
            (f64.load (call $at (i32.const 0) (local.get $i) (local.get $k)))
            (f64.load (call $at (i32.const 288) (local.get $k) (local.get $j))))))
          (local.set $k (i32.add (local.get $k) (i32.const 1)))
          (br_if $terms (i32.lt_u (local.get $k) (i32.const 6))))
        (f64.store (call $at (i32.const 576) (local.get $i) (local.get $j)) (local.get $sum))
        (local.set $j (i32.add (local.get $j) (i32.const 1)))
        (br_if $columns (i32.lt_u (local.get $j) (i32.const 6))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $rows (i32.lt_u (local.get $i) (i32.const 6))))
    (f64.load (call $at (i32.const 576) (i32.const 5) (i32.const 5)))))
