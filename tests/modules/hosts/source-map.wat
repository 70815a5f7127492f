;; What source-map's mappings.wasm imports as "env": it is called for each mapping. Keeps how many
;; there were and a digest of all their numbers.
(module
  (global $count (mut i32) (i32.const 0))
  (global $digest (mut i64) (i64.const 0))
  (func $note (param i32)
    (global.set $digest
      (i64.rotl
        (i64.mul (i64.xor (global.get $digest) (i64.extend_i32_u (local.get 0)))
          (i64.const 0x9e3779b97f4a7c15))
        (i64.const 29))))
  (func (export "mapping_callback") (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32)
    (global.set $count (i32.add (global.get $count) (i32.const 1)))
    (call $note (local.get 0)) (call $note (local.get 1))
    ;; Numbers that are not there are not looked at.
    (if (local.get 2) (then (call $note (local.get 3))))
    (if (local.get 4)
      (then
        (call $note (local.get 5)) (call $note (local.get 6)) (call $note (local.get 7))
        (if (local.get 8) (then (call $note (local.get 9)))))))
  (func (export "count") (result i32) (global.get $count))
  (func (export "digest") (result i64) (global.get $digest)))
