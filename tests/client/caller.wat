;; A guest whose imports the caller answers.
(module
  (import "env" "price" (func $price (param i32 f64) (result f64)))
  (import "env" "shout" (func $shout (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 16) "be")
  ;; The host is asked for the price of each thing.
  (func (export "cost") (param i32 i32) (result f64)
    (f64.mul (f64.convert_i32_s (local.get 1)) (call $price (local.get 0) (f64.const 0.25))))
  ;; The host reads two bytes of memory, and writes them as capitals.
  (func (export "loud") (param i32) (result i32)
    (drop (call $shout (i32.const 16) (i32.const 2)))
    (i32.add (i32.load8_u (i32.const 16)) (i32.load8_u (i32.const 17)))))
