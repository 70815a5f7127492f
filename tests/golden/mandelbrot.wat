;; The demo's inner loop.
(module
  (func (export "escape") (param $cx f64) (param $cy f64) (param $max i32) (result i32)
    (local $x f64) (local $y f64) (local $xx f64) (local $yy f64) (local $n i32)
    (block $done
      (loop $top
        (br_if $done (i32.ge_u (local.get $n) (local.get $max)))
        (local.set $xx (f64.mul (local.get $x) (local.get $x)))
        (local.set $yy (f64.mul (local.get $y) (local.get $y)))
        (br_if $done (f64.gt (f64.add (local.get $xx) (local.get $yy)) (f64.const 4)))
        (local.set $y (f64.add (f64.mul (f64.mul (f64.const 2) (local.get $x)) (local.get $y))
                               (local.get $cy)))
        (local.set $x (f64.add (f64.sub (local.get $xx) (local.get $yy)) (local.get $cx)))
        (local.set $n (i32.add (local.get $n) (i32.const 1)))
        (br $top)))
    (local.get $n)))
