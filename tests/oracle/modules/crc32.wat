;; CRC-32 with a table made at the start.
(module
  (memory 1)
  (start $make)
  (func $make
    (local $i i32) (local $k i32) (local $c i32)
    (loop $next
      (local.set $c (local.get $i))
      (local.set $k (i32.const 8))
      (loop $bit
        (local.set $c (i32.xor (i32.shr_u (local.get $c) (i32.const 1))
          (i32.and (i32.const 0xedb88320)
            (i32.sub (i32.const 0) (i32.and (local.get $c) (i32.const 1))))))
        (local.set $k (i32.sub (local.get $k) (i32.const 1)))
        (br_if $bit (local.get $k)))
      (i32.store (i32.shl (local.get $i) (i32.const 2)) (local.get $c))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $i) (i32.const 256)))))
  (func (export "crc") (param $word i64) (param $more i64) (result i32)
    (local $c i32) (local $at i32)
    (i64.store offset=2048 (i32.const 0) (local.get $word))
    (i64.store offset=2056 (i32.const 0) (local.get $more))
    (local.set $c (i32.const -1))
    (loop $next
      (local.set $c (i32.xor (i32.shr_u (local.get $c) (i32.const 8))
        (i32.load (i32.shl (i32.and (i32.xor (local.get $c)
          (i32.load8_u offset=2048 (local.get $at))) (i32.const 255)) (i32.const 2)))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $at) (i32.const 16))))
    (i32.xor (local.get $c) (i32.const -1))))
