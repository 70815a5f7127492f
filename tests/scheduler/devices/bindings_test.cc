// Bound imports on every engine, whole and in slices: constants, calls that do nothing, records
// of arguments, traps.

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "compiler/link/bindings.h"
#include "tests/compiler/wasm/assemble.h"
#include "tests/scheduler/devices/rig.h"

namespace wb::test {
namespace {

using Way = Binding::Way;

constexpr std::string_view kBoundMain = R"((module
  (import "env" "seed" (func $seed (result i64)))
  (import "env" "tick" (func $tick (param i32) (result i32)))
  (import "env" "print" (func $print (param i32 i64 f32 f64 v128) (result i32)))
  (import "env" "mark" (func $mark))
  (import "env" "abort" (func $abort (param i32)))
  (import "env" "base" (global $base i32))
  (memory 1)
  (func (export "run") (param i32) (result i64) (local $i i32)
    (loop $again
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (drop (call $print (local.get 0) (i64.const -2) (f32.const 1.5) (f64.const -0.25)
        (v128.const i32x4 1 2 3 4)))
      (call $mark)
      (br_if $again (i32.lt_u (local.get $i) (i32.const 3))))
    (if (i32.eq (local.get 0) (i32.const 30)) (then (call $abort (local.get 0))))
    (i64.add (call $seed) (i64.extend_i32_u
      (i32.add (global.get $base) (call $tick (local.get 0)))))))
)";

Work Bound(uint32_t output_bytes) {
  const NamedModules modules = {{"", Module::Decode(MustAssemble(kBoundMain)).value()}};
  const BoundModules bound =
      BindModules(modules, {{"env.seed", Way::kConstant, {{ValueType::kI64, uint64_t{1} << 40}}},
                            {"env.base", Way::kConstant, {{ValueType::kI32, 500}}},
                            {"env.tick", Way::kIgnore, {}},
                            {"env.abort", Way::kTrap, {}},
                            {"env.*", Way::kRecord, {}}})
          .value();
  Work work = WorkOf(Lower(Link(PartsOf(bound), {}, Instantiation::kAtStart).value()).value());
  work.steps = {Call("run", {ColumnArg(0)})};
  work.output_bytes = output_bytes;
  return work;
}

// 64 bits each: print is the number 1, mark the number 0 (by name).
std::string RecordsOf(uint32_t lane) {
  const std::vector<uint64_t> print = {1,
                                       lane,
                                       ~uint64_t{1},
                                       0x3fc00000,
                                       0xbfd0000000000000,
                                       0x0000000200000001,
                                       0x0000000400000003};
  std::string bytes;
  for (int round = 0; round < 3; ++round) {
    std::vector<uint64_t> values = print;
    values.push_back(0);
    const size_t at = bytes.size();
    bytes.resize(at + values.size() * sizeof values[0]);
    std::memcpy(bytes.data() + at, values.data(), values.size() * sizeof values[0]);
  }
  return bytes;
}

std::vector<uint32_t> SameRecordsEverywhere(const Work& work) {
  std::vector<uint32_t> expected = Records(Interpreter(), work);
  for (const NamedDevice& engine : Engines()) {
    EXPECT_EQ(Records(*engine.device, work), expected) << engine.name;
    for (const Slicing& slicing : {Slicing{1, 3}, Slicing{40, 1, 7}}) {
      EXPECT_EQ(Records(*engine.device, work, slicing), expected) << engine.name << " in slices";
    }
  }
  return expected;
}

TEST(BindingsTest, CallsAreAnsweredRecordedOrTrap) {
  const Work work = Bound(512);
  const std::vector<uint32_t> records =
      OfInstances(SameRecordsEverywhere(work), work.Shape().RecordWords());
  for (uint32_t lane = 0; lane < work.lanes; ++lane) {
    const Record record = RecordOf(records, work.Shape(), lane);
    EXPECT_EQ(FramesOf(record, 2), (std::vector<Frame>{{kRecordStream, RecordsOf(lane)}})) << lane;
    if (lane == 30) {
      EXPECT_EQ(record.end, static_cast<uint32_t>(End::kTrapped));
      const FunctionPlace place = work.module->program.module->PlaceOf(record.function);
      ASSERT_NE(place.instance, nullptr);
      EXPECT_EQ(place.instance->name, "env");
      continue;
    }
    ASSERT_EQ(record.end, static_cast<uint32_t>(End::kReturned)) << lane;
    EXPECT_EQ(record.registers[0], 500u);
    EXPECT_EQ(record.registers[1], 1u << 8);
  }
}

TEST(BindingsTest, AnOutputThatIsFullEndsAnInstanceWithTheRecordsThatFit) {
  const Work work = Bound(100);
  const std::vector<uint32_t> records =
      OfInstances(SameRecordsEverywhere(work), work.Shape().RecordWords());
  const Record record = RecordOf(records, work.Shape(), 3);
  EXPECT_EQ(record.end, static_cast<uint32_t>(End::kOutputLimit));
  EXPECT_EQ(FramesOf(record, 2)[0].bytes, RecordsOf(3).substr(0, 96));
}

// Of each lane: a row of few, a row of many by two arguments, and what is in neither.
constexpr std::string_view kLooking = R"((module
  (import "env" "few" (func $few (param i32) (result i32)))
  (import "env" "many" (func $many (param f64 i32) (result i64 f32)))
  (memory 1)
  (data (i32.const 0) "guest")
  (func (export "run") (param i32) (result i64) (local $f f32) (local $n i64)
    (call $many (f64.neg (f64.convert_i32_u (local.get 0))) (i32.sub (i32.const 0) (local.get 0)))
    (local.set $f) (local.set $n)
    (i64.add (i64.add (local.get $n) (i64.extend_i32_u (call $few (local.get 0))))
      (i64.shl (i64.extend_i32_u (i32.reinterpret_f32 (local.get $f))) (i64.const 32)))))
)";

uint64_t BitsOf(double value) { return std::bit_cast<uint64_t>(value); }
uint64_t BitsOf(float value) { return std::bit_cast<uint32_t>(value); }

constexpr uint32_t kRowsOfMany = 29;  // of lanes 0 to 28, and as many that no lane asks for

Work LookingUp() {
  LookupTable few{{{ValueType::kI32}, {ValueType::kI32}}, {3, 300, 1, 100, 2, 200}};
  LookupTable many{{{ValueType::kF64, ValueType::kI32}, {ValueType::kI64, ValueType::kF32}}, {}};
  for (uint32_t i = 0; i < kRowsOfMany; ++i) {
    const uint64_t result = BitsOf(static_cast<float>(i) * 0.5f);
    many.cells.insert(many.cells.end(),
                      {BitsOf(-static_cast<double>(i)), uint32_t{0} - i, i * 1000, result});
    many.cells.insert(many.cells.end(), {BitsOf(-static_cast<double>(i)), uint32_t{5} + i, 1, 1});
  }
  const NamedModules modules = {{"", Module::Decode(MustAssemble(kLooking)).value()}};
  const BoundModules bound =
      BindModules(modules, {{"env.few", Way::kLookup, {{ValueType::kI32, 7}}, {}, few},
                            {"env.many", Way::kLookup, {}, {}, many}})
          .value();
  Work work = WorkOf(Lower(Link(PartsOf(bound), {}, Instantiation::kAtStart).value()).value());
  work.steps = {Call("run", {ColumnArg(0)})};
  work.output_bytes = 64;
  return work;
}

TEST(BindingsTest, ResultsAreLookedUpByTheBitsOfTheArguments) {
  const Work work = LookingUp();
  const std::vector<uint32_t> records =
      OfInstances(SameRecordsEverywhere(work), work.Shape().RecordWords());
  for (uint32_t lane = 0; lane < work.lanes; ++lane) {
    const Record record = RecordOf(records, work.Shape(), lane);
    if (lane >= kRowsOfMany) {
      EXPECT_EQ(record.end, static_cast<uint32_t>(End::kTrapped)) << lane;
      const FunctionPlace place = work.module->program.module->PlaceOf(record.function);
      ASSERT_NE(place.instance, nullptr);
      EXPECT_TRUE(place.instance->is_bound);
      continue;
    }
    ASSERT_EQ(record.end, static_cast<uint32_t>(End::kReturned)) << lane;
    const uint32_t few = lane >= 1 && lane <= 3 ? lane * 100 : 7;
    EXPECT_EQ(record.registers[0], lane * 1000 + few) << lane;
    EXPECT_EQ(record.registers[1], BitsOf(static_cast<float>(lane) * 0.5f)) << lane;
  }
}

}  // namespace
}  // namespace wb::test
