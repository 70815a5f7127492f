;; What a module asks of the engine: each primitive is a function that leaves with its arguments.
(module
  (import "wasmburst" "input_read" (func $read (param i32 i64 i32 i32) (result i32)))
  (import "wasmburst" "output_write" (func $write (param i32 i32 i32) (result i32)))
  (import "wasmburst" "fuel_used" (func $fuel (result i64)))
  (import "wasmburst" "exit" (func $exit (param i32)))
  (memory 1)
  (func (export "run") (result i64)
    (if (i32.eqz (call $write (i32.const 1) (i32.const 64)
                   (call $read (i32.const 0) (i64.const 0) (i32.const 64) (i32.const 100))))
      (then (call $exit (i32.const 3))))
    (call $fuel)))
