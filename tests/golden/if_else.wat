;; Arms are blocks of their own; values of both arms meet in one variable.
(module
  (func (export "collatz") (param i64) (result i64)
    (if (result i64) (i32.wrap_i64 (i64.and (local.get 0) (i64.const 1)))
      (then (i64.add (i64.mul (local.get 0) (i64.const 3)) (i64.const 1)))
      (else (i64.shr_u (local.get 0) (i64.const 1))))))
