;; Several results, of functions and of blocks.
(module
  (func $divide (param i32 i32) (result i32 i32)
    (i32.div_u (local.get 0) (local.get 1)) (i32.rem_u (local.get 0) (local.get 1)))
  (func (export "digits") (param i32) (result i32 i32 i64)
    (call $divide (local.get 0) (i32.const 10))
    (block (param i32 i32) (result i32 i32 i64)
      (i64.const 1)
      (br_if 0 (local.get 0))
      (drop) (drop) (drop)
      (i32.const 0) (i32.const 0) (i64.const 0))))
