;; A call through a table whose callees are known.
(module
  (type $binary (func (param i32 i32) (result i32)))
  (table 4 4 funcref) (elem (i32.const 0) $add $sub $mul)
  (func $add (type $binary) (i32.add (local.get 0) (local.get 1)))
  (func $sub (type $binary) (i32.sub (local.get 0) (local.get 1)))
  (func $mul (type $binary) (i32.mul (local.get 0) (local.get 1)))
  (func (export "apply") (param $op i32) (param i32 i32) (result i32)
    (call_indirect (type $binary) (local.get 1) (local.get 2) (local.get $op))))
