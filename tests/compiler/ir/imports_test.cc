// Imports bound to constants, tables and memories of the module's own.

#include <gtest/gtest.h>

#include "tests/compiler/ir/lowered_text.h"
#include "tests/compiler/wasm/assemble.h"

namespace wb::test {
namespace {

Imports Environment() {
  Imports imports;
  imports.Add("env", "log", Imports::Function{{{ValueType::kI32}, {}}});
  imports.Add("env", "zero", Imports::Function{{{}, {ValueType::kI64, ValueType::kI32}}});
  imports.Add("env", "base", Imports::Global{ValueType::kI32, false, 40});
  imports.Add("env", "table", Imports::Table{ValueType::kFuncRef, {10, 20}});
  imports.Add("env", "memory", Imports::Memory{{1, 2}});
  return imports;
}

Result<std::shared_ptr<const LoweredModule>> LowerWith(std::string_view wat) {
  const auto wasm = Assemble(std::string(wat));
  EXPECT_TRUE(wasm.ok()) << wasm.status().ToString();
  auto module = Module::Decode(*wasm);
  EXPECT_TRUE(module.ok()) << module.status().ToString();
  return Lower(*module, Environment());
}

TEST(ImportsTest, BecomeDefinitionsUnderTheSameIndices) {
  const auto lowered = LowerWith(R"((module
    (import "env" "log" (func $log (param i32))) (import "env" "zero" (func (result i64 i32)))
    (import "env" "base" (global $base i32)) (import "env" "table" (table 5 20 funcref))
    (import "env" "memory" (memory 1 3))
    (global i32 (global.get $base)) (elem (global.get $base) func $log)
    (data (global.get $base) "at 40") (func (export "f") (call $log (i32.const 1)))))");
  ASSERT_TRUE(lowered.ok()) << lowered.status().ToString();
  const ir::Program& program = (*lowered)->program;
  EXPECT_EQ(program.module->imported_functions, 0u);
  ASSERT_EQ(program.functions.size(), 3u);
  EXPECT_EQ(program.functions[2].calls[0].callee, 0u);
  EXPECT_EQ(ir::ResultTypes(program.functions[1]),
            (std::vector<ValueType>{ValueType::kI64, ValueType::kI32}));
  EXPECT_EQ(program.image.globals, (std::vector<uint32_t>{40, 40}));
  EXPECT_EQ(program.image.trap, Trap::kOutOfBoundsTable);  // element 40 of 10
  EXPECT_EQ(program.tables[0].size, 10u);
  EXPECT_EQ(program.image.max_pages, 2u);
}

TEST(ImportsTest, PrimitivesAreThereForEveryModule) {
  const auto lowered = LowerWith(R"((module
    (import "wasmburst" "input_size" (func $size (param i32) (result i64)))
    (import "wasmburst" "output_write" (func (param i32 i32 i32) (result i32)))
    (memory 1)
    (func (export "f") (result i64) (call $size (i32.const 0)))))");
  ASSERT_TRUE(lowered.ok()) << lowered.status().ToString();
  const ir::Program& program = (*lowered)->program;
  EXPECT_TRUE(program.asks);
  EXPECT_EQ(program.functions[0].request, 1u + static_cast<uint32_t>(Primitive::kInputSize));
  EXPECT_EQ(program.functions[0].stack_slots, 0u);
  EXPECT_FALSE(program.functions[2].bounded);  // it may leave
  EXPECT_EQ(program.stage_words, 4u);          // three arguments and the memory's size
}

TEST(ImportsTest, APrimitiveOfAnotherTypeOrNameIsRefused) {
  const Status type =
      LowerWith(R"((module (import "wasmburst" "exit" (func (param i64)))))").status();
  EXPECT_EQ(type.reason(), Reason::kImportNotProvided);
  EXPECT_NE(type.message().find("exports it as (i32) -> ()"), std::string::npos) << type.message();
  const Status name = LowerWith(R"((module (import "wasmburst" "sleep" (func))))").status();
  EXPECT_NE(name.message().find("It has [input_size], [input_read], [output_write], [instance], "
                                "[instance_count], [fuel_used], [exit], [output_values]."),
            std::string::npos)
      << name.message();
}

TEST(ImportsTest, ExtendedConstantsThatReadThemAreKnownThen) {
  const auto lowered = LowerWith(R"((module
    (import "env" "base" (global $base i32)) (memory 1) (table 99 funcref) (func $f)
    (global i32 (i32.mul (i32.add (global.get $base) (i32.const 2)) (global.get $base)))
    (global i64 (i64.sub (i64.const 5) (i64.mul (i64.const 3) (i64.const 4))))
    (elem (i32.sub (global.get $base) (i32.const 1)) func $f)
    (data (i32.add (i32.const 1) (global.get $base)) "at 41")))");
  ASSERT_TRUE(lowered.ok()) << lowered.status().ToString();
  const ir::Program& program = (*lowered)->program;
  EXPECT_EQ(program.image.globals, (std::vector<uint32_t>{40, 1680, 0xfffffff9u, 0xffffffffu}));
  EXPECT_EQ(program.tables[0].elements.size(), 40u);
  ASSERT_EQ(program.image.memory.size(), 1u);
  EXPECT_EQ(program.image.memory[0].address, 41u);
}

TEST(ImportsTest, OtherTypesAreRefused) {
  const std::pair<const char*, const char*> kCases[] = {
      {R"((import "env" "log" (func)))", "incompatible import type"},
      {R"((import "env" "log" (global i32)))", "incompatible import type"},
      {R"((import "env" "base" (global i64)))", "incompatible import type"},
      {R"((import "env" "base" (global (mut i32))))", "incompatible import type"},
      {R"((import "env" "table" (table 11 funcref)))", "incompatible import type"},
      {R"((import "env" "table" (table 1 19 funcref)))", "incompatible import type"},
      {R"((import "env" "table" (table 1 externref)))", "incompatible import type"},
      {R"((import "env" "memory" (memory 2)))", "incompatible import type"},
      {R"((import "env" "memory" (memory 1 1)))", "incompatible import type"},
      {R"((import "env" "nothing" (memory 1)))", "is not provided"},
      {R"((import "other" "memory" (memory 1)))", "is not provided"}};
  for (const auto& [import, why] : kCases) {
    const auto lowered = LowerWith("(module " + std::string(import) + ")");
    ASSERT_FALSE(lowered.ok()) << import;
    EXPECT_EQ(lowered.status().reason(), Reason::kImportNotProvided) << import;
    EXPECT_NE(lowered.status().message().find(why), std::string::npos)
        << lowered.status().ToString();
  }
}

}  // namespace
}  // namespace wb::test
