;; A memory that grows: its size is read again behind whatever may change it.
(module (memory 1 10)
  (func $more (param i32) (result i32) (memory.grow (local.get 0)))
  (func (export "grow") (param $n i32) (result i32)
    (i32.store (i32.const 4) (call $more (local.get $n)))
    (i32.load (i32.sub (i32.mul (memory.size) (i32.const 65536)) (i32.const 4)))))
