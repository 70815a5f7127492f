;; Two memories, and a segment of an imported table, which instantiation applies.
(module
  (import "library" "table" (table 2 funcref))
  (import "library" "limit" (global $limit (mut i32)))
  (import "library" "grow" (func $grow (param i32) (result i32)))
  (import "library" "read" (func $read (param i32) (result i32)))
  (memory 1)
  (data (i32.const 16) "main")
  (elem (i32.const 1) func $read $peek)
  (func $peek (param i32) (result i32)
    (global.set $limit (i32.add (global.get $limit) (i32.const 1)))
    (i32.load8_u offset=16 (local.get 0)))
  (func (export "run") (param i32) (result i32)
    (i32.add (call $grow (local.get 0)) (i32.add (call $read (i32.const 2)) (call $peek (i32.const 3))))))
