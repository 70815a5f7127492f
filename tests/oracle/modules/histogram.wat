;; A byte histogram, and the counters' sums.
(module
  (memory 1)
  (func (export "count") (param $seed i32) (result i32)
    (local $i i32) (local $at i32)
    (loop $next
      (local.set $seed (i32.add (i32.mul (local.get $seed) (i32.const 1103515245))
        (i32.const 12345)))
      (local.set $at (i32.and (i32.shr_u (local.get $seed) (i32.const 14)) (i32.const 0x3fc)))
      (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (i32.const 1)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $i) (i32.const 300))))
    (i32.load (i32.and (local.get $seed) (i32.const 0x3fc))))
  (func (export "sum") (result i32)
    (local $at i32) (local $sum i32)
    (loop $next
      (local.set $sum (i32.add (local.get $sum) (i32.mul (i32.load (local.get $at))
        (local.get $at))))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (br_if $next (i32.lt_u (local.get $at) (i32.const 1024))))
    (local.get $sum)))
