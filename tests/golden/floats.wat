;; NaNs become canonical where their bits are seen; the loop between carries any.
(module (memory 1)
  (func (export "dot") (param $n i32) (result f64) (local $sum f64) (local $i i32)
    (loop $top
      (local.set $sum (f64.add (local.get $sum)
        (f64.mul (f64.load (local.get $i)) (f64.load offset=1024 (local.get $i)))))
      (br_if $top (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 8)))
                            (local.get $n))))
    (f32.store (i32.const 0) (f32.demote_f64 (local.get $sum)))
    (drop (i64.reinterpret_f64 (f64.neg (local.get $sum))))
    (f64.sqrt (local.get $sum)))
  ;; A product that only a sum reads is printed with it; one that is read twice is not.
  (func (export "sums") (param $a f32) (param $b f32) (param $c f32) (result f32 f32 f32 f32)
    (local $p f32)
    (f32.add (f32.mul (local.get $a) (local.get $b)) (local.get $c))
    (f32.sub (local.get $c) (f32.mul (local.get $a) (local.get $b)))
    (f32.sub (f32.mul (local.get $a) (local.get $b)) (f32.mul (local.get $b) (local.get $c)))
    (local.set $p (f32.mul (local.get $a) (local.get $b)))
    (f32.add (local.get $p) (local.get $p))))
