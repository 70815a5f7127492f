// Recursion and the stack budget, on every engine.

#include <gtest/gtest.h>

#include "tests/scheduler/devices/rig.h"

namespace wb::test {
namespace {

// Adds up 1..n, an activation for each; the argument's frame must survive every cut.
constexpr const char* kRecursion = R"((module
  (func $sum (export "run") (param $n i32) (result i64)
    local.get $n i32.eqz if (result i64) i64.const 0
    else
      local.get $n i64.extend_i32_u
      local.get $n i32.const 1 i32.sub call $sum
      i64.add
    end)
  (func $even (param $n i32) (result i32)
    local.get $n i32.eqz if (result i32) i32.const 1
    else local.get $n i32.const 1 i32.sub call $odd end)
  (func $odd (param $n i32) (result i32)
    local.get $n i32.eqz if (result i32) i32.const 0
    else local.get $n i32.const 1 i32.sub call $even end)
  (func (export "even") (param i32) (result i32) local.get 0 call $even)))";

Work RecursionWork(std::vector<Step> steps) {
  Work work;
  work.module = LowerText(kRecursion);
  work.steps = std::move(steps);
  return work;
}

TEST(Stack, RecursionSurvivesEverySlice) {
  Work work = RecursionWork({Call("run", {ColumnArg(0)}), Call("even", {ColumnArg(0)})});
  work.columns.resize(1);
  for (uint32_t lane = 0; lane < work.lanes; ++lane) work.columns[0].push_back(3 * lane);
  const auto wanted = Records(Interpreter(), work);
  for (uint32_t lane = 0; lane < work.lanes; ++lane) {
    const Record record = RecordOf(wanted, work.Shape(), lane);
    EXPECT_EQ(record.registers[0], 3 * lane * (3 * lane + 1) / 2);
    EXPECT_EQ(record.registers[2], (3 * lane + 1) % 2);
  }
  for (const NamedDevice& engine : Engines()) {
    for (const Slicing& slicing : {Slicing{}, Slicing{1, 0}, Slicing{1, 1}, Slicing{5, 2, 7}}) {
      EXPECT_EQ(Records(*engine.device, work, slicing), wanted) << engine.name;
    }
  }
}

// The deepest call that a budget of `max_stack` slots allows.
uint32_t DeepestSum(Device& device, uint32_t max_stack) {
  Work work = RecursionWork({Call("run", {ColumnArg(0)}, true)});
  work.lanes = 600;
  work.max_stack = max_stack;
  work.columns.resize(1);
  for (uint32_t lane = 0; lane < work.lanes; ++lane) work.columns[0].push_back(lane);
  const auto records = Records(device, work, {50, 1});
  uint32_t deepest = 0;
  for (uint32_t lane = 0; lane < work.lanes; ++lane) {
    const Record record = RecordOf(records, work.Shape(), lane);
    if (record.registers[2] == 0) deepest = lane;
    if (record.registers[2] != 0) {
      EXPECT_EQ(record.registers[2], static_cast<uint32_t>(Trap::kStackExhausted));
      EXPECT_EQ(record.registers[3], 0u);
    }
  }
  return deepest;
}

TEST(Stack, IsExhaustedAtExactlyTheBudget) {
  const uint32_t slots = LowerText(kRecursion)->program.functions[0].stack_slots;
  for (const NamedDevice& engine : Engines()) {
    for (uint32_t depth : {1u, 2u, 13u, 14u, 100u, 500u}) {
      EXPECT_EQ(DeepestSum(*engine.device, depth * slots), depth - 1) << engine.name;
      EXPECT_EQ(DeepestSum(*engine.device, depth * slots + slots - 1), depth - 1) << engine.name;
    }
  }
}

TEST(Stack, TheTrapNamesTheCall) {
  Work work = RecursionWork({Call("run", {Arg(1000)})});
  const ir::Function& function = work.module->program.functions[0];
  uint32_t call_offset = 0;
  for (const ir::Inst& inst : function.insts) {
    if (inst.op == ir::Op::kCall) call_offset = inst.offset;
  }
  for (const NamedDevice& engine : Engines()) {
    work.max_stack = 10 * function.stack_slots;
    Record record = RecordOf(Records(*engine.device, work), work.Shape(), 7);
    EXPECT_EQ(record.trap, static_cast<uint32_t>(Trap::kStackExhausted)) << engine.name;
    EXPECT_EQ(record.offset, call_offset) << engine.name;
    work.max_stack = function.stack_slots - 1;
    record = RecordOf(Records(*engine.device, work), work.Shape(), 7);
    EXPECT_EQ(record.trap, static_cast<uint32_t>(Trap::kStackExhausted)) << engine.name;
    EXPECT_EQ(record.function, 0u) << engine.name;
    EXPECT_EQ(record.offset, function.code_offset) << engine.name;
  }
}

// The budget is a matter of the guest's, the reserve one of the engine's: exact to the slot.
TEST(Stack, BeyondTheReserveMoreIsAskedFor) {
  const uint32_t slots = LowerText(kRecursion)->program.functions[0].stack_slots;
  Work work = RecursionWork({Call("run", {Arg(99)}, true)});
  work.max_stack = 100 * slots;
  for (const NamedDevice& engine : Engines()) {
    const auto seat = [&](uint32_t capacity, const Slicing& slicing) {
      work.capacity_stack = capacity;
      return RecordOf(Records(*engine.device, work, slicing), work.Shape(), 0);
    };
    EXPECT_EQ(seat(100 * slots - 1, {}).seat, abi::SEAT_NEEDS_STACK) << engine.name;
    EXPECT_EQ(seat(slots - 1, {}).seat, abi::SEAT_NEEDS_STACK) << engine.name;
    EXPECT_EQ(seat(20 * slots, {50, 1}).seat, abi::SEAT_NEEDS_STACK) << engine.name;
    const Record whole = seat(100 * slots, {});
    EXPECT_EQ(whole.seat, abi::SEAT_DONE) << engine.name;
    EXPECT_EQ(whole.registers[0], 99u * 100 / 2) << engine.name;
  }
}

TEST(Stack, TheWholeDefaultBudgetCanBeLeftAndResumed) {
  Work work = RecursionWork({Call("run", {Arg(1u << 20)})});
  work.lanes = 2;
  const auto wanted = Records(Interpreter(), work, {20000, 1});
  EXPECT_EQ(RecordOf(wanted, work.Shape(), 1).trap, static_cast<uint32_t>(Trap::kStackExhausted));
  for (const NamedDevice& engine : Engines()) {
    EXPECT_EQ(Records(*engine.device, work, {20000, 1}), wanted) << engine.name;
  }
}

// Operands that are constants live in no frame; a resumed activation has them again, and only those
// of its own safepoint.
TEST(Stack, ConstantsSurviveCallsThatLeave) {
  std::string body;
  for (int i = 1; i <= 50; ++i) {
    body += "i32.const " + std::to_string(1000 * i) + " local.get 0 call $f i32.sub i32.add\n";
  }
  Work work;
  work.module = LowerText(
      "(module (func $f (param i32) (result i32) (local i32)"
      "  loop $l local.get 1 i32.const 1 i32.add local.tee 1 i32.const 3 i32.lt_u br_if $l end"
      "  local.get 0 local.get 1 i32.mul)"
      "(func (export \"run\") (param i32) (result i32) i32.const 7 " +
      body + "))");
  work.steps = {Call("run", {ColumnArg(0)})};
  work.columns.resize(1);
  for (uint32_t lane = 0; lane < work.lanes; ++lane) work.columns[0].push_back(lane);
  for (const NamedDevice& engine : Engines()) {
    const auto records = Records(*engine.device, work, {3, 1});
    for (uint32_t lane = 0; lane < work.lanes; ++lane) {
      EXPECT_EQ(RecordOf(records, work.Shape(), lane).registers[0],
                7 + 1000 * 50 * 51 / 2 - 50 * 3 * lane);
    }
  }
}

TEST(Stack, EveryEngineEndsAChainOfCallsAlike) {
  Work work;
  work.module = LowerText(R"((module
    (func $c (param i32) (result i32) (local i32)
      loop $l local.get 1 i32.const 1 i32.add local.tee 1 local.get 0 i32.lt_u br_if $l end
      local.get 1)
    (func $b (param i32) (result i32) local.get 0 call $c local.get 0 call $c i32.add)
    (func (export "run") (param i32) (result i32) local.get 0 call $b i32.const 2 i32.mul)))");
  const auto& functions = work.module->program.functions;
  const uint32_t needed =
      functions[0].stack_slots + functions[1].stack_slots + functions[2].stack_slots;
  work.steps = {Call("run", {Arg(9)}, true)};
  for (uint32_t missing : {0u, 1u, functions[0].stack_slots + 1, needed}) {
    work.max_stack = needed - missing;
    const auto wanted = Records(Interpreter(), work);
    EXPECT_EQ(RecordOf(wanted, work.Shape(), 3).registers[1],
              missing == 0 ? 0 : static_cast<uint32_t>(Trap::kStackExhausted));
    for (const NamedDevice& engine : Engines()) {
      EXPECT_EQ(Records(*engine.device, work, {3, 1}), wanted) << engine.name << missing;
    }
  }
}

}  // namespace
}  // namespace wb::test
