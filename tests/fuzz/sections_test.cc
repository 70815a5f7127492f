#include "tests/fuzz/sections.h"

#include <gtest/gtest.h>

#include "compiler/wasm/module.h"
#include "tests/compiler/wasm/assemble.h"

namespace wb::fuzz {
namespace {

constexpr const char* kText = R"((module
  (import "a" "f" (func (param i32)))
  (memory (export "memory") 2 3) (data (i32.const 7) "x")
  (func (export "one") (result i32) (i32.const 1))
  (func $two (export "two") (local i64) (call 0 (i32.const 2)))
  (start $two)))";

std::shared_ptr<const Module> MustDecode(const Bytes& wasm) {
  const auto module = Module::Decode(wasm);
  EXPECT_TRUE(module.ok()) << module.status().ToString();
  return module.ok() ? *module : nullptr;
}

TEST(SectionsTest, AMemoryBecomesAnImport) {
  const auto module = MustDecode(WithMemoryImported(test::MustAssemble(kText), "world", "m"));
  ASSERT_NE(module, nullptr);
  ASSERT_EQ(module->memories.size(), 1u);
  EXPECT_TRUE(module->memories[0].imported);
  EXPECT_EQ(module->imports.back().module, "world");
  EXPECT_EQ(module->imports.back().name, "m");
  EXPECT_EQ(module->exports[0].name, "memory");
  EXPECT_EQ(module->data.size(), 1u);
}

TEST(SectionsTest, AnImportSectionIsMadeWhereThereIsNone) {
  const Bytes wasm = test::MustAssemble("(module (type (func)) (memory 1) (func))");
  const auto module = MustDecode(WithMemoryImported(wasm, "world", "m"));
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(module->imports.size(), 1u);
}

TEST(SectionsTest, AModuleWithoutMemoryStays) {
  const Bytes wasm = test::MustAssemble("(module (func))");
  EXPECT_EQ(WithMemoryImported(wasm, "world", "m"), wasm);
}

TEST(SectionsTest, BodiesExportsAndTheStartFunctionGo) {
  Bytes wasm = test::MustAssemble(kText);
  EXPECT_EQ(BodyCount(wasm), 2u);
  EXPECT_EQ(ExportCount(wasm), 3u);
  wasm = WithoutStart(WithoutExport(WithEmptyBody(wasm, 0), 0));
  const auto module = MustDecode(wasm);
  ASSERT_NE(module, nullptr);
  EXPECT_FALSE(module->start.has_value());
  ASSERT_EQ(module->exports.size(), 2u);
  EXPECT_EQ(module->exports[0].name, "one");
  EXPECT_EQ(module->bodies[0].instructions[0].opcode, Opcode::kUnreachable);
  EXPECT_EQ(module->bodies[1].instructions[0].opcode, Opcode::kI32Const);
}

}  // namespace
}  // namespace wb::fuzz
