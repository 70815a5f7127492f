;; The sieve of Eratosthenes, byte by byte.
(module
  (memory 1)
  (func (export "primes_below") (param $n i32) (result i32)
    (local $i i32) (local $j i32) (local $count i32)
    (local.set $n (i32.and (local.get $n) (i32.const 0x3ff)))
    (local.set $i (i32.const 0))
    (loop $clear
      (i32.store8 (local.get $i) (i32.const 0))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $clear (i32.le_u (local.get $i) (local.get $n))))
    (local.set $i (i32.const 2))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $i) (local.get $n)))
        (if (i32.eqz (i32.load8_u (local.get $i)))
          (then
            (local.set $count (i32.add (local.get $count) (i32.const 1)))
            (local.set $j (i32.mul (local.get $i) (local.get $i)))
            (block $marked
              (loop $mark
                (br_if $marked (i32.ge_u (local.get $j) (local.get $n)))
                (i32.store8 (local.get $j) (i32.const 1))
                (local.set $j (i32.add (local.get $j) (local.get $i)))
                (br $mark)))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $next)))
    (local.get $count)))
