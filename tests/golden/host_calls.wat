;; A function that the job's caller answers: the number of the import and the arguments go to the
;; stage, and the results come from there.
(module
  (import "wasmburst" "host_call.3" (func $ask (param i32 i64 f32 f64) (result i64 i32)))
  (memory 1)
  (func (export "run") (param i32) (result i64)
    (call $ask (local.get 0) (i64.const 7) (f32.const 1.5) (f64.const 2.5))
    (drop)))
