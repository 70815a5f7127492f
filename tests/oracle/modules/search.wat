;; String search and comparison over bytes in memory.
(module
  (memory 1)
  (data (i32.const 0) "she sells sea shells by the sea shore; the shells she sells are sea shells")
  (data (i32.const 200) "shells")
  (func (export "find") (param $from i32) (param $n i32) (result i32)
    (local $i i32) (local $j i32)
    (local.set $i (i32.and (local.get $from) (i32.const 127)))
    (local.set $n (i32.add (i32.const 1) (i32.rem_u (local.get $n) (i32.const 6))))
    (block $no
      (loop $start
        (br_if $no (i32.gt_u (local.get $i) (i32.const 74)))
        (local.set $j (i32.const 0))
        (block $differs
          (loop $compare
            (br_if $differs (i32.ne
              (i32.load8_u (i32.add (local.get $i) (local.get $j)))
              (i32.load8_u offset=200 (local.get $j))))
            (local.set $j (i32.add (local.get $j) (i32.const 1)))
            (br_if $compare (i32.lt_u (local.get $j) (local.get $n))))
          (return (local.get $i)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $start)))
    (i32.const -1))
  (func (export "reverse") (param $from i32) (param $n i32)
    (local $to i32) (local $t i32)
    (local.set $from (i32.and (local.get $from) (i32.const 63)))
    (local.set $to (i32.add (local.get $from) (i32.and (local.get $n) (i32.const 63))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $from) (local.get $to)))
        (local.set $t (i32.load8_u (local.get $from)))
        (i32.store8 (local.get $from) (i32.load8_u (local.get $to)))
        (i32.store8 (local.get $to) (local.get $t))
        (local.set $from (i32.add (local.get $from) (i32.const 1)))
        (local.set $to (i32.sub (local.get $to) (i32.const 1)))
        (br $next)))))
