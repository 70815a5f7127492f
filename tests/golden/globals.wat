;; Globals of all types and a start function, which is an entry without being exported.
(module
  (global $a (mut i32) (i32.const 1)) (global $b (mut i64) (i64.const -1))
  (global $c (mut f32) (f32.const 0.5)) (global $d f64 (f64.const nan))
  (func $begin (global.set $b (i64.add (global.get $b) (i64.const 2))))
  (start $begin)
  (func (export "next") (result f64)
    (global.set $a (i32.add (global.get $a) (i32.const 1)))
    (global.set $c (f32.div (global.get $c) (global.get $c)))
    (f64.add (global.get $d) (f64.convert_i32_u (global.get $a)))))
