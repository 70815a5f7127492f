;; $even and $odd replace each other; $leaf is bounded, so its tail call is a call.
(module
  (func $leaf (param i32) (result i32) (i32.mul (local.get 0) (i32.const 3)))
  (func $even (param i32 i32) (result i32)
    (if (i32.eqz (local.get 0)) (then (return_call $leaf (local.get 1))))
    (return_call $odd (i32.sub (local.get 0) (i32.const 1)) (i32.add (local.get 1) (i32.const 2))))
  (func $odd (param i32 i32) (result i32) (local i64)
    (if (i32.eqz (local.get 0)) (then (return (local.get 1))))
    (return_call $even (i32.sub (local.get 0) (i32.const 1)) (local.get 1)))
  (func (export "run") (param i32) (result i32)
    (i32.add (i32.const 1) (call $even (local.get 0) (i32.const 0)))))
