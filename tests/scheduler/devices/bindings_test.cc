// Bound imports on every engine, whole and in slices: constants, calls that do nothing, records
// of arguments, traps.

#include <gtest/gtest.h>

#include <cstring>

#include "compiler/link/bindings.h"
#include "tests/compiler/wasm/assemble.h"
#include "tests/scheduler/devices/rig.h"

namespace wb::test {
namespace {

using Way = Binding::Way;

constexpr std::string_view kMain = R"((module
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
  const NamedModules modules = {{"", Module::Decode(MustAssemble(kMain)).value()}};
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

}  // namespace
}  // namespace wb::test
