;; A small machine driven by br_table: programs are the digits of the argument.
(module
  (memory 1)
  (func (export "run") (param $code i64) (result i32)
    (local $a i32) (local $b i32) (local $op i32)
    (local.set $a (i32.const 1))
    (block $halt
      (loop $next
        (br_if $halt (i64.eqz (local.get $code)))
        (local.set $op (i32.wrap_i64 (i64.and (local.get $code) (i64.const 7))))
        (local.set $code (i64.shr_u (local.get $code) (i64.const 3)))
        (block $default
          (block $swap
            (block $store
              (block $mul
                (block $dec
                  (block $inc
                    (br_table $inc $dec $mul $store $swap $halt $default (local.get $op)))
                  (local.set $a (i32.add (local.get $a) (i32.const 1)))
                  (br $next))
                (local.set $a (i32.sub (local.get $a) (i32.const 1)))
                (br $next))
              (local.set $a (i32.mul (local.get $a) (i32.add (local.get $b) (i32.const 3))))
              (br $next))
            (i32.store8 (i32.and (local.get $a) (i32.const 0xff)) (local.get $b))
            (br $next))
          (local.set $op (local.get $a))
          (local.set $a (local.get $b))
          (local.set $b (local.get $op))
          (br $next))
        (local.set $b (i32.xor (local.get $b) (i32.load8_u (i32.and (local.get $a)
          (i32.const 0xff)))))
        (br $next)))
    (i32.add (i32.mul (local.get $a) (i32.const 65599)) (local.get $b)))
  (func (export "value") (param $i i32) (result i32)
    (block $a (result i32)
      (block $b (result i32)
        (block $c (result i32)
          (br_table $a $b $c (i32.const 10) (local.get $i)))
        (i32.add (i32.const 100)))
      (i32.mul (i32.const 3)))))
