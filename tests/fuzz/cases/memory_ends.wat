(module (memory (export "memory") 1 2)
  ;; Grows to the maximum and no further; the last bytes of a page, unaligned.
  (func (export "f0") (param i32) (result i32) (memory.grow (i32.and (local.get 0) (i32.const 1))))
  (func (export "f1") (param i32 i64) (result i64)
    (i64.store offset=65529 (i32.and (local.get 0) (i32.const 7)) (local.get 1))
    (i64.load offset=65528 (i32.and (local.get 0) (i32.const 1))))
  (func (export "f2") (result i32) memory.size))
