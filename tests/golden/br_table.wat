;; A switch out of nested blocks, one case of which goes on with the loop around them.
(module
  (func (export "machine") (param $state i32) (param $n i32) (result i32)
    (block $end
      (loop $next
        (br_if $end (i32.eqz (local.get $n)))
        (local.set $n (i32.sub (local.get $n) (i32.const 1)))
        (block $two (block $one (block $zero
          (br_table $zero $one $two $next (local.get $state)))
          (local.set $state (i32.const 1)) (br $next))
          (local.set $state (i32.const 2)) (br $next))
        (local.set $state (i32.and (local.get $n) (i32.const 3)))
        (br $next)))
    (local.get $state)))
