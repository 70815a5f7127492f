// Tail calls on every engine: in constant stack, with room exact to the slot, fuel as of any call.

#include <gtest/gtest.h>

#include "tests/scheduler/devices/rig.h"

namespace wb::test {
namespace {

// $even and $odd have different locals. "through" reaches them through a table of many.
constexpr const char* kPingPong = R"((module
  (type $t (func (param i32 i32) (result i32)))
  (table 6 funcref) (elem (i32.const 0) func $a $b $c $d $e $even)
  (func $a (type $t) local.get 1) (func $b (type $t) local.get 1) (func $c (type $t) local.get 1)
  (func $d (type $t) local.get 1) (func $e (type $t) (i32.add (local.get 1) (i32.const 1)))
  (func $even (type $t)
    (if (i32.eqz (local.get 0)) (then (return (local.get 1))))
    (return_call $odd (i32.sub (local.get 0) (i32.const 1))
      (i32.add (local.get 1) (i32.const 3))))
  (func $odd (type $t) (local i64 i64 i64)
    (if (i32.eqz (local.get 0)) (then (return (i32.mul (local.get 1) (i32.const 5)))))
    (return_call $even (i32.sub (local.get 0) (i32.const 1)) (local.get 1)))
  (func (export "run") (param i32) (result i32)
    (return_call $even (local.get 0) (i32.const 0)))
  (func (export "called") (param i32) (result i32)
    (i32.add (i32.const 1) (call $odd (local.get 0) (i32.const 1))))
  (func (export "through") (param i32 i32) (result i32)
    (return_call_indirect (type $t) (local.get 0) (i32.const 7) (local.get 1)))))";

uint32_t SlotsOf(uint32_t function) {
  return LowerText(kPingPong)->program.functions[function].stack_slots;
}

Work TailWork(std::vector<Step> steps) {
  Work work;
  work.module = LowerText(kPingPong);
  work.steps = std::move(steps);
  work.lanes = 3;
  return work;
}

TEST(TailCalls, TenMillionRunInTheStackOfTheLargest) {
  Work work = TailWork({Call("run", {Arg(10000000)}), Call("called", {Arg(99999)})});
  work.lanes = 1;
  work.max_stack = SlotsOf(6) + SlotsOf(8);  // $odd and its caller
  // $even pays 10 and $odd 8, but for the last one; then the first caller.
  const uint64_t fuel = (5000000 * 10 + 5000000 * 8 + 4) + 3 + (49999 * 10 + 50000 * 8 + 4) + 5;
  for (const NamedDevice& engine : Engines()) {
    const Record record = RecordOf(Records(*engine.device, work), work.Shape(), 0);
    EXPECT_EQ(record.end, static_cast<uint32_t>(End::kReturned)) << engine.name;
    EXPECT_EQ(record.registers[0], 5000000u * 3) << engine.name;
    EXPECT_EQ(record.fuel, fuel) << engine.name;
  }
}

TEST(TailCalls, RoomIsExactToTheSlot) {
  const uint32_t even = SlotsOf(5), odd = SlotsOf(6), run = SlotsOf(7), called = SlotsOf(8);
  ASSERT_GT(odd, even);
  struct Case {
    Step step;
    uint32_t slots;  // just enough
    uint32_t function;
  };
  const Case kCases[] = {{Call("run", {Arg(7)}), std::max(odd, run), 5},
                         {Call("called", {Arg(7)}), called + odd, 8},
                         {Call("through", {Arg(9), Arg(5)}), std::max(odd, SlotsOf(9)), 5}};
  for (const Case& c : kCases) {
    Work work = TailWork({c.step});
    for (const NamedDevice& engine : Engines()) {
      for (const Slicing& slicing : {Slicing{}, Slicing{1, 1}}) {
        work.max_stack = c.slots;
        Record record = RecordOf(Records(*engine.device, work, slicing), work.Shape(), 1);
        EXPECT_EQ(record.end, static_cast<uint32_t>(End::kReturned)) << engine.name << c.slots;
        --work.max_stack;
        record = RecordOf(Records(*engine.device, work, slicing), work.Shape(), 1);
        EXPECT_EQ(record.trap, static_cast<uint32_t>(Trap::kStackExhausted)) << engine.name;
        EXPECT_EQ(record.function, c.function) << engine.name;
      }
    }
  }
}

// The reserve of an engine ends before the budget does: the instance starts again elsewhere.
TEST(TailCalls, AReserveThatIsTooSmallEndsTheAttempt) {
  Work work = TailWork({Call("run", {Arg(7)})});
  work.capacity_stack = SlotsOf(6) - 1;
  for (const NamedDevice& engine : Engines()) {
    const Record record = RecordOf(Records(*engine.device, work), work.Shape(), 0);
    EXPECT_EQ(record.seat, uint32_t{abi::SEAT_NEEDS_STACK}) << engine.name;
  }
}

TEST(TailCalls, ThroughATableOfMany) {
  Work work = TailWork({Call("through", {Arg(5), Arg(4)}), Call("through", {Arg(9), Arg(5)})});
  for (const NamedDevice& engine : Engines()) {
    const Record record = RecordOf(Records(*engine.device, work, {2, 1}), work.Shape(), 1);
    EXPECT_EQ(record.registers[0], 8u) << engine.name;
    EXPECT_EQ(record.registers[1], (7u + 5 * 3) * 5) << engine.name;
  }
}

}  // namespace
}  // namespace wb::test
