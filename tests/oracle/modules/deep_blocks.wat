;; Blocks nested deeper than most compilers like to see braces, left at a chosen depth.
(module
  (func (export "leave") (param $depth i32) (result i32)
    (local $seen i32)
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (block
    (br_table 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 (i32.rem_u (local.get $depth) (i32.const 45)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 1)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 2)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 3)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 4)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 5)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 6)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 7)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 8)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 9)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 10)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 11)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 12)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 13)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 14)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 15)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 16)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 17)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 18)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 19)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 20)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 21)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 22)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 23)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 24)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 25)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 26)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 27)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 28)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 29)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 30)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 31)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 32)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 33)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 34)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 35)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 36)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 37)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 38)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 39)))
    ) (local.set $seen (i32.add (i32.mul (local.get $seen) (i32.const 3)) (i32.const 40)))
    (local.get $seen)))
