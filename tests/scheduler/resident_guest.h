#pragma once

// Instances whose functions leave something behind for the next call.

#include <string_view>

namespace wb::test {

// Of a module with a memory of 1 to 8 pages: a counter there, globals, a memory and a table that
// grow, and traps.
inline constexpr std::string_view kStayingPart = R"(
  (type $get (func (result i32)))
  (global $g (mut i32) (i32.const 7))
  (global $wide (mut i64) (i64.const 1))
  (table $t 4 8 funcref)
  (elem declare func $a $b)
  (data (i32.const 4090) "across two blocks")
  (func $a (result i32) (i32.const 11))
  (func $b (result i32) (global.get $g))
  (func (export "count") (param $n i32) (result i32)
    (i32.store (i32.const 8) (i32.add (i32.load (i32.const 8)) (local.get $n)))
    (i32.add (i32.load (i32.const 8)) (i32.load8_u (i32.const 4101))))
  (func (export "global") (param $n i32) (result i32)
    (global.set $wide (i64.mul (global.get $wide) (i64.const 6364136223846793005)))
    (global.set $g (i32.add (i32.mul (global.get $g) (i32.const 31)) (local.get $n)))
    (i32.xor (global.get $g) (i32.wrap_i64 (i64.shr_u (global.get $wide) (i64.const 32)))))
  (func (export "grow") (param $n i32) (result i32) (local $end i32)
    (drop (memory.grow (i32.and (local.get $n) (i32.const 1))))
    (local.set $end (i32.sub (i32.mul (memory.size) (i32.const 65536)) (i32.const 4)))
    (i32.store (local.get $end) (i32.add (i32.load (local.get $end)) (local.get $n)))
    (i32.add (i32.load (local.get $end)) (memory.size)))
  (func (export "put") (param $n i32) (result i32)
    (drop (table.grow $t (ref.null func) (i32.and (local.get $n) (i32.const 1))))
    (table.set $t (i32.and (local.get $n) (i32.const 3))
      (select (result funcref) (ref.func $a) (ref.func $b)
        (i32.and (local.get $n) (i32.const 4))))
    (table.size $t))
  (func (export "call") (param $n i32) (result i32)
    (call_indirect $t (type $get) (i32.and (local.get $n) (i32.const 3))))
  (func (export "fail") (param $n i32) (result i32)
    (i32.store (i32.const 8) (i32.xor (i32.load (i32.const 8)) (local.get $n)))
    (unreachable)))";

// Its functions, each of an i32.
inline constexpr const char* kStayingCalls[] = {"count", "global", "grow", "put", "call", "fail"};

}  // namespace wb::test
