;; The escape loop of the Mandelbrot set, f64 and f32.
(module
  (func (export "escape64") (param $cx f64) (param $cy f64) (result i32)
    (local $x f64) (local $y f64) (local $t f64) (local $n i32)
    (block $out
      (loop $next
        (br_if $out (i32.ge_u (local.get $n) (i32.const 200)))
        (br_if $out (f64.gt
          (f64.add (f64.mul (local.get $x) (local.get $x)) (f64.mul (local.get $y) (local.get $y)))
          (f64.const 4)))
        (local.set $t (f64.add (f64.sub (f64.mul (local.get $x) (local.get $x))
          (f64.mul (local.get $y) (local.get $y))) (local.get $cx)))
        (local.set $y (f64.add (f64.mul (f64.mul (f64.const 2) (local.get $x)) (local.get $y))
          (local.get $cy)))
        (local.set $x (local.get $t))
        (local.set $n (i32.add (local.get $n) (i32.const 1)))
        (br $next)))
    (local.get $n))
  (func (export "orbit32") (param $cx f32) (param $cy f32) (result f32 f32)
    (local $x f32) (local $y f32) (local $t f32) (local $n i32)
    (loop $next
      (local.set $t (f32.add (f32.sub (f32.mul (local.get $x) (local.get $x))
        (f32.mul (local.get $y) (local.get $y))) (local.get $cx)))
      (local.set $y (f32.add (f32.mul (f32.mul (f32.const 2) (local.get $x)) (local.get $y))
        (local.get $cy)))
      (local.set $x (local.get $t))
      (local.set $n (i32.add (local.get $n) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $n) (i32.const 12))))
    (local.get $x) (local.get $y)))
