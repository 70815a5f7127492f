;; Walks over memory with every width; addresses come from the arguments and may be outside.
(module
  (memory (export "memory") 1 2)
  (func (export "fill_words") (param $from i32) (param $seed i32)
    (local $i i32)
    (local.set $from (i32.and (local.get $from) (i32.const 0x7ffc)))
    (loop $next
      (local.set $seed
        (i32.add (i32.mul (local.get $seed) (i32.const 1664525)) (i32.const 1013904223)))
      (i32.store offset=16
        (i32.add (local.get $from) (i32.shl (local.get $i) (i32.const 2))) (local.get $seed))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $i) (i32.const 64)))))
  (func (export "sum_bytes") (param $from i32) (param $n i32) (result i64)
    (local $s i64)
    (local.set $n (i32.and (local.get $n) (i32.const 255)))
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $n)))
        (local.set $s (i64.add (i64.mul (local.get $s) (i64.const 31))
          (i64.load8_s (local.get $from))))
        (local.set $from (i32.add (local.get $from) (i32.const 1)))
        (local.set $n (i32.sub (local.get $n) (i32.const 1)))
        (br $next)))
    (local.get $s))
  (func (export "widths") (param $at i32) (param $value i64) (result i64)
    (local.set $at (i32.rem_u (local.get $at) (i32.const 65600)))
    (i64.store8 (local.get $at) (local.get $value))
    (i64.store16 offset=3 (local.get $at) (i64.shr_u (local.get $value) (i64.const 9)))
    (i64.store32 offset=7 (local.get $at) (i64.shr_u (local.get $value) (i64.const 17)))
    (i64.store offset=13 (local.get $at) (i64.rotl (local.get $value) (i64.const 21)))
    (i64.add
      (i64.add (i64.load8_u (local.get $at)) (i64.load16_s offset=2 (local.get $at)))
      (i64.xor
        (i64.xor (i64.load32_s offset=5 (local.get $at)) (i64.load32_u offset=11 (local.get $at)))
        (i64.load offset=9 (local.get $at)))))
  (func (export "far") (param $at i32) (result i32)
    (i32.load offset=65530 (i32.and (local.get $at) (i32.const 15)))))
