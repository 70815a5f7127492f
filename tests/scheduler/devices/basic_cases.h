#pragma once

// Modules for agreement tests (agreement_cases.h): control, numbers, memory, calls.

#include "tests/scheduler/devices/agreement_cases.h"

namespace wb::test {

inline constexpr AgreementCase kCases[] = {
    {"Straight", R"((module (func (export "run") (param i32) (result i32)
        local.get 0 i32.const 7 i32.mul i32.const 3 i32.add local.get 0 i32.rotl)))"},
    {"NestedLoops", R"((module (func (export "run") (param $n i32) (result i32)
        (local $i i32) (local $j i32) (local $sum i32)
        loop $outer
          i32.const 0 local.set $j
          loop $inner
            local.get $sum i32.const 31 i32.mul local.get $i i32.add local.get $j i32.xor
            local.set $sum
            local.get $j i32.const 1 i32.add local.tee $j local.get $n i32.const 7 i32.and i32.lt_u
            br_if $inner
          end
          local.get $i i32.const 1 i32.add local.tee $i i32.const 9 i32.lt_u br_if $outer
        end
        local.get $sum)))"},
    {"ValuesAcrossLoops", R"((module (func (export "run") (param $n i32) (result i64)
        (local $i i32)
        local.get $n i64.extend_i32_u i64.const 5000000000 i64.mul
        i32.const 10
        (loop $l (param i32) (result i32)
          local.get $n i32.add
          local.get $i i32.const 1 i32.add local.tee $i i32.const 6 i32.lt_u br_if $l)
        i64.extend_i32_s i64.add)))"},
    {"ReadOnlyData", R"((module (memory 1)
        (data (i32.const 4096) "thirty-two bytes of data, and 32")
        (func (export "run") (param $n i32) (result i32) (local $i i32) (local $s i32) (local $at i32)
          (i32.store (i32.const 16)
            (i32.add (i32.const 4090) (i32.mul (i32.and (local.get $n) (i32.const 7)) (i32.const 5))))
          (local.set $at (i32.load (i32.const 16)))
          (loop $l
            (local.set $s (i32.add (i32.mul (local.get $s) (i32.const 31))
              (i32.load8_u offset=4096 (i32.and (local.get $n) (i32.const 31)))))
            (local.set $n (i32.add (local.get $n) (i32.const 1)))
            (if (i32.eq (local.get $i) (i32.const 9)) (then (i32.store8 (local.get $at) (i32.const 7))))
            (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 40))))
          (local.get $s))))"},
    {"Calls", R"((module
        (func $leaf (param i32) (result i32) local.get 0 i32.const 1 i32.add)
        (func $loop (param $n i32) (param $x i64) (result i64 i32)
          (local $i i32)
          loop $l
            local.get $x i64.const 6364136223846793005 i64.mul local.get $i call $leaf
            i64.extend_i32_u i64.add local.set $x
            local.get $i i32.const 1 i32.add local.tee $i local.get $n i32.lt_u br_if $l
          end
          local.get $x local.get $i)
        (func $middle (param $n i32) (result i64) (local $k i32)
          loop $l
            local.get $n local.get $k i64.extend_i32_u call $loop
            drop
            local.get $k i32.const 1 i32.add local.tee $k i32.const 3 i32.ge_u
            if (param i64) (result i64) return end
            drop br $l
          end
          unreachable)
        (func (export "run") (param i32) (result i64)
          local.get 0 i32.const 15 i32.and call $middle
          local.get 0 i32.const 3 i32.and call $middle i64.xor)))"},
    {"Memory", R"((module (memory 1 4) (data (i32.const 4) "\01\02\03\04\05")
        (func (export "run") (param $n i32) (result i32) (local $i i32)
          loop $l
            local.get $i local.get $i local.get $n i32.mul i32.store offset=8
            local.get $i local.get $n i32.store8 offset=3
            local.get $i i32.const 5 i32.add local.tee $i i32.const 100 i32.lt_u br_if $l
          end
          i32.const 200 i32.const 0 i32.const 64 memory.copy
          i32.const 201 i32.const 200 i32.const 50 memory.copy
          i32.const 300 local.get $n i32.const 33 memory.fill
          i32.const 1 memory.grow drop
          i32.const 70000 local.get $n i32.store16
          i32.const 70001 i32.load16_s memory.size i32.add)))",
     512},
    {"BigBulk", R"((module (memory 2)
        (func (export "run") (param $n i32) (result i32)
          i32.const 5 local.get $n i32.const 30000 memory.fill
          i32.const 20000 i32.const 77 i32.const 1000 memory.fill
          i32.const 40001 i32.const 3 i32.const 60000 memory.copy
          i32.const 2 i32.const 40000 i32.const 70000 memory.copy
          i32.const 19980 i32.load)))",
     131072},
    {"Globals", R"((module (global $a (mut i32) (i32.const 5)) (global $b (mut i64) (i64.const -2))
        (global $c (mut f64) (f64.const 1.5))
        (func $step (local $i i32)
          loop $l
            global.get $a i32.const 3 i32.mul global.set $a
            global.get $b global.get $a i64.extend_i32_s i64.sub global.set $b
            global.get $c global.get $c f64.const 0.1 f64.div f64.sub global.set $c
            local.get $i i32.const 1 i32.add local.tee $i i32.const 5 i32.ne br_if $l
          end)
        (func (export "run") (param i32) (result i32 i64 f64)
          local.get 0 global.set $a call $step call $step
          global.get $a global.get $b global.get $c)))"},
    {"Floats", R"((module (memory 1)
        (func (export "run") (param $n i32) (result f64 f32 i64 i32)
          (local $x f64) (local $y f32) (local $i i32)
          local.get $n f64.convert_i32_s f64.const 0.3 f64.sub local.set $x
          loop $l
            local.get $x f64.sqrt f64.const 1.25 f64.mul f64.nearest local.get $x f64.add
            local.set $x
            local.get $x f32.demote_f64 local.get $y f32.sub f32.floor local.set $y
            local.get $i i32.const 1 i32.add local.tee $i i32.const 8 i32.lt_u br_if $l
          end
          i32.const 16 local.get $x f64.store
          i32.const 24 f32.const 0 f32.const 0 f32.div f32.store
          local.get $x local.get $y
          f64.const 0 f64.const 0 f64.div f64.neg i64.reinterpret_f64
          local.get $y i32.trunc_sat_f32_s)))",
     64},
    {"BranchTable", R"((module (func (export "run") (param $n i32) (result i32)
        (local $i i32) (local $sum i32)
        loop $top
          local.get $i i32.const 1 i32.add local.set $i
          block $d block $c block $b block $a
            local.get $i local.get $n i32.add i32.const 7 i32.and
            br_table $a $b $c $top $d $b $d
          end local.get $sum i32.const 3 i32.add local.set $sum br $d
          end local.get $sum i32.const 5 i32.mul local.set $sum br $d
          end local.get $sum local.get $i i32.xor local.set $sum
          end
          local.get $i i32.const 20 i32.lt_u
          if local.get $i i32.const 3 i32.ne br_if $top end
        end
        local.get $sum)))"},
    {"Traps", R"((module (memory 1)
        (func $inner (param i32) (result i32) (local $i i32)
          loop $l
            i32.const 65530 local.get $i i32.add i32.const 1 i32.store
            i32.const 100 local.get 0 i32.const 5 i32.and local.get $i i32.sub i32.div_s drop
            local.get $i i32.const 1 i32.add local.tee $i i32.const 10 i32.lt_u br_if $l
          end
          f32.const 3e10 i32.trunc_f32_s)
        (func (export "run") (param i32) (result i32)
          local.get 0 i32.const 30 i32.gt_u if unreachable end
          local.get 0 call $inner)))",
     0},
    {"Tables", R"((module (table 6 funcref) (type $t (func (param i32) (result i32)))
        (elem (i32.const 0) $double $slow $other $double)
        (func $double (param i32) (result i32) local.get 0 i32.const 2 i32.mul)
        (func $slow (param i32) (result i32) (local $i i32)
          loop $l
            local.get 0 i32.const 3 i32.mul local.get $i i32.add local.set 0
            local.get $i i32.const 1 i32.add local.tee $i i32.const 4 i32.lt_u br_if $l
          end
          local.get 0)
        (func $other (result i64) i64.const 1)
        (func (export "run") (param i32) (result i32)
          local.get 0
          local.get 0 i32.const 1 i32.and call_indirect (type $t)
          local.get 0 i32.const 7 i32.and call_indirect (type $t))))"},
    {"StartAndIf", R"((module (memory 1) (global $g (mut i32) (i32.const 1))
        (func $start (local $i i32)
          loop $l
            global.get $g i32.const 1664525 i32.mul i32.const 1013904223 i32.add global.set $g
            local.get $i i32.const 1 i32.add local.tee $i i32.const 4 i32.lt_u br_if $l
          end)
        (start $start)
        (func (export "run") (param i32) (result i32) (local $i i32)
          loop $l
            local.get $i i32.const 1 i32.and
            if (result i32) call $start global.get $g else local.get $i end
            global.get $g i32.add global.set $g
            local.get $i i32.const 1 i32.add local.tee $i local.get 0 i32.const 7 i32.and i32.le_u
            br_if $l
          end
          global.get $g local.get $i local.get 0 select)))"},
    {"Recursion", R"((module (memory 1) (global $at (mut i32) (i32.const 0))
        (func $fib (param $n i32) (result i64)
          local.get $n i32.const 2 i32.lt_u
          if (result i64) local.get $n i64.extend_i32_u
          else
            local.get $n i32.const 1 i32.sub call $fib
            local.get $n i32.const 2 i32.sub call $fib i64.add
          end)
        (func (export "run") (param $n i32) (result i64)
          local.get $n i32.const 11 i32.rem_u call $fib)))"},
    {"MutualRecursion", R"((module (memory 1) (global $at (mut i32) (i32.const 0))
        (func $note (param $x i32) (local $i i32)
          loop $l
            global.get $at i32.const 63 i32.and local.get $x i32.store8
            global.get $at i32.const 1 i32.add global.set $at
            local.get $i i32.const 1 i32.add local.tee $i local.get $x i32.const 3 i32.and
            i32.lt_u br_if $l
          end)
        (func $expression (param $n i32) (result i32) (local $i i32) (local $sum i32)
          loop $l
            local.get $sum i32.const 7 i32.mul
            local.get $n local.get $i i32.sub call $term i32.add local.set $sum
            local.get $i i32.const 1 i32.add local.tee $i i32.const 3 i32.lt_u br_if $l
          end
          local.get $sum)
        (func $term (param $n i32) (result i32)
          local.get $n call $note
          local.get $n i32.const 1 i32.sub call $walk
          local.get $n i32.add)
        (func $walk (param $n i32) (result i32)
          local.get $n i32.const 0 i32.le_s if (result i32) i32.const 5
          else i32.const 100 local.get $n i32.const 2 i32.sub call $expression i32.sub end)
        (func (export "run") (param $n i32) (result i32)
          local.get $n i32.const 6 i32.rem_u call $expression
          local.get $n i32.const 5 i32.rem_u call $walk i32.xor)))",
     64},
};

}  // namespace wb::test
