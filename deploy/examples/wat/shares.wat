;; Work that instances share by their number: each adds up its part of 1/1 - 1/3 + 1/5 ..., and writes
;; it as 8 bytes. Without WASI: the module imports what the engine gives itself, `wasmburst`
;; (compiler/abi/primitive.def).
;;
;;     $ wat2wasm wat/shares.wat -o shares.wasm
;;     $ wasmburstctl -q run shares.wasm -n 1000 --ordered >shares.f64
;;     $ wc -c <shares.f64
;;     8000
;;     $ node -p 'new Float64Array(fs.readFileSync("shares.f64").buffer).reduce((a, b) => a + b) * 4'
;;     3.1415924035897858
(module
  (import "wasmburst" "instance" (func $instance (result i64)))
  (import "wasmburst" "instance_count" (func $instance_count (result i64)))
  (import "wasmburst" "output_write" (func $output_write (param i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (global $terms i64 (i64.const 4000000))

  ;; Term n of the series.
  (func $term (param $n i64) (result f64)
    (f64.div
      (select (f64.const -1) (f64.const 1) (i32.wrap_i64 (i64.and (local.get $n) (i64.const 1))))
      (f64.convert_i64_u (i64.add (i64.shl (local.get $n) (i64.const 1)) (i64.const 1)))))

  ;; This instance has the terms from its number on, in steps of how many instances there are.
  (func (export "_start")
    (local $n i64) (local $step i64) (local $sum f64)
    (local.set $n (call $instance))
    (local.set $step (call $instance_count))
    (loop $next
      (if (i64.lt_u (local.get $n) (global.get $terms))
        (then
          (local.set $sum (f64.add (local.get $sum) (call $term (local.get $n))))
          (local.set $n (i64.add (local.get $n) (local.get $step)))
          (br $next))))
    (f64.store (i32.const 0) (local.get $sum))
    ;; Stream 1 is standard output.
    (drop (call $output_write (i32.const 1) (i32.const 0) (i32.const 8)))))
