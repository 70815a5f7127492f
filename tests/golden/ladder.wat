;; An interpreter's loop: a table of 16 cases is a dispatch loop inside it.
(module
  (memory (export "memory") 1)
  (func (export "f") (param $pc i32) (result i32)
    (local $acc i32)
    (block $halt
      (loop $next
        (block $done
        (block $c15
        (block $c14
        (block $c13
        (block $c12
        (block $c11
        (block $c10
        (block $c9
        (block $c8
        (block $c7
        (block $c6
        (block $c5
        (block $c4
        (block $c3
        (block $c2
        (block $c1
        (block $c0
          (br_table $c0 $c1 $c2 $c3 $c4 $c5 $c6 $c7 $c8 $c9 $c10 $c11 $c12 $c13 $c14 $c15 $halt
            (i32.load8_u (local.get $pc)))
        )
        (local.set $acc (i32.add (local.get $acc) (i32.const 3))) (br $done)
        )
        (local.set $acc (i32.sub (local.get $acc) (i32.const 4))) (br $done)
        )
        (local.set $acc (i32.mul (local.get $acc) (i32.const 5))) (br $done)
        )
        (local.set $acc (i32.xor (local.get $acc) (i32.const 6))) ;; falls through
        )
        (local.set $acc (i32.add (local.get $acc) (i32.const 7))) (br $done)
        )
        (local.set $acc (i32.sub (local.get $acc) (i32.const 8))) (br $done)
        )
        (local.set $acc (i32.mul (local.get $acc) (i32.const 9))) (br $done)
        )
        (local.set $acc (i32.xor (local.get $acc) (i32.const 10))) ;; falls through
        )
        (local.set $acc (i32.add (local.get $acc) (i32.const 11))) (br $done)
        )
        (local.set $acc (i32.sub (local.get $acc) (i32.const 12))) (br $done)
        )
        (local.set $acc (i32.mul (local.get $acc) (i32.const 13))) (br $done)
        )
        (local.set $acc (i32.xor (local.get $acc) (i32.const 14))) ;; falls through
        )
        (local.set $acc (i32.add (local.get $acc) (i32.const 15))) (br $done)
        )
        (local.set $acc (i32.sub (local.get $acc) (i32.const 16))) (br $done)
        )
        (local.set $acc (i32.mul (local.get $acc) (i32.const 17))) (br $done)
        )
        (local.set $acc (i32.xor (local.get $acc) (i32.const 18))) ;; falls through
        )
        (local.set $pc (i32.add (local.get $pc) (i32.const 1)))
        (br $next)))
    (local.get $acc))
)
