;; A memory that grows: its size is read again behind whatever may change it. Where the engine has
;; not reserved enough the function leaves before that, also in a loop, and comes there again.
(module (memory 1 10)
  (func $more (param i32) (result i32) (memory.grow (local.get 0)))
  (func (export "grow") (param $n i32) (result i32)
    (i32.store (i32.const 4) (call $more (local.get $n)))
    (i32.load (i32.sub (i32.mul (memory.size) (i32.const 65536)) (i32.const 4))))
  (func (export "rounds") (param $n i32) (result i32) (local $sum i32)
    (loop $l
      (local.set $sum (i32.add (local.get $sum)
        (memory.grow (i32.and (local.get $n) (i32.const 1)))))
      (br_if $l (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
    (i32.add (local.get $sum) (memory.grow (i32.const 1)))))
