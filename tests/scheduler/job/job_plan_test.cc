#include "scheduler/job/job_plan.h"

#include <gtest/gtest.h>

#include "tests/compiler/wasm/assemble.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {
namespace {

Status ErrorOf(JobSpec spec) { return PlanJob(std::move(spec), {}).status(); }

JobSpec With(std::function<void(JobSpec&)> change) {
  JobSpec spec = NumberJob(NumberModule(), 10);
  change(spec);
  return spec;
}

Column List(ValueType type, std::vector<Value> values) {
  return {Column::Kind::kList, type, std::move(values), {}, {}, {}};
}

TEST(JobPlanTest, InstancesAreBounded) {
  EXPECT_EQ(ErrorOf(With([](JobSpec& s) { s.instances = 0; })).reason(), Reason::kInvalidArgument);
  EXPECT_TRUE(ErrorOf(With([](JobSpec& s) { s.instances = kMaxInstances; })).ok());
  EXPECT_EQ(ErrorOf(With([](JobSpec& s) { s.instances = kMaxInstances + 1; })).reason(),
            Reason::kLimitTooHigh);
}

TEST(JobPlanTest, WhatRanBeforeIsOfInstancesOfTheJob) {
  const auto error_of = [](uint64_t first, uint32_t attempt) {
    return ErrorOf(With([&](JobSpec& s) {
      JobBefore before;
      before.finished.Add(first, 2);
      before.attempt = attempt;
      s.before = std::make_shared<JobBefore>(std::move(before));
    }));
  };
  EXPECT_TRUE(error_of(8, 1).ok());
  EXPECT_EQ(error_of(9, 2).reason(), Reason::kInvalidArgument);
  EXPECT_EQ(error_of(9, 2).message(),
            "The instance [10] is said to have finished before; the job has [10] instances.");
  EXPECT_EQ(error_of(0, 0).reason(), Reason::kInvalidArgument);
}

TEST(JobPlanTest, WhoWasLeftMidwayIsOfTheJobAndHasNotFinished) {
  const auto state = std::make_shared<HeldState>(StateNeeds(), std::make_shared<MovedLane>());
  const auto error_of = [](std::vector<LeftInstance> midway) {
    return ErrorOf(With([&](JobSpec& s) {
      auto before = std::make_shared<JobBefore>();
      before->finished.Add(2, 1);
      before->midway = std::move(midway);
      s.before = std::move(before);
    }));
  };
  EXPECT_TRUE(error_of({{0, 1, state}, {9, 2, state}}).ok());
  for (const LeftInstance& wrong :
       std::vector<LeftInstance>{{10, 1, state}, {2, 1, state}, {3, 0, state}, {3, 1, nullptr}}) {
    EXPECT_EQ(error_of({wrong}).reason(), Reason::kInvalidArgument) << wrong.instance;
  }
  EXPECT_EQ(error_of({{4, 1, state}, {4, 1, state}}).reason(), Reason::kInvalidArgument);
}

// The number of its instances is what the guest is told; how many are left is what it costs.
TEST(JobPlanTest, AJobOfWhichFewInstancesAreLeftIsASmallJob) {
  const auto words_of = [](uint64_t instances, uint64_t finished) {
    JobSpec spec = NumberJob(ModuleOf("(module (func (export \"run\") (param i32 i32) (result i32) "
                                      "local.get 0))"),
                             instances);
    std::get<CallStep>(spec.steps[0]).args.push_back(Operand{});
    JobBefore before;
    before.finished.Add(0, finished);
    spec.before = std::make_shared<JobBefore>(std::move(before));
    return PlanJob(std::move(spec), {}).value().program.words;
  };
  EXPECT_NE(words_of(1 << 20, 0), words_of(10, 0));
  EXPECT_EQ(words_of(1 << 20, (1 << 20) - 10), words_of(10, 0));
}

TEST(JobPlanTest, LimitsAreBounded) {
  EXPECT_EQ(
      ErrorOf(With([](JobSpec& s) { s.limits.max_memory_bytes = uint64_t{5} << 30; })).reason(),
      Reason::kLimitTooHigh);
  EXPECT_EQ(ErrorOf(With([](JobSpec& s) { s.limits.max_fuel = ~uint64_t{0}; })).reason(),
            Reason::kLimitTooHigh);
  EXPECT_EQ(ErrorOf(With([](JobSpec& s) { s.limits.max_stack = ~0u; })).reason(),
            Reason::kLimitTooHigh);
  EXPECT_EQ(
      ErrorOf(With([](JobSpec& s) { s.limits.max_time = std::chrono::nanoseconds(0); })).reason(),
      Reason::kInvalidArgument);
}

TEST(JobPlanTest, MemoryIsTheModulesWithinTheLimit) {
  const JobPlan plan =
      PlanJob(With([](JobSpec& s) { s.limits.max_memory_bytes = 5 * 65536 + 1; }), {}).value();
  EXPECT_EQ(plan.min_pages, 1u);
  EXPECT_EQ(plan.max_pages, 5u);
  EXPECT_EQ(PlanJob(With([](JobSpec&) {}), {}).value().max_pages, 64u);  // declared
  const Status status = ErrorOf(With([](JobSpec& s) { s.limits.max_memory_bytes = 65535; }));
  EXPECT_EQ(status.reason(), Reason::kInvalidArgument);
  EXPECT_NE(status.message().find("[65536]"), std::string::npos) << status.message();
}

JobSpec Asking() {
  JobSpec spec = NumberJob(Module::Decode(MustAssemble(R"((module
    (import "wasmburst" "input_read" (func $read (param i32 i64 i32 i32) (result i32)))
    (import "wasmburst" "instance" (func $instance (result i64)))
    (memory 1)
    (func (export "run") (param i32) (result i32)
      (call $read (local.get 0) (call $instance) (i32.const 0) (i32.const 8)))))"))
                               .value(),
                           10);
  spec.columns = {{}, {}};
  spec.columns[0].kind = spec.columns[1].kind = Column::Kind::kBytes;
  spec.columns[0].bytes = {{1, 2, 3}};
  spec.columns[1].bytes.assign(10, {4, 5});
  spec.steps = {CallStep{"run", {Operand{}}}};
  spec.inputs = {1, 0};
  return spec;
}

TEST(JobPlanTest, AModuleWithPrimitivesHasARowOfInputsBehindItsSteps) {
  const JobPlan plan = PlanJob(Asking(), {}).value();
  EXPECT_TRUE(plan.program.asks);
  EXPECT_EQ(plan.output_bytes, 0u);  // it cannot write
  const std::vector<uint32_t>& words = plan.program.words;
  EXPECT_EQ(words[abi::STEP_WORDS + abi::STEP_KIND], uint32_t{abi::STEP_INPUTS});
  EXPECT_EQ(words[abi::STEP_WORDS + abi::STEP_OPERAND_COUNT], 6u);
  const uint32_t operands = words[abi::STEP_WORDS + abi::STEP_OPERANDS];
  const auto at = [&](size_t i) {
    return words[operands + i * abi::OPERAND_WORDS + abi::OPERAND_AT];
  };
  const Column& numbers = plan.spec.columns[2];  // of instances
  EXPECT_EQ(numbers.At(7).bits(), 7u);
  EXPECT_EQ(at(0), plan.program.column_at[2]);
  EXPECT_EQ(words[operands + abi::OPERAND_WORDS + abi::OPERAND_VALUE], 10u);
  EXPECT_EQ(at(2), plan.program.column_at[1]);
  EXPECT_EQ(at(3), plan.program.column_at[1] + 1);
  EXPECT_EQ(at(4), plan.program.column_at[0]);
}

JobSpec Writing() {
  return NumberJob(Module::Decode(MustAssemble(R"((module
    (import "gpu_std" "log" (func $log (param i32 i32)))
    (memory 1)
    (func (export "run") (param i32) (result i32)
      (call $log (i32.const 0) (local.get 0)) (i32.const 1))))"))
                       .value(),
                   10);
}

TEST(JobPlanTest, AModuleThatMayWriteHasRoomForAllThatItMay) {
  const JobSpec spec = Writing();
  const JobPlan plan = PlanJob(spec, {}).value();
  EXPECT_TRUE(plan.program.writes);
  EXPECT_EQ(plan.output_bytes, plan.spec.limits.max_output_bytes);
}

TEST(JobPlanTest, InputsAreColumnsOfBytesOfAModuleThatReadsThem) {
  JobSpec spec = Asking();
  spec.inputs = {2};
  EXPECT_EQ(ErrorOf(spec).message(), "The job's inputs name column [2]; the job has [2].");
  spec = Asking();
  spec.columns[1] = List(ValueType::kI64, std::vector<Value>(10, Value::I64(1)));
  EXPECT_EQ(ErrorOf(spec).message(),
            "The job's inputs name column [1], which holds [i64] values; an input is bytes.");
  EXPECT_EQ(ErrorOf(With([](JobSpec& s) { s.inputs = {0}; })).message(),
            "The job has [1] inputs, but its module imports nothing that reads them (import "
            "[input_read] of the module [wasmburst]).");
}

TEST(JobPlanTest, CallsAreWhichFunctionsInTheirOrder) {
  JobSpec spec = NumberJob(NumberModule(), 1);
  const Digest one = CallsOf(spec);
  spec.instances = 7;
  EXPECT_EQ(CallsOf(spec), one);
  spec.steps.push_back(ReadStep());
  EXPECT_EQ(CallsOf(spec), one);
  spec.steps.push_back(spec.steps[0]);
  EXPECT_NE(CallsOf(spec), one);
  std::get<CallStep>(spec.steps[0]).function = "other";
  EXPECT_NE(CallsOf(spec), one);
}

TEST(JobPlanTest, WorkIsTheModuleAndWhatIsCalledOfIt) {
  const auto work_of = [](JobSpec spec) { return PlanJob(std::move(spec), {}).value().work; };
  const auto module_of = [](const std::string& name, const std::string& constant) {
    return ModuleOf("(module (func (export \"run\") (param i32) (result i32) i32.const " +
                    constant + ") (func (export \"" + name +
                    "\") (param i32) (result i32) i32.const 1))");
  };
  const JobSpec spec = NumberJob(module_of("walk", "1"), 10);
  EXPECT_EQ(work_of(spec), work_of(NumberJob(module_of("walk", "1"), 20)));
  EXPECT_NE(work_of(spec), work_of(NumberJob(module_of("walk", "2"), 10)));
  JobSpec other = spec;
  std::get<CallStep>(other.steps[0]).function = "walk";
  EXPECT_NE(work_of(spec), work_of(other));
}

TEST(JobPlanTest, TheTaskIsTheWorkAndWhatAllAreTold) {
  const auto task_of = [](JobSpec spec) { return PlanJob(std::move(spec), {}).value().task; };
  const auto told = [](int32_t constant, bool as_column, uint64_t instances) {
    JobSpec spec = NumberJob(ModuleOf("(module (func (export \"run\") (param i32 i32) (result i32) "
                                      "local.get 0))"),
                             instances);
    Operand operand;
    operand.value = Value::I32(static_cast<uint32_t>(constant));
    if (as_column) {
      Column column;
      column.values = {operand.value};
      operand = {Operand::Source::kColumn, Value::I32(0), 1, 0, 0};
      spec.columns.push_back(column);
    }
    std::get<CallStep>(spec.steps[0]).args.push_back(operand);
    return spec;
  };
  for (const bool as_column : {false, true}) {
    EXPECT_EQ(task_of(told(7, as_column, 10)), task_of(told(7, as_column, 20)));
    EXPECT_EQ(task_of(told(7, as_column, 10)), task_of(told(7, as_column, 1 << 20)));
    EXPECT_NE(task_of(told(7, as_column, 10)), task_of(told(8, as_column, 10)));
  }
}

TEST(JobPlanTest, ColumnsMustCoverEveryInstance) {
  const auto with_column = [](Column column) {
    return ErrorOf(With([&](JobSpec& s) { s.columns[0] = std::move(column); }));
  };
  EXPECT_TRUE(with_column(List(ValueType::kI32, std::vector<Value>(10, Value::I32(1)))).ok());
  EXPECT_EQ(with_column(List(ValueType::kI32, std::vector<Value>(9, Value::I32(1)))).reason(),
            Reason::kInvalidArgument);
  EXPECT_EQ(with_column(List(ValueType::kI32, std::vector<Value>(10, Value::I64(1)))).reason(),
            Reason::kInvalidArgument);
  Column range{Column::Kind::kRange, ValueType::kI32, {}, Value::I32(0), Value::F32(1), {}};
  EXPECT_EQ(with_column(range).reason(), Reason::kInvalidArgument);
  Column bytes{Column::Kind::kBytes, ValueType::kI32, {}, {}, {}, {{1}, {2}}};
  EXPECT_EQ(ErrorOf(With([&](JobSpec& s) { s.columns.push_back(bytes); })).reason(),
            Reason::kInvalidArgument);
}

TEST(JobPlanTest, RangesCountModuloTheirSizeAndFloatsByTheStandard) {
  Column column{Column::Kind::kRange,   ValueType::kI32, {},
                Value::I32(0xfffffffe), Value::I32(3),   {}};
  EXPECT_EQ(column.At(1), Value::I32(1));
  column.type = ValueType::kI64;
  column.start = Value::I64(10);
  column.step = Value::I64(~uint64_t{0});
  EXPECT_EQ(column.At(11), Value::I64(~uint64_t{0}));
  column.type = ValueType::kF64;
  column.start = Value::F64(0.1);
  column.step = Value::F64(0.1);
  const double product = 3 * 0.1;
  EXPECT_EQ(column.At(3), Value::F64(0.1 + product));
}

TEST(JobPlanTest, ARecordHasRoomForWhatIsCertainAndForAPart) {
  JobSpec spec = Writing();
  spec.limits.max_output_bytes = 64 << 20;
  const JobPlan open = PlanJob(spec, {}).value();
  EXPECT_EQ(open.output_bytes, 64u << 20);
  EXPECT_EQ(open.output_buffer, kOutputBuffer);
  const Operand at{Operand::Source::kConstant, Value::I32(0), 0, 0, 0};
  spec.steps.push_back(ReadStep{at, {Operand::Source::kConstant, Value::I32(1 << 20)}, "out"});
  EXPECT_EQ(PlanJob(spec, {}).value().output_buffer, kOutputBuffer + (1 << 20));
  spec.limits.max_output_bytes = 3;
  EXPECT_EQ(PlanJob(spec, {}).value().output_buffer, abi::LEAST_BUFFER);
}

TEST(JobPlanTest, ConstantReadsBoundTheOutput) {
  const auto output = [](Operand length) {
    return PlanJob(With([&](JobSpec& s) {
                     s.steps.push_back(ReadStep{
                         {Operand::Source::kConstant, Value::I32(0), 0, 0, 0}, length, "out"});
                   }),
                   {})
        .value()
        .output_bytes;
  };
  EXPECT_EQ(PlanJob(With([](JobSpec&) {}), {}).value().output_bytes, 0u);
  EXPECT_EQ(output({Operand::Source::kConstant, Value::I32(100), 0, 0, 0}), 100u);
  EXPECT_EQ(output({Operand::Source::kConstant, Value::I32(1 << 20), 0, 0, 0}), 65536u);
  EXPECT_EQ(output({Operand::Source::kColumn, {}, 0, 0, 0}), 65536u);
}

TEST(JobPlanTest, ANameOfNoExportIsAnError) {
  EXPECT_EQ(ErrorOf(With([](JobSpec& s) {
              s.steps = {CallStep{"no", {}, false}};
            })).reason(),
            Reason::kEntryPointNotFound);
  EXPECT_EQ(ErrorOf(With([](JobSpec& s) { s.module = nullptr; })).reason(),
            Reason::kInvalidArgument);
}

}  // namespace
}  // namespace wb::test
