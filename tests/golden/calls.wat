;; A bounded callee, one that may leave, and a value that waits on the stack across it.
(module
  (func $square (param i32) (result i32) (i32.mul (local.get 0) (local.get 0)))
  (func $count (param $n i32) (result i32) (local $i i32)
    (loop $top
      (br_if $top (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                            (local.get $n))))
    (local.get $i))
  (func $never_called (unreachable))
  (func (export "main") (param $n i32) (result i32)
    (if (result i32) (i32.gt_u (local.get $n) (i32.const 5))
      (then (i32.add (i32.mul (local.get $n) (i32.const 7))
                     (call $count (call $square (local.get $n)))))
      (else (call $count (call $count (i32.const 3)))))))
