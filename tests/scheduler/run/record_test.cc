#include "scheduler/run/seats/record.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <tuple>

#include "compiler/link/bindings.h"
#include "compiler/link/link.h"
#include "scheduler/job/result_batch.h"
#include "tests/fakes/plain_dispatch.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {
namespace {

Operand Zero() { return {Operand::Source::kConstant, Value::I32(0), 0, 0, 0}; }

// A call that may go on after a trap, one more, and a read of up to 16 bytes.
JobPlan SamplePlan() {
  JobSpec spec;
  spec.module = ModuleOf(R"((module (memory 1)
      (func (export "f") (result i32 f64) (i32.const 0) (f64.const 0))))");
  spec.steps = {CallStep{"f", {}, true}, CallStep{"f", {}, false}, ReadStep{Zero(), Zero(), "out"}};
  spec.instances = 4;
  JobPlan plan = PlanJob(std::move(spec), {}).value();
  plan.output_bytes = 16;
  return plan;
}

std::vector<uint32_t> DoneRecord(const JobPlan& plan) {
  std::vector<uint32_t> record(abi::RECORD_REGISTERS + plan.program.register_words + 4);
  record[abi::RECORD_SEAT] = abi::SEAT_DONE;
  record[abi::RECORD_FUEL_LO] = 5;
  record[abi::RECORD_FUEL_HI] = 1;
  record[abi::RECORD_PAGES] = 3;
  record[abi::RECORD_STEP] = 4;  // one past the last step, counted from 1
  return record;
}

uint32_t& Register(std::vector<uint32_t>& record, uint32_t at) {
  return record[abi::RECORD_REGISTERS + at];
}

TEST(RecordTest, ATrapInAModuleOfBindingsNamesTheImport) {
  const NamedModules main = {{"", ModuleOf(R"((module (import "env" "abort" (func $abort))
      (import "env" "other" (func)) (func (export "f") call $abort)))")}};
  const BoundModules bound = BindModules(main, {{"*", Binding::Way::kTrap, {}}}).value();
  JobSpec spec;
  spec.module = Link(PartsOf(bound), {}, Instantiation::kAtStart).value();
  spec.steps = {CallStep{"f", {}, false}};
  spec.instances = 4;
  const JobPlan plan = PlanJob(std::move(spec), {}).value();
  std::vector<uint32_t> record = DoneRecord(plan);
  record[abi::RECORD_END] = static_cast<uint32_t>(End::kTrapped);
  record[abi::RECORD_STEP] = 1;
  record[abi::RECORD_TRAP] = static_cast<uint32_t>(Trap::kUnreachable);
  record[abi::RECORD_TRAP_FUNCTION] = 0;
  const auto result = DecodeRecord(plan, record);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->trap, Trap::kImportCalled);
  EXPECT_EQ(result->trap_module, "env.abort");
}

TEST(RecordTest, AReturnedInstanceHasAllResults) {
  const JobPlan plan = SamplePlan();
  std::vector<uint32_t> record = DoneRecord(plan);
  // Step 0: i32, f64, then {trap, function, offset}; step 1: i32, f64; step 2: offset, length.
  Register(record, 0) = 42;
  Register(record, 2) = 0x3ff00000;
  Register(record, 9) = 4;
  Register(record, 10) = 3;
  std::memcpy(&Register(record, 11), "abcdefgh", 8);
  const auto result = DecodeRecord(plan, record);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->end, End::kReturned);
  EXPECT_EQ(result->fuel, (uint64_t{1} << 32) + 5);
  EXPECT_EQ(result->memory_pages, 3u);
  ASSERT_EQ(result->steps.size(), 3u);
  EXPECT_EQ(result->steps[0].values, (Values{Value::I32(42), Value::F64(1.0)}));
  ASSERT_EQ(result->outputs.size(), 1u);
  EXPECT_EQ(result->outputs[0].name, "out");
  EXPECT_EQ(AsText(result->outputs[0].bytes), "efg");
}

TEST(RecordTest, ATrapThatWasGoneOnFromIsInItsStep) {
  const JobPlan plan = SamplePlan();
  std::vector<uint32_t> record = DoneRecord(plan);
  Register(record, 3) = static_cast<uint32_t>(Trap::kDivideByZero);
  Register(record, 4) = 7;
  Register(record, 5) = 99;
  const auto result = DecodeRecord(plan, record);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->steps[0].trap, Trap::kDivideByZero);
  EXPECT_EQ(result->steps[0].trap_function, 7u);
  EXPECT_EQ(result->steps[0].trap_offset, 99u);
  EXPECT_TRUE(result->steps[0].values.empty());
  EXPECT_EQ(result->trap, Trap::kNone);
}

TEST(RecordTest, ATrapOfLinkedModulesIsPlacedInItsModule) {
  JobPlan plan = SamplePlan();
  const auto library = ModuleOf("(module (func (export \"g\")) (func))");
  const auto main = ModuleOf("(module (import \"lib\" \"g\" (func)) (func (export \"f\")))");
  plan.spec.module =
      Link(PartsByName({{"lib", library}, {"", main}}), {}, Instantiation::kAtStart).value();
  std::vector<uint32_t> record = DoneRecord(plan);
  Register(record, 3) = static_cast<uint32_t>(Trap::kUnreachable);
  for (const auto& [function, module, place] :
       std::vector<std::tuple<uint32_t, std::string, uint32_t>>{
           {1, "lib", 1}, {2, "", 1}, {abi::NONE, "", abi::NONE}}) {
    Register(record, 4) = function;
    const auto result = DecodeRecord(plan, record);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->steps[0].trap_module, module);
    EXPECT_EQ(result->steps[0].trap_function, place);
  }
}

// A call of a module that reads inputs and writes to streams.
JobPlan StreamsPlan() {
  JobSpec spec;
  spec.module = ModuleOf(R"((module (import "wasmburst" "exit" (func (param i32)))
      (import "gpu_std" "log" (func (param i32 i32))) (memory 1)
      (func (export "f"))))");
  spec.steps = {CallStep{"f", {}, false}};
  spec.columns = {Column{Column::Kind::kBytes, ValueType::kI32, {}, {}, {}, {{1}}}};
  spec.inputs = {0};
  spec.streams = {"stdout", "stderr"};
  spec.instances = 1;
  JobPlan plan = PlanJob(std::move(spec), {}).value();
  plan.output_bytes = 16;
  return plan;
}

TEST(RecordTest, AnExitedInstanceHasItsCodeAndItsStreams) {
  const JobPlan plan = StreamsPlan();
  std::vector<uint32_t> record = DoneRecord(plan);
  record[abi::RECORD_END] = static_cast<uint32_t>(End::kExited);
  record[abi::RECORD_TRAP] = 3;  // the code
  record[abi::RECORD_STEP] = 1;
  record[abi::RECORD_OUT_BYTES] = 14;
  std::memcpy(&Register(record, 0), "\x01\x02\0\0hi\0\0\x03\x02\0\0yo", 14);
  const auto result = DecodeRecord(plan, record);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->end, End::kExited);
  EXPECT_EQ(result->exit_code, 3u);
  EXPECT_EQ(result->trap, Trap::kNone);
  ASSERT_EQ(result->outputs.size(), 2u);
  EXPECT_EQ(result->outputs[0].name, "stdout");
  EXPECT_EQ(AsText(result->outputs[0].bytes), "hi");
  EXPECT_EQ(result->outputs[1].name, "stream 3");
  EXPECT_EQ(AsText(result->outputs[1].bytes), "yo");
  record[abi::RECORD_OUT_BYTES] = 17;  // longer than the output
  EXPECT_FALSE(DecodeRecord(plan, record));
}

TEST(RecordTest, AResultMayHoldAllStreams) {
  const JobPlan plan = StreamsPlan();
  constexpr uint32_t kFrame = 8;  // a head and one byte, padded
  InstanceResult result;
  for (uint32_t stream = 1; stream <= abi::MOST_STREAM; ++stream) {
    result.outputs.push_back({StreamName(plan.spec, stream), {1}});
  }
  EXPECT_LE(HeldBytes(result),
            MostHeldBytes(plan.program, plan.spec.steps, abi::MOST_STREAM * kFrame));
}

TEST(RecordTest, ATrappedInstanceHasTheStepsBefore) {
  const JobPlan plan = SamplePlan();
  std::vector<uint32_t> record = DoneRecord(plan);
  record[abi::RECORD_END] = static_cast<uint32_t>(End::kTrapped);
  record[abi::RECORD_TRAP] = static_cast<uint32_t>(Trap::kUnreachable);
  record[abi::RECORD_TRAP_FUNCTION] = 2;
  record[abi::RECORD_TRAP_OFFSET] = 33;
  record[abi::RECORD_STEP] = 2;  // in step 1
  const auto result = DecodeRecord(plan, record);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->end, End::kTrapped);
  EXPECT_EQ(result->trap, Trap::kUnreachable);
  EXPECT_EQ(result->trap_offset, 33u);
  EXPECT_EQ(result->step, 1u);
  EXPECT_EQ(result->steps.size(), 1u);
  EXPECT_TRUE(result->outputs.empty());
}

TEST(RecordTest, ATrapInTheStartFunctionIsBeforeAllSteps) {
  const JobPlan plan = SamplePlan();
  std::vector<uint32_t> record = DoneRecord(plan);
  record[abi::RECORD_END] = static_cast<uint32_t>(End::kTrapped);
  record[abi::RECORD_TRAP] = static_cast<uint32_t>(Trap::kUnreachable);
  record[abi::RECORD_STEP] = 0;
  const auto result = DecodeRecord(plan, record);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->step, 0u);
  EXPECT_TRUE(result->steps.empty());
}

TEST(RecordTest, WhatNoSoundEngineWritesIsRefused) {
  const JobPlan plan = SamplePlan();
  const auto refused = [&](auto&& spoil) {
    std::vector<uint32_t> record = DoneRecord(plan);
    spoil(record);
    return !DecodeRecord(plan, record).has_value();
  };
  EXPECT_FALSE(refused([](auto&) {}));
  EXPECT_TRUE(refused([](auto& r) { r[abi::RECORD_END] = 5; }));  // the scheduler's own
  EXPECT_TRUE(refused([](auto& r) { r[abi::RECORD_END] = 0xffffffff; }));
  EXPECT_TRUE(refused([](auto& r) { r[abi::RECORD_END] = 1; }));  // trapped without a trap
  EXPECT_TRUE(refused([](auto& r) { r[abi::RECORD_STEP] = 5; }));
  EXPECT_TRUE(refused([](auto& r) { r[abi::RECORD_STEP] = 3; }));      // returned before the end
  EXPECT_TRUE(refused([](auto& r) { Register(r, 3) = 77; }));          // no such trap
  EXPECT_TRUE(refused([](auto& r) { Register(r, 10) = 17; }));         // longer than the output
  EXPECT_TRUE(refused([](auto& r) { Register(r, 9) = 0xffffffff; }));  // far outside
  EXPECT_TRUE(refused([](auto& r) { r.resize(12); }));
}

TEST(RecordTest, ASeatGetsItsColumnsBytesAndAClearRecord) {
  JobSpec spec;
  spec.module = ModuleOf("(module (memory 1) (func (export \"f\") (param i64)))");
  Column range{Column::Kind::kRange,
               ValueType::kI64,
               {},
               Value::I64(100),
               Value::I64(uint64_t{1} << 32),
               {}};
  Column shared{Column::Kind::kBytes, ValueType::kI32, {}, {}, {}, {{1, 2, 3}}};
  Column each{Column::Kind::kBytes, ValueType::kI32, {}, {}, {}, {{}, {4}, {5, 6}, {7, 8, 9}}};
  spec.columns = {range, shared, each};
  CallStep call{"f", {{Operand::Source::kColumn, {}, 0, 0, 0}}, false};
  spec.steps = {call, WriteStep{Zero(), 1}, WriteStep{Zero(), 2}};
  spec.instances = 4;
  const JobPlan plan = PlanJob(std::move(spec), {}).value();
  EXPECT_EQ(plan.blob.shared_bytes, 16u);
  EXPECT_EQ(plan.blob.slot_bytes, 16u);

  DispatchShape shape;
  shape.lanes = 3;
  shape.column_words = plan.program.column_words;
  shape.register_words = plan.program.register_words;
  shape.blob_bytes = 16 + 3 * 16;
  PlainDispatch dispatch(shape, 0xdeadbeef);
  FillShared(plan, dispatch);
  FillSeat(plan, 3, 1, dispatch);
  const auto column = [&](uint32_t word) { return dispatch.columns()[word * 3 + 1]; };
  EXPECT_EQ(column(0), 100u);
  EXPECT_EQ(column(1), 3u);
  EXPECT_EQ(column(2), 0u);  // shared bytes
  EXPECT_EQ(column(3), 3u);
  EXPECT_EQ(column(4), 32u);  // the lane's slot
  EXPECT_EQ(column(5), 3u);
  EXPECT_EQ(dispatch.blob()[2], 3u);
  EXPECT_EQ(dispatch.blob()[32], 7u);
  EXPECT_EQ(dispatch.blob()[34], 9u);
  const auto record = dispatch.records().subspan(shape.RecordWords(), shape.RecordWords());
  EXPECT_EQ(record[abi::RECORD_SEAT], abi::SEAT_START);
  for (size_t i = 1; i < record.size(); ++i) {
    if (i == abi::RECORD_TURN) continue;
    EXPECT_EQ(record[i], i == abi::RECORD_QUEUED ? 1u : 0u) << i;
  }
  EXPECT_EQ(record[abi::RECORD_TURN], 0xdeadbef0u);  // one more
  EXPECT_EQ(dispatch.records()[0], 0xdeadbeefu);     // the neighbour's

  PlainDispatch together(shape, 0xdeadbeef);
  FillShared(plan, together);
  FillSeats(plan, plan.blob, 2, std::vector<uint32_t>{2, 1}, SeatMemory(together));
  FillSeat(plan, 2, 2, dispatch);
  EXPECT_TRUE(std::ranges::equal(together.records(), dispatch.records()));
  EXPECT_TRUE(std::ranges::equal(together.columns(), dispatch.columns()));
  EXPECT_TRUE(std::ranges::equal(together.blob(), dispatch.blob()));
}

}  // namespace
}  // namespace wb::test
