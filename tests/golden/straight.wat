;; Straight runs: a block that is copied, with a way out midway; and bytes of one pointer. A function
;; calls them, since rows that run once have none.
(module
  (memory 1)
  (func $copy (param $to i32) (param $from i32) (result i32)
    (block $out
      (i32.store (local.get $to) (i32.load (local.get $from)))
      (i32.store offset=4 (local.get $to) (i32.load offset=4 (local.get $from)))
      (br_if $out (i32.eqz (i32.load offset=8 (local.get $from))))
      (i64.store offset=8 (local.get $to) (i64.load offset=8 (local.get $from)))
      (i32.store offset=16 (local.get $to)
        (i32.div_u (i32.load offset=4 (local.get $to)) (i32.load (local.get $to)))))
    (i32.load offset=16 (local.get $to)))
  (func $bytes (param $p i32) (result i32)
    (i32.add
      (i32.add (i32.add (i32.load8_u (local.get $p)) (i32.load8_u offset=1 (local.get $p)))
               (i32.add (i32.load8_u offset=2 (local.get $p)) (i32.load8_u offset=3 (local.get $p))))
      (i32.add (i32.add (i32.load8_u offset=4 (local.get $p)) (i32.load8_u offset=5 (local.get $p)))
               (i32.add (i32.load8_u offset=6 (local.get $p)) (i32.load16_u offset=8 (local.get $p))))))
  (func (export "run") (param $p i32) (param $q i32) (result i32)
    (i32.add (call $copy (local.get $p) (local.get $q)) (call $bytes (local.get $p)))))
