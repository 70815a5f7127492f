;; Sorting in memory: insertion sort and shell sort over pseudo-random words.
(module
  (memory 1)
  (func $make (param $seed i32) (param $n i32)
    (loop $next
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (local.set $seed (i32.xor (local.get $seed) (i32.shl (local.get $seed) (i32.const 13))))
      (local.set $seed (i32.xor (local.get $seed) (i32.shr_u (local.get $seed) (i32.const 17))))
      (local.set $seed (i32.xor (local.get $seed) (i32.shl (local.get $seed) (i32.const 5))))
      (i32.store (i32.shl (local.get $n) (i32.const 2)) (local.get $seed))
      (br_if $next (local.get $n))))
  (func $gap_sort (param $gap i32) (param $n i32)
    (local $i i32) (local $j i32) (local $x i32) (local $y i32)
    (local.set $i (local.get $gap))
    (block $done
      (loop $outer
        (br_if $done (i32.ge_u (local.get $i) (local.get $n)))
        (local.set $x (i32.load (i32.shl (local.get $i) (i32.const 2))))
        (local.set $j (local.get $i))
        (block $placed
          (loop $shift
            (br_if $placed (i32.lt_u (local.get $j) (local.get $gap)))
            (local.set $y (i32.load (i32.shl (i32.sub (local.get $j) (local.get $gap))
              (i32.const 2))))
            (br_if $placed (i32.le_s (local.get $y) (local.get $x)))
            (i32.store (i32.shl (local.get $j) (i32.const 2)) (local.get $y))
            (local.set $j (i32.sub (local.get $j) (local.get $gap)))
            (br $shift)))
        (i32.store (i32.shl (local.get $j) (i32.const 2)) (local.get $x))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $outer))))
  (func (export "insertion") (param $seed i32) (result i32)
    (call $make (i32.or (local.get $seed) (i32.const 1)) (i32.const 24))
    (call $gap_sort (i32.const 1) (i32.const 24))
    (i32.load offset=48 (i32.const 0)))
  (func (export "shell") (param $seed i32) (result i32 i32)
    (local $gap i32)
    (call $make (i32.or (local.get $seed) (i32.const 1)) (i32.const 100))
    (local.set $gap (i32.const 40))
    (loop $next
      (call $gap_sort (local.get $gap) (i32.const 100))
      (local.set $gap (i32.div_u (local.get $gap) (i32.const 3)))
      (br_if $next (local.get $gap)))
    (i32.load (i32.const 0)) (i32.load offset=396 (i32.const 0))))
