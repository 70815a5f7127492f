// The module of the system layer: what it exports, how a guest is linked to it, and what is
// refused.

#include "compiler/system/system_layer.h"

#include <gtest/gtest.h>

#include <set>

#include "compiler/compiler.h"
#include "compiler/system/embedded.h"
#include "compiler/system/kept_exports.h"
#include "tests/compiler/wasm/assemble.h"

namespace wb::test {
namespace {

std::shared_ptr<const Module> Decode(std::string_view wat) {
  auto module = Module::Decode(MustAssemble(wat));
  EXPECT_TRUE(module.ok()) << module.status().ToString();
  return *module;
}

Result<std::vector<LinkPart>> With(std::string_view wat) {
  return WithSystemLayer({{"", Decode(wat), {}}});
}

constexpr std::string_view kHello = R"((module
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 2)
  (data (i32.const 0) "\08\00\00\00\06\00\00\00hello\n")
  (func (export "_start")
    (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 100))))))";

TEST(SystemLayerTest, TheModuleExportsTheTableAndFinish) {
  const auto decoded = Module::Decode(SystemBinary());
  ASSERT_TRUE(decoded.ok()) << decoded.status().ToString();
  const Module& system = **decoded;
#define I32 ValueType::kI32
#define I64 ValueType::kI64
#define UNPACKED(...) __VA_ARGS__
#define NOTHING
#define WB_WASI(name, result, params)                                            \
  {                                                                              \
    const Export* item = system.FindExport(#name, ExternKind::kFunction);        \
    ASSERT_NE(item, nullptr) << #name;                                           \
    const FunctionType type = {{UNPACKED params}, {result}};                     \
    EXPECT_EQ(system.type_of(item->index).ToString(), type.ToString()) << #name; \
  }
#include "compiler/system/wasi.def"
#undef WB_WASI
#undef NOTHING
#undef UNPACKED
#undef I64
#undef I32
  EXPECT_NE(system.FindExport(kFinishExport, ExternKind::kFunction), nullptr);
}

TEST(SystemLayerTest, TheModulesAreSmallAndStartNothing) {
  const auto parts = With(kHello);
  ASSERT_TRUE(parts.ok());
  for (uint32_t part : {kBridgePart, kSystemPart}) {
    EXPECT_FALSE((*parts)[part].module->start.has_value());
    EXPECT_LT((*parts)[part].module->binary().size(), 32u << 10);
  }
  EXPECT_EQ((*parts)[kSystemPart].module->memories[0].limits.min, 1u);
}

size_t Operators(const Module& module) {
  size_t operators = 0;
  for (const Body& body : module.bodies) operators += body.instructions.size();
  return operators;
}

TEST(SystemLayerTest, AProgramHasTheFunctionsThatItImports) {
  const auto whole = Module::Decode(SystemBinary()).value();
  const auto parts = With(kHello);
  ASSERT_TRUE(parts.ok());
  const Module& system = *(*parts)[kSystemPart].module;
  for (const char* name : {"fd_write", "proc_exit", "finish"}) {
    EXPECT_NE(system.FindExport(name, ExternKind::kFunction), nullptr) << name;
  }
  EXPECT_EQ(system.FindExport("path_open", ExternKind::kFunction), nullptr);
  EXPECT_NE(system.FindExport("memory", ExternKind::kMemory), nullptr);
  EXPECT_EQ(system.functions.size(), whole->functions.size());
  EXPECT_LT(Operators(system), Operators(*whole) * 6 / 10);
  const auto again = With(kHello);
  EXPECT_EQ(system.digest(), (*again)[kSystemPart].module->digest());
}

TEST(SystemLayerTest, WhatNothingKeptCallsTraps) {
  const auto module = Decode(R"((module
    (func $deep (result i32) (i32.const 7)) (func $dead (result i32) (i32.const 8))
    (func (export "kept") (result i32) (call $deep))
    (func (export "dropped") (result i32) (call $dead))
    (memory (export "memory") 1) (data (i32.const 0) "data")))");
  const auto kept = Module::Decode(WithExportsOnly(*module, {{"kept", "renamed"}}));
  ASSERT_TRUE(kept.ok()) << kept.status().ToString();
  EXPECT_EQ((*kept)->exports.size(), 2u);
  EXPECT_NE((*kept)->FindExport("renamed", ExternKind::kFunction), nullptr);
  EXPECT_EQ((*kept)->bodies[0].instructions[0].opcode, Opcode::kI32Const);
  EXPECT_EQ((*kept)->bodies[1].instructions[0].opcode, Opcode::kUnreachable);
  EXPECT_EQ((*kept)->bodies[2].instructions[0].opcode, Opcode::kCall);
  EXPECT_EQ((*kept)->bodies[3].instructions[0].opcode, Opcode::kUnreachable);
  EXPECT_EQ((*kept)->data[0].bytes.size(), 4u);
}

TEST(SystemLayerTest, WhetherAModuleImportsIt) {
  EXPECT_TRUE(ImportsSystem(*Decode(kHello)));
  EXPECT_TRUE(ImportsSystem(*Decode(R"((module (import "wasi_unstable" "x" (func))))")));
  EXPECT_FALSE(ImportsSystem(*Decode(R"((module (import "env" "fd_write" (func))))")));
  EXPECT_FALSE(ImportsSystem(*Decode("(module)")));
}

TEST(SystemLayerTest, AGuestIsLinkedWithItsMemoryFirst) {
  const auto parts = With(kHello);
  ASSERT_TRUE(parts.ok());
  const auto whole = Link(*parts, {}, Instantiation::kAtStart);
  ASSERT_TRUE(whole.ok()) << whole.status().ToString();
  EXPECT_TRUE((*whole)->imports.empty());
  ASSERT_EQ((*whole)->memories.size(), 2u);
  EXPECT_EQ((*whole)->memories[0].limits.min, 2u);
  EXPECT_EQ((*whole)->memories[1].limits.min, 1u);
  EXPECT_FALSE((*whole)->start.has_value());
  EXPECT_NE((*whole)->FindExport("_start", ExternKind::kFunction), nullptr);
  EXPECT_NE((*whole)->FindExport(kFinishExport, ExternKind::kFunction, kSystemPart), nullptr);
  const auto lowered = Lower(*whole);
  EXPECT_TRUE(lowered.ok()) << lowered.status().ToString();
}

TEST(SystemLayerTest, OtherModulesOfTheJobStayBoundToOneAnother) {
  const auto library = Decode(R"((module (func (export "f"))))");
  const auto main = Decode(R"((module (import "library" "f" (func))
    (import "wasi_snapshot_preview1" "sched_yield" (func (result i32)))
    (memory (export "memory") 1)))");
  const auto parts = WithSystemLayer(PartsByName({{"library", library}, {"main", main}}));
  ASSERT_TRUE(parts.ok()) << parts.status().ToString();
  const auto whole = Link(*parts, {}, Instantiation::kAtStart);
  EXPECT_TRUE(whole.ok()) << whole.status().ToString();
}

TEST(SystemLayerTest, UnknownFunctionsAreListed) {
  const auto refused = With(R"((module
    (import "wasi_snapshot_preview1" "fd_write" (func (param i32 i32 i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "thread_spawn" (func (param i32) (result i32)))
    (import "wasi_unstable" "thread_exit" (func (param i32) (result i32)))
    (memory (export "memory") 1)))");
  EXPECT_EQ(refused.status().reason(), Reason::kImportNotProvided);
  EXPECT_NE(
      refused.status().message().find(
          "Imports [wasi_snapshot_preview1.thread_spawn], [wasi_unstable.thread_exit] are not"),
      std::string::npos)
      << refused.status().message();
}

TEST(SystemLayerTest, WhatSnapshotOneChangedIsAnotherFunctionForWasiUnstable) {
  const auto layer_of = [](std::string_view from) {
    const auto parts = With("(module (import \"" + std::string(from) + R"(" "fd_seek"
      (func (param i32 i64 i32 i32) (result i32)))
      (import "wasi_unstable" "fd_close" (func (param i32) (result i32)))
      (memory (export "memory") 1)))");
    EXPECT_TRUE(parts.ok()) << parts.status().ToString();
    EXPECT_TRUE(Link(*parts, {}, Instantiation::kAtStart).ok()) << from;
    return (*parts)[kSystemPart].module;
  };
  const auto whole = Module::Decode(SystemBinary()).value();
  const auto index = [](const Module& module, std::string_view name) {
    return module.FindExport(std::string(name), ExternKind::kFunction)->index;
  };
  EXPECT_EQ(index(*layer_of("wasi_unstable"), "fd_seek"), index(*whole, "unstable_fd_seek"));
  EXPECT_EQ(index(*layer_of("wasi_snapshot_preview1"), "fd_seek"), index(*whole, "fd_seek"));
}

TEST(SystemLayerTest, BothVersionsOfAFunctionThatChangedAreRefused) {
  const auto refused = With(R"((module
    (import "wasi_snapshot_preview1" "fd_seek" (func (param i32 i64 i32 i32) (result i32)))
    (import "wasi_unstable" "fd_seek" (func (param i32 i64 i32 i32) (result i32)))
    (memory (export "memory") 1)))");
  EXPECT_EQ(refused.status().reason(), Reason::kImportNotProvided);
  EXPECT_NE(refused.status().message().find("[fd_seek] of both"), std::string::npos)
      << refused.status().message();
}

TEST(SystemLayerTest, AnotherTypeIsRefusedWithBoth) {
  const auto parts = With(R"((module
    (import "wasi_snapshot_preview1" "fd_close" (func (param i64) (result i32)))
    (memory (export "memory") 1)))");
  ASSERT_TRUE(parts.ok());
  const auto refused = Link(*parts, {}, Instantiation::kAtStart);
  EXPECT_NE(refused.status().message().find(
                "[wasi_snapshot_preview1.fd_close] is wanted as (i64) -> i32"),
            std::string::npos)
      << refused.status().message();
}

TEST(SystemLayerTest, AModuleThatImportsNothingOfWasiIsNotSaidToDoSo) {
  const auto refused = With("(module (func (export \"f\")))");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.status().reason(), Reason::kInvalidArgument);
  EXPECT_NE(refused.status().message().find("--call EXPORT"), std::string::npos);
}

TEST(SystemLayerTest, AMemoryOfTheProgramsOwnIsNeeded) {
  for (const char* memory : {"", R"((memory 1))", R"((memory (export "other") 1))",
                             R"((import "env" "memory" (memory 1)) (export "memory" (memory 0)))",
                             R"((func (export "memory")))"}) {
    const auto refused =
        With(R"((module (import "wasi_snapshot_preview1" "sched_yield" (func (result i32))))" +
             std::string(memory) + ")");
    EXPECT_EQ(refused.status().reason(), Reason::kImportNotProvided) << memory;
    EXPECT_NE(refused.status().message().find("[memory]"), std::string::npos) << memory;
  }
}

TEST(SystemLayerTest, ALibraryMayNotImportIt) {
  const auto library = Decode(R"((module
    (import "wasi_snapshot_preview1" "sched_yield" (func (result i32)))))");
  const auto refused =
      WithSystemLayer(PartsByName({{"library", library}, {"main", Decode(kHello)}}));
  EXPECT_EQ(refused.status().reason(), Reason::kImportNotProvided);
  EXPECT_NE(refused.status().message().find("[library]"), std::string::npos);
}

}  // namespace
}  // namespace wb::test
