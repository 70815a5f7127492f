;; Guards stand outside the inner loop; branches go out of one and of two loops.
(module
  (func (export "search") (param $n i32) (result i32) (local $i i32) (local $j i32)
    (block $found
      (loop $rows
        (local.set $j (i32.const 0))
        (loop $columns
          (br_if $found (i32.eq (i32.mul (local.get $i) (local.get $j)) (local.get $n)))
          (local.set $j (i32.add (local.get $j) (i32.const 1)))
          (br_if $columns (i32.lt_u (local.get $j) (i32.const 10))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $rows (i32.lt_u (local.get $i) (i32.const 10))))
      (return (i32.const -1)))
    (i32.add (i32.mul (local.get $i) (i32.const 100)) (local.get $j))))
