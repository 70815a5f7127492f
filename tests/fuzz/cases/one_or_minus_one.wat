(module
  ;; ptxas of CUDA 13.0 gives -1 for the bits of 1.0 and the other way round where a branch on a
  ;; comparison of floats chooses between them.
  (func (export "f0") (param i32 i64 f32 f64) (result i32)
    (if (result i32) (f32.ne (local.get 2) (f32.const 0))
      (then (local.set 1 (i64.const 5)) (i32.const -1))
      (else (local.set 1 (i64.const 7)) (i32.const 0x3f800000))))
  (func (export "f1") (param i32 i64 f32 f64) (result i64)
    (if (result i64) (f64.lt (local.get 3) (f64.const 0))
      (then (i64.const 0x3f800000ffffffff))
      (else (i64.const 0xffffffff3f800000))))
  (func $vector (param f32) (result f32 v128)
    (if (f32.ne (local.get 0) (f32.const 0))
      (then (return (f32.const 1e10) (v128.const i32x4 7 7 -1 1))))
    (f32.const 2) (v128.const i32x4 -1 -1 0x3f800000 0x7fc00000))
  (func (export "f2") (param i32 i64 f32 f64) (result f32 i64 i64) (local v128)
    (call $vector (local.get 2)) (local.set 4)
    (i64x2.extract_lane 0 (local.get 4)) (i64x2.extract_lane 1 (local.get 4))))
