;; Overlapping data segments at constant offsets, and a start function that goes on with them.
(module
  (memory 1)
  (data (i32.const 0) "\00\01\02\03\04\05\06\07\08\09\0a\0b\0c\0d\0e\0f\10\11\12\13")
  (data (i32.const 16) "\ff\fe\fd\fc\fb\fa")
  (data (i32.const 18) "zz")
  (data (i32.const 65532) "last")
  (start $begin)
  (func $begin
    (local $i i32)
    (loop $next
      (i32.store8 offset=32 (local.get $i)
        (i32.xor (i32.load8_u (local.get $i)) (i32.const 0x55)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $i) (i32.const 24)))))
  (func (export "byte") (param $at i32) (result i32)
    (i32.load8_u (i32.and (local.get $at) (i32.const 63))))
  (func (export "last") (result i32) (i32.load offset=65532 (i32.const 0))))
