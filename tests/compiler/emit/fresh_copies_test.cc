// Functions that loops call and that have a copy which is only entered anew (NativeCalls), on every
// engine: they leave and resume anywhere in either text.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "compiler/emit/plan/native_calls.h"
#include "tests/compiler/emit/engines_under_test.h"

namespace wb::test {
namespace {

// $f calls $outer in a loop, and that $inner. $outer hands two words over in memory, and $inner its
// results; some lanes divide by zero, or leave memory, on the way.
constexpr const char* kFreshModule = R"((module (memory 1 4) (global $sum (mut i32) (i32.const 0))
  (func $inner (param $left i32) (param $right i32) (local $l i32) (local $r i32) (local $i i32)
    (local.set $l (i32.load (local.get $left)))
    (local.set $r (i32.load (local.get $right)))
    (loop $rounds
      (local.set $l (i32.xor (local.get $l) (i32.mul (local.get $r) (i32.const 31))))
      (local.set $r (i32.add (local.get $r) (i32.rotl (local.get $l) (i32.const 7))))
      (br_if $rounds (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                               (i32.add (i32.const 1) (i32.and (local.get $r) (i32.const 3))))))
    (i32.store (local.get $left) (local.get $r))
    (i32.store (local.get $right) (local.get $l)))
  (func $outer (param $at i32) (param $x i32) (result i32) (local $i i32)
    (loop $blocks
      (i32.store offset=12 (local.get $at) (i32.add (local.get $x) (local.get $i)))
      (i32.store offset=8 (local.get $at) (i32.xor (local.get $x) (i32.const 77)))
      (call $inner (i32.add (local.get $at) (i32.const 12)) (i32.add (local.get $at) (i32.const 8)))
      (local.set $x (i32.sub (i32.load offset=12 (local.get $at)) (i32.load offset=8 (local.get $at))))
      (br_if $blocks (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 3))))
    (global.set $sum (i32.add (global.get $sum) (local.get $x)))
    (i32.div_u (local.get $x) (i32.and (local.get $x) (i32.const 255))))
  (func (export "f") (param $x i32) (param i64 f32 f64) (result i32) (local $i i32) (local $s i32)
    (loop $all
      (local.set $s (i32.add (i32.mul (local.get $s) (i32.const 31))
        (call $outer (i32.add (i32.const 64) (i32.shl (local.get $i) (i32.const AWAY)))
                     (i32.add (local.get $x) (local.get $s)))))
      (br_if $all (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 4))))
    (i32.store (i32.const 0) (local.get $s))
    (i32.store (i32.const 4) (global.get $sum))
    (local.get $s))))";

// Words of one call after the other lie 2^away bytes apart.
std::string FreshModule(const std::string& away) {
  std::string text = kFreshModule;
  const std::string place = "AWAY";
  return text.replace(text.find(place), place.size(), away);
}

struct FreshWay {
  uint64_t fuel;
  uint32_t slice;
  uint32_t stack;
};
constexpr FreshWay kFreshWays[] = {{20'000, 0, kMaxStackSlots},
                                   {20'000, 1, kMaxStackSlots},
                                   {20'000, 23, kMaxStackSlots},
                                   {400, 1, kMaxStackSlots},
                                   {20'000, 5, 14},
                                   {20'000, 5, 9}};

TEST(FreshCopies, EveryEngineAndEverySliceAgree) {
  for (const char* away : {"4", "14"}) {
    const auto module = LoweredOf(FreshModule(away));
    CompileOptions options;
    options.layout = MemoryLayout::kInterleaved;
    const NativeCalls native(module->program, {2}, options);
    EXPECT_TRUE(native.HasFreshCopy(0));
    EXPECT_FALSE(native.HasFreshCopy(1)) << "it calls";
    std::vector<LaneRun> wanted;
    const auto compare = [&](LanesUnderTest& lanes) {
      for (size_t i = 0; i < std::size(kFreshWays); ++i) {
        const FreshWay& way = kFreshWays[i];
        const auto run = lanes.Run("f", way.slice, way.fuel, way.stack);
        if (!run.ok()) return run.status().ToString();
        if (wanted.size() == i) wanted.push_back(*run);  // the interpreter is the first
        const std::string said = Difference(wanted[i], *run);
        if (!said.empty()) return "way " + std::to_string(i) + ": " + said;
      }
      return std::string();
    };
    EXPECT_EQ(DifferenceOnEngines(module, compare), "") << away;
  }
}

}  // namespace
}  // namespace wb::test
