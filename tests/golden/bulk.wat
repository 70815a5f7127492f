;; memory.fill and memory.copy, at most 4 KiB between two safepoints.
(module (memory 1)
  (func (export "move") (param $d i32) (param $s i32) (param $n i32)
    (memory.copy (local.get $d) (local.get $s) (local.get $n))
    (memory.fill (local.get $s) (i32.const 0) (local.get $n))
    (memory.fill (local.get $d) (i32.const 255) (i32.const 100))))
