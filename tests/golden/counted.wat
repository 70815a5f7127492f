;; Counted loops: words of the frame that stay in place beside an array, with rounds that are known
;; before; a falling counter whose rounds are not, over bytes and words that may be odd; and a float
;; in memory that is a variable meanwhile, and canonical when it goes back.
(module
  (memory 1)
  (global $sp (mut i32) (i32.const 4096))
  (func (export "known") (param $n i32) (result i32) (local $i i32) (local $fp i32) (local $a i32)
    (local.set $fp (i32.sub (global.get $sp) (i32.const 320)))
    (global.set $sp (local.get $fp))
    (local.set $a (i32.or (local.get $fp) (i32.const 4)))
    (local.set $i (i32.const 0))
    (loop $l
      (i64.store (local.get $a) (i64.load (local.get $fp)))
      (i32.store (local.get $fp)
        (i32.add (i32.load offset=12 (local.get $fp))
          (i32.load offset=32 (i32.add (local.get $fp) (local.get $i)))))
      (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 4))) (i32.const 64))))
    (global.set $sp (i32.add (local.get $fp) (i32.const 320)))
    (i32.load (local.get $fp)))
  (func (export "open") (param $p i32) (param $n i32) (result f32) (local $s f32)
    (block $out
      (loop $l
        (br_if $out (i32.le_s (local.get $n) (i32.const 0)))
        (f32.store offset=4 (local.get $p) (local.get $s))
        (local.set $s (f32.add (local.get $s)
          (f32.load (i32.add (local.get $p) (i32.mul (local.get $n) (i32.const 12))))))
        (i32.store8 (local.get $n) (i32.const 7))
        (local.set $n (i32.sub (local.get $n) (i32.const 1)))
        (br $l)))
    (local.get $s))
  (func (export "sum") (param $p i32) (param $n i32)
    (loop $l
      (f64.store (local.get $p) (f64.add (f64.load (local.get $p)) (f64.const 1)))
      (br_if $l (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))))
