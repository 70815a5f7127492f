#include "scheduler/job/lane_program.h"

#include <gtest/gtest.h>

#include "scheduler/job/program_encoder.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {
namespace {

std::shared_ptr<const Module> ProgramSample() {
  return ModuleOf(R"((module
    (memory 1)
    (func (export "add") (param i32 i64) (result i64 i32)
      (local.get 1) (local.get 0))
    (func (export "nothing"))
    (func (export "wide") (param f32 f64))))");
}

Operand Constant(Value value) { return {Operand::Source::kConstant, value, 0, 0, 0}; }
Operand FromColumn(uint32_t column, Value plus = {}) {
  return {Operand::Source::kColumn, plus, column, 0, 0};
}
Operand FromResult(uint32_t step, uint32_t result, Value plus = {}) {
  return {Operand::Source::kResult, plus, 0, step, result};
}

const std::vector<ColumnType> kProgramColumns = {{false, ValueType::kI32},
                                                 {false, ValueType::kI64},
                                                 {true, ValueType::kI32},
                                                 {false, ValueType::kF32}};

Status ProgramErrorOf(const std::vector<Step>& steps) {
  return EncodeProgram(*ProgramSample(), steps, kProgramColumns).status();
}

TEST(LaneProgramTest, EncodesCallsByTheTable) {
  CallStep call{
      "add", {FromColumn(0, Value::I32(5)), Constant(Value::I64(uint64_t{7} << 32))}, true};
  const auto encoded = EncodeProgram(*ProgramSample(), {call}, kProgramColumns).value();
  ASSERT_EQ(encoded.words.size(), abi::STEP_WORDS + 2 * abi::OPERAND_WORDS);
  const std::vector<uint32_t> expected = {abi::STEP_CALL,
                                          abi::STEP_GO_ON,
                                          0,
                                          8,
                                          2,
                                          0,
                                          3,
                                          3,  // the step
                                          abi::OPERAND_COLUMN,
                                          0,
                                          1,
                                          0,
                                          5,
                                          0,
                                          0,
                                          0,  // column 0 + 5
                                          abi::OPERAND_CONST,
                                          0,
                                          2,
                                          0,
                                          0,
                                          7,
                                          0,
                                          0};  // 7 << 32
  EXPECT_EQ(encoded.words, expected);
  EXPECT_EQ(encoded.register_words, 6u);
  EXPECT_EQ(encoded.steps[0].trap_at, 3u);
  EXPECT_EQ(encoded.column_at, (std::vector<uint32_t>{0, 1, 3, 5}));
  EXPECT_EQ(encoded.column_words, 6u);
}

TEST(LaneProgramTest, EncodesWritesAndReads) {
  const auto encoded = EncodeProgram(*ProgramSample(),
                                     {CallStep{"add", {FromColumn(0), FromColumn(1)}, false},
                                      WriteStep{FromResult(0, 1, Value::I32(16)), 2},
                                      ReadStep{Constant(Value::I32(0)), FromColumn(0), "out"}},
                                     kProgramColumns)
                           .value();
  const uint32_t* write = &encoded.words[abi::STEP_WORDS];
  EXPECT_EQ(write[abi::STEP_KIND], abi::STEP_WRITE);
  EXPECT_EQ(write[abi::STEP_OPERAND_COUNT], 3u);
  EXPECT_EQ(write[abi::STEP_TRAP_REGISTER], abi::NONE);
  const uint32_t* pointer = &encoded.words[write[abi::STEP_OPERANDS]];
  EXPECT_EQ(pointer[abi::OPERAND_SOURCE], abi::OPERAND_REGISTER);
  EXPECT_EQ(pointer[abi::OPERAND_AT], 2u);  // behind the i64
  EXPECT_EQ(pointer[abi::OPERAND_VALUE], 16u);
  EXPECT_EQ(pointer[abi::OPERAND_WORDS + abi::OPERAND_AT], 3u);      // offset in the blob
  EXPECT_EQ(pointer[2 * abi::OPERAND_WORDS + abi::OPERAND_AT], 4u);  // length
  const uint32_t* read = &encoded.words[2 * abi::STEP_WORDS];
  EXPECT_EQ(read[abi::STEP_KIND], abi::STEP_READ);
  EXPECT_EQ(read[abi::STEP_RESULTS], 3u);
  EXPECT_EQ(read[abi::STEP_RESULT_WORDS], 2u);
  EXPECT_EQ(read[abi::STEP_FLAGS], 0u);
  EXPECT_EQ(encoded.register_words, 5u);
}

TEST(LaneProgramTest, AStoreHasAPointerAndAValue) {
  const StoreStep store{Constant(Value::I32(64)), FromColumn(0)};
  const EncodedProgram encoded = EncodeProgram(*ProgramSample(), {store}, kProgramColumns).value();
  EXPECT_EQ(encoded.words[abi::STEP_KIND], abi::STEP_STORE);
  EXPECT_EQ(encoded.words[abi::STEP_OPERAND_COUNT], 2u);
  const uint32_t* pointer = &encoded.words[encoded.words[abi::STEP_OPERANDS]];
  EXPECT_EQ(pointer[abi::OPERAND_VALUE], 64u);
  EXPECT_EQ(pointer[abi::OPERAND_WORDS + abi::OPERAND_SOURCE], abi::OPERAND_COLUMN);
  EXPECT_EQ(ProgramErrorOf({StoreStep{Constant(Value::I64(64)), FromColumn(0)}}).reason(),
            Reason::kSignatureMismatch);
}

TEST(LaneProgramTest, AReadUntilZeroHasItsFlag) {
  ReadStep read{Constant(Value::I32(0)), Constant(Value::I32(64)), "out"};
  read.until_zero = true;
  const EncodedProgram encoded = EncodeProgram(*ProgramSample(), {read}, kProgramColumns).value();
  EXPECT_EQ(encoded.words[abi::STEP_FLAGS], abi::STEP_UNTIL_ZERO);
}

TEST(LaneProgramTest, AnUnknownFunctionListsTheExports) {
  const Status status = ProgramErrorOf({CallStep{"nope", {}, false}});
  EXPECT_EQ(status.reason(), Reason::kEntryPointNotFound);
  EXPECT_NE(status.message().find("add (i32, i64) -> (i64, i32)"), std::string::npos)
      << status.message();
  // A memory's name is no function.
  EXPECT_EQ(ProgramErrorOf({CallStep{"memory", {}, false}}).reason(), Reason::kEntryPointNotFound);
}

TEST(LaneProgramTest, AtMostTwentyExportsAreListed) {
  std::string wat = "(module";
  for (int i = 0; i < 25; ++i) wat += "(func (export \"f" + std::to_string(i) + "\"))";
  const Status status =
      EncodeProgram(*ModuleOf(wat + ")"), {CallStep{"g", {}, false}}, {}).status();
  EXPECT_NE(status.message().find("f19 "), std::string::npos);
  EXPECT_EQ(status.message().find("f20 "), std::string::npos);
  EXPECT_NE(status.message().find("and 5 more"), std::string::npos);
}

TEST(LaneProgramTest, WrongTypesNameThePlace) {
  const Status status = ProgramErrorOf(
      {CallStep{"nothing", {}, false}, CallStep{"add", {FromColumn(0), FromColumn(0)}, false}});
  EXPECT_EQ(status.reason(), Reason::kSignatureMismatch);
  EXPECT_EQ(status.message(),
            "Step [1], argument [1] of [add]: [i64] is wanted and [i32] is given.");
  EXPECT_EQ(ProgramErrorOf({CallStep{"add", {FromColumn(0)}, false}}).reason(),
            Reason::kSignatureMismatch);
}

TEST(LaneProgramTest, ReferencesMustExistAndBeEarlier) {
  const auto add = [](Operand number) {
    return CallStep{"add", {number, Constant(Value::I64(0))}, false};
  };
  EXPECT_EQ(ProgramErrorOf({add(FromResult(0, 1))}).reason(), Reason::kInvalidArgument);
  EXPECT_EQ(ProgramErrorOf({add(FromResult(9, 1))}).reason(), Reason::kInvalidArgument);
  EXPECT_EQ(ProgramErrorOf({add(FromColumn(0)), add(FromResult(0, 2))}).reason(),
            Reason::kInvalidArgument);
  EXPECT_EQ(ProgramErrorOf({add(FromColumn(4))}).reason(), Reason::kInvalidArgument);
  EXPECT_EQ(ProgramErrorOf({add(FromColumn(2))}).reason(), Reason::kSignatureMismatch);  // bytes
  EXPECT_TRUE(ProgramErrorOf({add(FromColumn(0)), add(FromResult(0, 1))}).ok());
}

TEST(LaneProgramTest, FloatsAreNotAddedTo) {
  const CallStep call{"wide", {FromColumn(3, Value::I32(1)), Constant(Value::F64(1))}, false};
  EXPECT_EQ(ProgramErrorOf({call}).reason(), Reason::kSignatureMismatch);
}

TEST(LaneProgramTest, ReferencesAreNumbersPlusOneInTheLane) {
  const auto module = ModuleOf(R"((module
    (func (export "extern") (param externref) (result externref) (local.get 0))
    (func (export "func") (param funcref) (result funcref) (local.get 0))))");
  const auto value_of = [&](const char* function, Operand argument) -> int64_t {
    const auto encoded = EncodeProgram(*module, {CallStep{function, {argument}}}, kProgramColumns);
    if (!encoded.ok()) return -1;
    return encoded->words[abi::STEP_WORDS + abi::OPERAND_VALUE];
  };
  EXPECT_EQ(value_of("extern", Constant(Value::Reference(ValueType::kExternRef))), 0);
  EXPECT_EQ(value_of("extern", Constant(Value::Reference(ValueType::kExternRef, 7))), 8);
  EXPECT_EQ(value_of("extern", Constant(Value::I32(7))), 8);
  EXPECT_EQ(value_of("extern", FromColumn(0)), 1);  // added to each instance's number
  EXPECT_EQ(value_of("extern", FromColumn(0, Value::I32(1))), -1);
  EXPECT_EQ(value_of("extern", FromColumn(1)), -1);
  EXPECT_EQ(value_of("func", Constant(Value::I32(0xffffffff))), 0);
  EXPECT_EQ(value_of("func", Constant(Value::I32(0))), -1);  // would name a function
  EXPECT_EQ(value_of("func", FromColumn(0)), -1);
}

TEST(LaneProgramTest, MemoryStepsNeedAMemoryAndABytesColumn) {
  const Operand zero = Constant(Value::I32(0));
  EXPECT_EQ(ProgramErrorOf({WriteStep{zero, 0}}).reason(), Reason::kSignatureMismatch);
  EXPECT_EQ(ProgramErrorOf({WriteStep{zero, 9}}).reason(), Reason::kInvalidArgument);
  EXPECT_EQ(ProgramErrorOf({WriteStep{Constant(Value::I64(0)), 2}}).reason(),
            Reason::kSignatureMismatch);
  EXPECT_EQ(ProgramErrorOf({ReadStep{zero, zero, ""}}).reason(), Reason::kInvalidArgument);
  EXPECT_EQ(ProgramErrorOf({ReadStep{zero, zero, "a"}, ReadStep{zero, zero, "a"}}).reason(),
            Reason::kInvalidArgument);
  const auto bare = ModuleOf("(module (func (export \"f\")))");
  EXPECT_EQ(EncodeProgram(*bare, {ReadStep{zero, zero, "a"}}, kProgramColumns).status().reason(),
            Reason::kInvalidArgument);
}

TEST(LaneProgramTest, SizesAreBounded) {
  EXPECT_EQ(ProgramErrorOf({}).reason(), Reason::kInvalidArgument);
  const CallStep nothing{"nothing", {}, false};
  EXPECT_TRUE(ProgramErrorOf(std::vector<Step>(4096, nothing)).ok());
  const Status many = ProgramErrorOf(std::vector<Step>(4097, nothing));
  EXPECT_EQ(many.reason(), Reason::kLimitTooHigh);
  EXPECT_EQ(
      many.message(),
      "A lane program has at most [4096] steps; this has [4097]. Use fewer: a function that the "
      "module exports can do what several do.");
  // 4,000 calls of 20 arguments are more than a MiB of words.
  const auto wide =
      ModuleOf("(module (func (export \"w\") (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32)))");
  const CallStep call{"w", std::vector<Operand>(10, Constant(Value::I32(1))), false};
  EXPECT_EQ(EncodeProgram(*wide, std::vector<Step>(4000, call), {}).status().reason(),
            Reason::kLimitTooHigh);
}

}  // namespace
}  // namespace wb::test
