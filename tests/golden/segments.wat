;; Passive segments: a short constant length, a length in chunks, a dropped one.
(module
  (memory 1)
  (data $kept "abcdefghijklmnopqrstuvwxyz")
  (data $dropped "0123456789")
  (func (export "short") (param i32)
    (memory.init $kept (local.get 0) (i32.const 3) (i32.const 5)))
  (func (export "any") (param i32 i32 i32)
    (memory.init $dropped (local.get 0) (local.get 1) (local.get 2)))
  (func (export "drop")
    (data.drop $dropped)))
