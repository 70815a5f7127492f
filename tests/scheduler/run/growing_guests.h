#pragma once

// Modules whose instances grow their memories: for tests of what happens where there is less than
// they want. `run` takes the lane's number.

#include <string_view>

namespace wb::test {

// 100 safepoints; then to 9 pages at once, of which words are read and written.
inline constexpr std::string_view kGrowsAtOnce = R"((module (memory 1 16)
  (func (export "run") (param $n i32) (result i32) (local $i i32) (local $sum i32)
    (loop $wait (br_if $wait (i32.lt_u
      (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 100))))
    (local.set $sum (memory.grow (i32.const 8)))
    (local.set $i (i32.const 0))
    (loop $l
      (local.set $sum (i32.add (i32.rotl (local.get $sum) (i32.const 1))
                               (i32.load (local.get $i))))
      (i32.store (local.get $i) (local.get $n))
      (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 32764)))
                          (i32.const 589820))))
    (i32.add (local.get $sum) (memory.size)))))";

// Page by page to 13, lanes of different numbers at different times.
inline constexpr std::string_view kGrowsOften = R"((module (memory 1 16)
  (func (export "run") (param $n i32) (result i32) (local $i i32) (local $sum i32)
    (loop $l
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (if (i32.eqz (i32.rem_u (i32.add (local.get $i) (local.get $n)) (i32.const 10)))
        (then (local.set $sum (i32.add (local.get $sum) (memory.grow (i32.const 1))))
              (i32.store (i32.sub (i32.mul (memory.size) (i32.const 65536)) (i32.const 4))
                         (local.get $i))))
      (local.set $sum (i32.add (i32.rotl (local.get $sum) (i32.const 1))
        (i32.load (i32.sub (i32.mul (memory.size) (i32.const 65536)) (i32.const 4)))))
      (br_if $l (i32.lt_u (local.get $i) (i32.const 120))))
    (i32.add (local.get $sum) (memory.size)))))";

// Writes memory that grows, and gives back what it found there.
inline constexpr std::string_view kGrowsFromNothing = R"((module (memory 0 4)
    (func (export "run") (param $n i32) (result i32) (local $i i32) (local $sum i32)
      (drop (memory.grow (i32.const 1)))
      (loop $l
        (local.set $sum (i32.add (i32.rotl (local.get $sum) (i32.const 1))
          (i32.load (i32.mul (local.get $i) (i32.const 4096)))))
        (i32.store (i32.mul (local.get $i) (i32.const 4096)) (local.get $n))
        (if (i32.and (local.get $i) (i32.const 8)) (then (drop (memory.grow (i32.const 1)))))
        (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                            (i32.const 16))))
      (i32.add (local.get $sum) (memory.size)))))";

// Grows in a loop, in a call, in a recursion, by constants, by what was computed and by too much;
// uses what each gave, and what it stored before and behind it.
inline constexpr std::string_view kGrowsEverywhere = R"((module (memory 1 40)
  (global $g (mut i32) (i32.const 5))
  (func $end (result i32) (i32.sub (i32.mul (memory.size) (i32.const 65536)) (i32.const 8)))
  (func $leaf (param $n i32) (result i32) (local $old i32)
    (i32.store (call $end) (i32.const 77))
    (local.set $old (i32.add (memory.grow (local.get $n)) (global.get $g)))
    (i32.store (call $end) (local.get $old))
    (global.set $g (i32.add (global.get $g) (i32.const 3)))
    (i32.add (local.get $old) (local.get $n)))
  (func $deep (param $n i32) (param $x f64) (result i32)
    (if (result i32) (i32.eqz (local.get $n))
      (then (call $leaf (i32.const 1)))
      (else
        (i32.add
          (i32.mul (call $deep (i32.sub (local.get $n) (i32.const 1))
                               (f64.mul (local.get $x) (f64.const 1.5)))
                   (i32.add (i32.const 3) (memory.grow (i32.and (local.get $n) (i32.const 1)))))
          (i32.trunc_f64_s (local.get $x))))))
  (func (export "run") (param $n i32) (result i32) (local $i i32) (local $sum i32) (local $x f64)
    (local.set $x (f64.const 0.75))
    (loop $l
      (local.set $sum (i32.add (i32.mul (local.get $sum) (i32.const 31))
        (i32.add (call $leaf (i32.and (i32.add (local.get $n) (local.get $i)) (i32.const 3)))
                 (call $deep (i32.and (local.get $n) (i32.const 3)) (local.get $x)))))
      (local.set $x (f64.add (local.get $x) (f64.convert_i32_u (memory.grow (i32.const 1)))))
      (if (i32.eq (local.get $i) (i32.const 1))
        (then (local.set $sum (i32.xor (local.get $sum) (memory.grow (i32.const 100))))))
      (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 3))))
    (local.set $i (i32.mul (memory.size) (i32.const 65536)))
    (loop $m
      (local.set $i (i32.sub (local.get $i) (i32.const 8)))
      (local.set $sum (i32.add (local.get $sum) (i32.load (local.get $i))))
      (local.set $i (i32.sub (local.get $i) (i32.const 65528)))
      (br_if $m (local.get $i)))
    (i32.add (local.get $sum) (i32.trunc_f64_s (local.get $x))))))";

// A few instructions before, between and behind two that grow.
inline constexpr std::string_view kGrowsTwice = R"((module (memory 1 4)
  (func (export "run") (param $n i32) (result i32) (local $i i32)
    (loop $l (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                                 (i32.and (local.get $n) (i32.const 3)))))
    (local.set $i (i32.add (local.get $i) (memory.grow (i32.const 1))))
    (local.set $i (i32.add (local.get $i) (memory.grow (i32.const 2))))
    (loop $m (br_if $m (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                                 (i32.const 8))))
    (local.get $i))))";

// Two memories that grow, the second of a linked module.
inline constexpr std::string_view kGrowingHeap = R"((module (memory (export "memory") 1 6)
  (func (export "grow") (param i32) (result i32) (memory.grow (local.get 0)))
  (func (export "end") (param i32) (result i32)
    (i32.store (i32.sub (i32.mul (memory.size) (i32.const 65536)) (i32.const 4)) (local.get 0))
    (i32.load (i32.const 65532)))))";
inline constexpr std::string_view kGrowingMain = R"((module
  (import "heap" "grow" (func $grow (param i32) (result i32)))
  (import "heap" "end" (func $end (param i32) (result i32)))
  (memory 1 5)
  (func (export "run") (param $n i32) (result i32)
    (i32.store (i32.const 65532) (i32.add (local.get $n) (i32.const 9)))
    (i32.add
      (i32.add (call $end (i32.const 1234)) (memory.grow (i32.and (local.get $n) (i32.const 3))))
      (i32.add
        (i32.mul (call $grow (i32.and (local.get $n) (i32.const 7))) (i32.const 10))
        (i32.add (i32.mul (call $end (i32.const 99)) (memory.size))
                 (i32.load (i32.const 65532))))))))";

}  // namespace wb::test
