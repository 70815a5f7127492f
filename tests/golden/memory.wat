;; Loads and stores of all widths; a memory that never grows has a constant size.
(module (memory (export "memory") 1)
  (data (i32.const 16) "\01\02\03\04")
  (func (export "touch") (param $p i32) (result i64)
    (i32.store8 offset=3 (local.get $p) (i32.load16_s (local.get $p)))
    (i64.store32 (local.get $p) (i64.load8_u offset=65535 (local.get $p)))
    (f32.store (i32.const 8) (f32.load (local.get $p)))
    (i64.add (i64.load align=1 (local.get $p)) (i64.extend_i32_u (memory.size)))))
