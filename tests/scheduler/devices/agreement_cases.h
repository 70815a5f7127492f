#pragma once

// Modules whose records must be the same on every engine: each exports run(i32), called twice.

#include <cstdint>

namespace wb::test {

struct AgreementCase {
  const char* name;
  const char* wat;
  uint32_t output_bytes = 0;  // of memory, read at the end from address 0
};

// State of an instance besides memory: segments, tables.
inline constexpr AgreementCase kStateCases[] = {
    {"DataSegments", R"((module (memory 1)
        (data $short "abcdefghijklm") (data $dropped "xyz") (data (i32.const 3) "active")
        (func $fill (param $d i32) (param $s i32) (param $n i32)
          local.get $d local.get $s local.get $n memory.init $short)
        (func (export "run") (param i32) (result i32) (local $i i32)
          loop $l
            local.get $i i32.const 13 i32.mul local.get $i
            local.get 0 i32.const 7 i32.and call $fill
            local.get $i i32.const 1 i32.add local.tee $i i32.const 5 i32.lt_u br_if $l
          end
          i32.const 900 i32.const 1 i32.const 2 memory.init $dropped
          local.get 0 i32.const 3 i32.and if data.drop $dropped end
          local.get 0 i32.const 29 i32.gt_u
          if i32.const 65530 i32.const 0 i32.const 7 memory.init $short end
          i32.const 5 i32.load)))",
     1024},
    {"TableOperators", R"((module
        (table $t 20 5000 funcref) (table $other 8 funcref) (table $e 3 externref)
        (elem (table $t) (i32.const 2) func $one $two $one)
        (elem $passive func $two $one $two $two)
        (elem $dropped func $one)
        (type $f (func (result i32)))
        (func $one (result i32) i32.const 1)
        (func $two (result i32) (local $i i32)
          loop $l local.get $i i32.const 1 i32.add local.tee $i i32.const 3 i32.lt_u br_if $l end
          local.get $i)
        (func $count (result i32) (local $i i32) (local $n i32)
          loop $l
            local.get $n local.get $i table.get $t ref.is_null i32.eqz i32.add local.set $n
            local.get $i i32.const 1 i32.add local.tee $i table.size $t i32.lt_u br_if $l
          end
          local.get $n)
        (func (export "run") (param i32) (result i32)
          (table.init $t $passive (i32.const 7) (i32.const 1) (i32.const 3))
          (table.copy $t $t (i32.const 8) (i32.const 2) (i32.and (local.get 0) (i32.const 7)))
          (table.copy $other $t (i32.const 1) (i32.const 2) (i32.const 4))
          (drop (table.grow $t (ref.func $two) (i32.mul (local.get 0) (i32.const 100))))
          (table.fill $t (i32.const 18) (ref.func $one) (i32.const 2))
          (table.init $t $dropped (i32.const 0) (i32.const 0)
            (i32.and (local.get 0) (i32.const 1)))
          (elem.drop $dropped)
          (table.set $e (i32.const 2) (ref.null extern))
          (if (i32.gt_u (local.get 0) (i32.const 25))
            (then (table.set $other (local.get 0) (ref.null func))))
          (call_indirect $t (type $f) (i32.and (local.get 0) (i32.const 15)))
          (call_indirect $other (type $f) (i32.and (local.get 0) (i32.const 3)))
          i32.add
          (i32.mul (call $count) (i32.const 10)) i32.add
          (i32.mul (table.size $t) (i32.const 1000)) i32.add)))"},
    // More of each kind than have their loop in place; lengths on both sides of a chunk.
    {"ManyBulkOperators", R"((module (memory 1 1)
        (table $t 3000 9000 funcref) (table $u 2000 funcref)
        (elem $funcs func $run $copies $run $copies $run $copies $run $copies $run $copies)
        (data $bytes "0123456789abcdefghijklmnopqrstuvwxyz")
        (func $copies (param $n i32)
          (memory.copy (i32.const 900) (i32.const 3) (local.get $n))
          (memory.copy (i32.const 5) (i32.const 900) (local.get $n))
          (memory.copy (i32.const 20000) (i32.const 8) (local.get $n))
          (memory.copy (i32.const 20003) (i32.const 20000) (local.get $n))
          (memory.copy (i32.const 11) (i32.const 20001) (local.get $n))
          (memory.copy (i32.const 700) (i32.const 12) (local.get $n)))
        (func $fills (param $n i32)
          (memory.fill (i32.const 10) (i32.const 1) (local.get $n))
          (memory.fill (i32.const 20) (i32.const 2) (local.get $n))
          (memory.fill (i32.const 30) (i32.const 3) (local.get $n))
          (memory.fill (i32.const 40) (i32.const 4) (local.get $n))
          (memory.fill (i32.const 50) (local.get $n) (local.get $n))
          (memory.fill (i32.const 30000) (i32.const 6) (local.get $n)))
        (func $inits (param $n i32)
          (memory.init $bytes (i32.const 0) (i32.const 0) (local.get $n))
          (memory.init $bytes (i32.const 50) (i32.const 0) (local.get $n))
          (memory.init $bytes (i32.const 100) (i32.const 1) (local.get $n))
          (memory.init $bytes (i32.const 150) (i32.const 2) (local.get $n))
          (memory.init $bytes (i32.const 201) (i32.const 3) (local.get $n))
          (memory.init $bytes (i32.const 250) (i32.const 4) (local.get $n)))
        (func $tables (param $n i32) (param $few i32)
          (table.fill $t (i32.const 1) (ref.func $run) (local.get $n))
          (table.fill $t (i32.const 2) (ref.null func) (local.get $n))
          (table.fill $t (i32.const 3) (ref.func $copies) (local.get $n))
          (table.fill $t (i32.const 4) (ref.null func) (local.get $n))
          (table.fill $t (i32.const 5) (ref.func $copies) (local.get $n))
          (drop (table.grow $t (ref.func $run) (local.get $n)))
          (table.init $t $funcs (i32.const 10) (i32.const 0) (local.get $few))
          (table.init $t $funcs (i32.const 20) (i32.const 0) (local.get $few))
          (table.init $t $funcs (i32.const 30) (i32.const 0) (local.get $few))
          (table.init $t $funcs (i32.const 40) (i32.const 0) (local.get $few))
          (table.init $t $funcs (i32.const 50) (i32.const 1) (local.get $few))
          (table.copy $u $t (i32.const 0) (i32.const 0) (local.get $n))
          (table.copy $u $t (i32.const 1) (i32.const 0) (local.get $n))
          (table.copy $u $t (i32.const 2) (i32.const 0) (local.get $n))
          (table.copy $u $t (i32.const 3) (i32.const 0) (local.get $n))
          (table.copy $u $t (i32.const 4) (i32.const 0) (local.get $n)))
        (func $nulls (result i32) (local $i i32) (local $n i32)
          loop $l
            local.get $n i32.const 5 i32.mul
            local.get $i table.get $u ref.is_null i32.add local.set $n
            local.get $i i32.const 1 i32.add local.tee $i i32.const 80 i32.lt_u br_if $l
          end
          local.get $n)
        (func $run (export "run") (param $n i32) (result i32)
          (call $inits (i32.and (local.get $n) (i32.const 31)))
          (call $copies (i32.mul (local.get $n) (i32.const 411)))
          (call $fills (i32.shr_u (i32.mul (local.get $n) (local.get $n)) (i32.const 5)))
          (call $tables (i32.mul (local.get $n) (i32.const 62))
            (i32.rem_u (local.get $n) (i32.const 9)))
          (call $copies (i32.mul (local.get $n) (i32.const 1500)))
          (i32.add (call $nulls) (table.size $t)))))",
     1024},
    {"Trampolines", R"((module
        (table $fixed 16 funcref) (table $changed 16 funcref)
        (elem (table $fixed) (i32.const 1) func $a $b $c $d $e $f $long $other)
        (elem (table $changed) (i32.const 0) func $f $e $d $c $b $a $long)
        (type $t (func (param i32 i64) (result i64)))
        (func $a (param i32 i64) (result i64) local.get 1 i64.const 1 i64.add)
        (func $b (param i32 i64) (result i64) local.get 1 i64.const 3 i64.mul)
        (func $c (param i32 i64) (result i64) local.get 1 local.get 0 i64.extend_i32_u i64.xor)
        (func $d (param i32 i64) (result i64) local.get 1 i64.const 7 i64.rotl)
        (func $e (param i32 i64) (result i64) local.get 1 i64.const 5 i64.sub)
        (func $f (param i32 i64) (result i64)
          local.get 1 local.get 0 i64.extend_i32_u i64.div_u)
        (func $long (param i32 i64) (result i64) (local $i i32)
          loop $l
            local.get 1 i64.const 6364136223846793005 i64.mul local.get $i i64.extend_i32_u i64.add
            local.set 1
            local.get $i i32.const 1 i32.add local.tee $i i32.const 5 i32.lt_u br_if $l
          end
          local.get 1)
        (func $other (param i32) (result i32) local.get 0)
        (func $steps (param $x i32) (result i64) (local $i i32) (local $sum i64)
          i64.const 99 local.set $sum
          loop $l
            local.get $x local.get $sum
            local.get $i local.get $x i32.add i32.const 7 i32.rem_u i32.const 1 i32.add
            call_indirect $fixed (type $t) local.set $sum
            local.get $x i32.const 1 i32.or local.get $sum
            local.get $i i32.const 7 i32.rem_u
            call_indirect $changed (type $t) local.set $sum
            local.get $i local.get $i i32.const 1 i32.add i32.const 7 i32.rem_u
            table.get $changed table.set $changed
            local.get $i i32.const 1 i32.add local.tee $i i32.const 7 i32.lt_u br_if $l
          end
          local.get $sum)
        (func (export "run") (param i32) (result i64)
          local.get 0 local.get 0 call $steps
          local.get 0 i32.const 9 i32.rem_u
          call_indirect $fixed (type $t))))"},
    {"TailCalls", R"((module (memory 1)
        (type $t (func (param i32 i64) (result i64)))
        (table 6 funcref) (elem (i32.const 0) func $even $odd $mix $leaf $add $walk)
        (func $leaf (type $t) local.get 1 i64.const 3 i64.mul)
        (func $add (type $t) local.get 1 local.get 0 i64.extend_i32_u i64.add)
        (func $even (type $t)
          (if (i32.eqz (local.get 0)) (then (return_call $leaf (local.get 0) (local.get 1))))
          (return_call $odd (i32.sub (local.get 0) (i32.const 1))
            (i64.add (local.get 1) (i64.const 5))))
        (func $odd (type $t) (local $a i64) (local $b i64)
          (local.set $a (i64.rotl (local.get 1) (i64.const 7)))
          (if (i32.eqz (local.get 0)) (then (return (local.get $a))))
          (i32.store (i32.and (local.get 0) (i32.const 63)) (i32.wrap_i64 (local.get $a)))
          (return_call $even (i32.sub (local.get 0) (i32.const 1)) (local.get $a)))
        (func $mix (type $t)
          (if (i32.eqz (local.get 0)) (then (return (local.get 1))))
          (return_call_indirect (type $t) (i32.sub (local.get 0) (i32.const 1))
            (i64.xor (local.get 1) (i64.const 77)) (i32.rem_u (local.get 0) (i32.const 7))))
        (func $walk (type $t)
          (if (i32.lt_u (local.get 0) (i32.const 2))
            (then (return_call $add (local.get 0) (local.get 1))))
          (return_call $mix (i32.sub (local.get 0) (i32.const 1))
            (i64.add (call $walk (i32.shr_u (local.get 0) (i32.const 1)) (local.get 1))
              (call $even (local.get 0) (local.get 1)))))
        (func $outer (param i32) (result i64) (return_call $even (local.get 0) (i64.const 9)))
        (func (export "run") (param i32) (result i64) (local $sum i64)
          (loop $l
            (local.set $sum (i64.add (local.get $sum) (call $outer (local.get 0))))
            (local.set $sum (i64.mul (local.get $sum) (call $walk (local.get 0) (local.get $sum))))
            (local.set 0 (i32.shr_u (local.get 0) (i32.const 1)))
            (br_if $l (local.get 0)))
          (local.get $sum))))",
     64},
    {"TailCallsOfItself", R"((module
        (func $swap (param $n i32) (param $a i64) (param $b i64) (param $x f64) (result i64 f64)
          (local $fresh i64) (local $lanes v128) (local $inner i32)
          (if (i32.eqz (local.get $n))
            (then (return (i64.add (local.get $a) (local.get $fresh)) (local.get $x))))
          (local.set $fresh (i64.add (local.get $fresh) (i64.const 3)))
          (local.set $lanes (i64x2.add (local.get $lanes) (i64x2.splat (local.get $b))))
          (loop $l
            (local.set $b (i64.rotl (local.get $b) (i64.const 3)))
            (if (i32.eq (local.get $inner) (i32.const 2))
              (then
                (return_call $swap (i32.sub (local.get $n) (i32.const 1))
                  (i64.add (local.get $b) (i64x2.extract_lane 1 (local.get $lanes)))
                  (i64.mul (local.get $a) (local.get $fresh))
                  (f64.sub (local.get $x) (f64.mul (local.get $x) (f64.const 1e300))))))
            (local.set $inner (i32.add (local.get $inner) (i32.const 1)))
            (br $l))
          (return_call $swap (i32.const 0) (local.get $a) (local.get $b) (local.get $x)))
        (func (export "run") (param i32) (result i64 i64) (local f64)
          (call $swap (local.get 0) (i64.const 5) (i64.const 7) (f64.const 2))
          (local.set 1)
          (i64.reinterpret_f64 (local.get 1)))))"},
    {"SeveralMemories", R"((module (memory $a 1 9) (memory $b 2) (memory $c 1 9)
        (data (memory $b) (i32.const 8) "second") (data $passive "0123456789abcdef")
        (func $copy (param $n i32)
          (memory.copy $a $b (i32.const 10) (i32.const 3) (local.get $n))
          (memory.copy $b $a (i32.const 3) (i32.const 10) (local.get $n))
          (memory.copy $c $a (i32.const 1) (i32.const 1) (local.get $n))
          (memory.copy $a $c (i32.const 700) (i32.const 1) (i32.const 40)))
        (func (export "run") (param $n i32) (result i32) (local $i i32)
          (memory.init $c $passive (i32.const 0) (i32.const 1) (i32.const 15))
          (loop $l
            (i32.store8 $b offset=20 (local.get $i) (i32.mul (local.get $i) (local.get $n)))
            (i64.store16 $c (local.get $i) (i64.extend_i32_u (local.get $n)))
            (v128.store $a offset=100 (local.get $i)
              (v128.load8_lane $b 3 (local.get $i) (v128.const i64x2 1 2)))
            (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 7)))
              (i32.const 60))))
          (call $copy (i32.mul (local.get $n) (i32.const 411)))
          (memory.fill $b (i32.const 65530) (local.get $n) (i32.const 9))
          (memory.copy $c $b (i32.const 0) (i32.const 8) (local.get $n))
          (drop (memory.grow $c (i32.const 1))) (drop (memory.grow $a (i32.const 1)))
          (i32.store $c (i32.mul (local.get $n) (i32.const 4300)) (i32.const 5))
          (i32.add (i32.add (memory.size $a) (i32.mul (memory.size $b) (i32.const 10)))
            (i32.add (i32.mul (memory.size $c) (i32.const 100))
              (i32.add (i32.load $b (i32.const 65531)) (i32.load $c (local.get $n))))))))",
     1024},
    {"Primitives", R"((module
        (import "wasmburst" "output_write" (func $write (param i32 i32 i32) (result i32)))
        (import "wasmburst" "instance" (func $instance (result i64)))
        (import "wasmburst" "fuel_used" (func $fuel (result i64)))
        (import "wasmburst" "exit" (func $exit (param i32)))
        (memory 1) (data (i32.const 0) "what an instance says, in frames of its streams")
        (func $say (param $stream i32) (param $n i32) (result i32) (local $i i32)
          loop $l
            (local.set $n (i32.add (local.get $n)
              (call $write (local.get $stream) (local.get $i) (i32.and (local.get $n) (i32.const 15)))))
            (local.set $i (i32.add (local.get $i) (i32.const 1)))
            (br_if $l (i32.lt_u (local.get $i) (i32.const 3)))
          end
          local.get $n)
        (func (export "run") (param i32) (result i64)
          (if (i64.eq (call $instance) (i64.const 30)) (then (call $exit (local.get 0))))
          (i64.add (call $fuel) (i64.extend_i32_u
            (i32.add (call $say (i32.const 1) (local.get 0)) (call $say (i32.const 2) (i32.const 5))))))))",
     64},
};

}  // namespace wb::test
