;; v128 as parameter, local across a loop's safepoint, global and result; lanes, memory, floats.
(module
  (memory 1)
  (global $total (mut v128) (v128.const i64x2 1 -2))
  (func $mix (param v128 v128) (result v128)
    (v128.bitselect (local.get 0) (i8x16.swizzle (local.get 1) (local.get 0))
                    (f32x4.lt (local.get 0) (local.get 1))))
  (func (export "sum") (param $at i32) (param $n i32) (param $start v128) (result v128 i32)
    (local $sum v128)
    (local.set $sum (i32x4.add (local.get $start) (v128.const i32x4 1 2 3 4)))
    (loop $next
      (local.set $sum (f32x4.mul (local.get $sum) (v128.load offset=16 (local.get $at))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br_if $next (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
    (v128.store align=1 (local.get $at) (call $mix (local.get $sum) (global.get $total)))
    (global.set $total
      (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23 (local.get $sum) (global.get $total)))
    (v128.store16_lane offset=8 3 (local.get $at) (local.get $sum))
    (v128.load8_lane 15 (local.get $at)
      (f64x2.replace_lane 1 (i16x8.shl (local.get $sum) (local.get $n))
                            (f64.sqrt (f64x2.extract_lane 0 (local.get $sum)))))
    (i8x16.extract_lane_s 7 (i64x2.splat (i64.const 5)))))
