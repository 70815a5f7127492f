;; Every kind of trap that straight code can have, each with its offset.
(module (memory 1)
  (func (export "trap") (param $a i32) (param $b i32) (param $x f64) (result i32)
    (if (i32.eqz (local.get $a)) (then (unreachable)))
    (i32.add
      (i32.add (i32.div_s (local.get $a) (local.get $b)) (i32.rem_s (local.get $a) (local.get $b)))
      (i32.add (i32.trunc_f64_s (local.get $x)) (i32.load offset=70000 (local.get $a))))))
