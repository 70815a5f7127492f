// Operands that follow pointers: lengths of bytes, exported globals, loads from memory.

#include <gtest/gtest.h>

#include "compiler/compiler.h"
#include "compiler/link/link.h"
#include "scheduler/job/job_plan.h"
#include "scheduler/job/program_encoder.h"
#include "scheduler/job/result_batch.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {
namespace {

using Source = Operand::Source;

std::shared_ptr<const Module> Sample() {
  return ModuleOf(R"((module
    (memory 1)
    (global (export "small") (mut i32) (i32.const 1))
    (global $hidden v128 (v128.const i64x2 0 0))
    (global (export "large") (mut i64) (i64.const 2))
    (global (export "extern") externref (ref.null extern))
    (global (export "func") funcref (ref.null func))
    (func (export "one") (param i32))
    (func (export "wide") (param i64))
    (func (export "number") (param f64))
    (func (export "reference") (param externref))
    (func (export "function") (param funcref))))");
}

const std::vector<ColumnType> kColumns = {{false, ValueType::kI64}, {true, ValueType::kI32}};

Operand Number(uint32_t value) { return {Source::kConstant, Value::I32(value), 0, 0, 0}; }
Operand LengthOf(uint32_t column, Value plus = {}) {
  return {Source::kColumnLength, plus, column, 0, 0};
}
Operand Global(const std::string& name, Value plus = {}, const std::string& instance = "") {
  Operand operand{Source::kGlobal, plus, 0, 0, 0};
  operand.global = std::make_shared<GlobalName>(GlobalName{name, instance});
  return operand;
}
Operand Load(const Operand& pointer, Value plus = {}) {
  Operand operand{Source::kLoad32, plus, 0, 0, 0};
  operand.pointer = std::make_shared<Operand>(pointer);
  return operand;
}

// The row of the one argument of a call.
std::vector<uint32_t> RowOf(const Module& module, const std::string& function,
                            const Operand& argument) {
  const auto encoded = EncodeProgram(module, {CallStep{function, {argument}}}, kColumns);
  EXPECT_TRUE(encoded.ok()) << encoded.status().message();
  if (!encoded.ok()) return {};
  EXPECT_EQ(encoded->words.size(), abi::STEP_WORDS + abi::OPERAND_WORDS);
  return {encoded->words.begin() + abi::STEP_WORDS, encoded->words.end()};
}
std::vector<uint32_t> RowOf(const std::string& function, const Operand& argument) {
  return RowOf(*Sample(), function, argument);
}

Status ErrorOf(const std::string& function, const Operand& argument) {
  return EncodeProgram(*Sample(), {CallStep{function, {argument}}}, kColumns).status();
}

TEST(LaneOperandsTest, ALengthIsTheSecondWordOfItsColumn) {
  const std::vector<uint32_t> row = {abi::OPERAND_COLUMN, 3, 1, 0, 5, 0, 0, 0};
  EXPECT_EQ(RowOf("one", LengthOf(1, Value::I32(5))), row);
  EXPECT_EQ(ErrorOf("one", LengthOf(0)).message(),
            "Step [0], argument [0] of [one]: column [0] holds [i64] values; only bytes have a "
            "length.");
  EXPECT_EQ(ErrorOf("one", LengthOf(2)).reason(), Reason::kInvalidArgument);
  EXPECT_EQ(ErrorOf("wide", LengthOf(1)).reason(), Reason::kSignatureMismatch);
}

TEST(LaneOperandsTest, AGlobalIsWhereTheLaneHasIt) {
  EXPECT_EQ(RowOf("one", Global("small", Value::I32(7))),
            (std::vector<uint32_t>{abi::OPERAND_GLOBAL, 0, 1, 0, 7, 0, 0, 0}));
  EXPECT_EQ(RowOf("wide", Global("large")),
            (std::vector<uint32_t>{abi::OPERAND_GLOBAL, 5, 2, 0, 0, 0, 0, 0}));
  EXPECT_EQ(RowOf("reference", Global("extern"))[abi::OPERAND_AT], 7u);
  EXPECT_EQ(RowOf("function", Global("func"))[abi::OPERAND_AT], 8u);
  // As the compiler lays them out.
  const auto module = Sample();
  EXPECT_EQ(Lower(module).value()->program.global_words, module->GlobalWords());
}

TEST(LaneOperandsTest, AnUnknownGlobalListsTheExportedOnes) {
  const Status status = ErrorOf("one", Global("hidden"));
  EXPECT_EQ(status.reason(), Reason::kEntryPointNotFound);
  EXPECT_EQ(status.message(),
            "Step [0], argument [0] of [one]: it takes [hidden], which the module does not export "
            "as a global. It exports: small (i32), large (i64), extern (externref), func "
            "(funcref).");
  EXPECT_EQ(ErrorOf("one", Global("one")).reason(), Reason::kEntryPointNotFound);  // a function
  const auto bare = ModuleOf("(module (func (export \"one\") (param i32)))");
  const Status none = EncodeProgram(*bare, {CallStep{"one", {Global("g")}}}, {}).status();
  EXPECT_NE(none.message().find("It exports: no global."), std::string::npos) << none.message();
}

TEST(LaneOperandsTest, AGlobalOfALinkedModule) {
  const auto library = ModuleOf(R"((module
      (global i64 (i64.const 0)) (global (export "top") i32 (i32.const 9))))");
  const auto main = ModuleOf(R"((module (import "lib" "top" (global i32))
      (global (export "top") i32 (i32.const 1)) (func (export "one") (param i32))))");
  const auto linked =
      Link(PartsByName({{"lib", library}, {"main", main}}), {}, Instantiation::kAtStart).value();
  const std::vector<uint32_t> words = linked->GlobalWords();
  EXPECT_EQ(words, (std::vector<uint32_t>{0, 2, 3}));
  EXPECT_EQ(RowOf(*linked, "one", Global("top"))[abi::OPERAND_AT], 3u);
  EXPECT_EQ(RowOf(*linked, "one", Global("top", {}, "lib"))[abi::OPERAND_AT], 2u);
  const Status unknown =
      EncodeProgram(*linked, {CallStep{"one", {Global("top", {}, "libx")}}}, {}).status();
  EXPECT_EQ(unknown.message(),
            "Step [0], argument [0] of [one]: it takes a global of the module [libx], which the "
            "job does not name. It names: lib, main.");
}

TEST(LaneOperandsTest, TypesOfGlobalsAreThoseWanted) {
  EXPECT_EQ(ErrorOf("wide", Global("small")).message(),
            "Step [0], argument [0] of [wide]: [i64] is wanted and [i32] is given.");
  // Only constants and columns may give a reference's number as an i32.
  EXPECT_EQ(ErrorOf("reference", Global("small")).reason(), Reason::kSignatureMismatch);
  EXPECT_EQ(ErrorOf("reference", LengthOf(1)).reason(), Reason::kSignatureMismatch);
  EXPECT_EQ(ErrorOf("reference", Load(Number(0))).reason(), Reason::kSignatureMismatch);
  EXPECT_EQ(ErrorOf("reference", Global("extern", Value::I32(1))).reason(),
            Reason::kSignatureMismatch);
  EXPECT_EQ(ErrorOf("wide", Global("large", Value::I32(1))).message(),
            "Step [0], argument [0] of [wide]: a number of type [i32] is added to a value of type "
            "[i64].");
}

TEST(LaneOperandsTest, LoadsStandInTheRowOfTheirPointer) {
  EXPECT_EQ(RowOf("one", Load(Number(64), Value::I32(8))),
            (std::vector<uint32_t>{abi::OPERAND_CONST, 0, 1, 1, 64, 8, 0, 0}));
  const Operand twice = Load(Load(Global("small", Value::I32(4)), Value::I32(5)), Value::I32(6));
  EXPECT_EQ(RowOf("one", twice), (std::vector<uint32_t>{abi::OPERAND_GLOBAL, 0, 1, 2, 4, 5, 6, 0}));
  EXPECT_EQ(RowOf("one", Load(twice, Value::I32(7))),
            (std::vector<uint32_t>{abi::OPERAND_GLOBAL, 0, 1, 3, 4, 5, 6, 7}));
  EXPECT_EQ(RowOf("one", Load(LengthOf(1))),
            (std::vector<uint32_t>{abi::OPERAND_COLUMN, 3, 1, 1, 0, 0, 0, 0}));
}

TEST(LaneOperandsTest, LoadsAreBounded) {
  const Status status = ErrorOf("one", Load(Load(Load(Load(Number(0))))));
  EXPECT_EQ(status.reason(), Reason::kLimitTooHigh);
  EXPECT_NE(status.message().find("more than [3] loads"), std::string::npos) << status.message();
}

TEST(LaneOperandsTest, LoadsAreOfI32AtAnI32) {
  EXPECT_EQ(ErrorOf("wide", Load(Number(0))).reason(), Reason::kSignatureMismatch);
  EXPECT_EQ(ErrorOf("number", Load(Number(0))).reason(), Reason::kSignatureMismatch);
  const Status status = ErrorOf("one", Load(Global("large")));
  EXPECT_EQ(status.message(),
            "Step [0], the pointer that argument [0] of [one] loads from: [i32] is wanted and "
            "[i64] is given.");
  EXPECT_EQ(ErrorOf("one", Load(Number(0), Value::I64(1))).reason(), Reason::kSignatureMismatch);
  const auto bare = ModuleOf("(module (func (export \"one\") (param i32)))");
  EXPECT_EQ(EncodeProgram(*bare, {CallStep{"one", {Load(Number(0))}}}, {}).status().message(),
            "Step [0], argument [0] of [one]: it loads from memory, but the module has none.");
}

TEST(LaneOperandsTest, AReadOfLoadedLengthMayFillTheOutputs) {
  JobSpec spec;
  spec.module = Sample();
  spec.instances = 1;
  spec.limits.max_output_bytes = 1000;
  spec.steps = {ReadStep{Number(0), Number(16), "some"}};
  const JobPlan some = PlanJob(spec, {}).value();
  EXPECT_EQ(some.output_bytes, 16u);
  const uint64_t most = MostHeldBytes(some.program, some.spec.steps, 1000);
  for (const Operand& length : {Load(Number(16)), Global("small"), Load(Load(Number(16)))}) {
    spec.steps = {ReadStep{Number(0), length, "some"}};
    const JobPlan plan = PlanJob(spec, {}).value();
    EXPECT_EQ(plan.output_bytes, 1000u);
    EXPECT_EQ(MostHeldBytes(plan.program, plan.spec.steps, 1000), most - 16 + 1000);
  }
}

}  // namespace
}  // namespace wb::test
