// What cannot be linked is refused by name.

#include <gtest/gtest.h>

#include "tests/compiler/link/linked_text.h"

namespace wb::test {
namespace {

constexpr std::string_view kLibrary = R"((module
  (memory (export "memory") 2 4)
  (table (export "table") 8 20 funcref)
  (global (export "base") i32 (i32.const 40))
  (func (export "f") (param i32))))";

struct Case {
  const char* import;
  const char* why;  // empty: it can be linked
};

const Case kCases[] = {
    {R"((import "library" "f" (func (param i32))))", ""},
    {R"((import "library" "g" (func (param i32))))", "(unknown import)"},
    {R"((import "nobody" "f" (func (param i32))))", "(unknown import)"},
    {R"((import "library" "f" (func (param i64))))", "(incompatible import type)"},
    {R"((import "library" "f" (global i32)))", "(incompatible import type)"},
    {R"((import "library" "base" (global (mut i32))))", "(incompatible import type)"},
    {R"((import "library" "memory" (memory 2 4)))", ""},
    {R"((import "library" "memory" (memory 1)))", ""},
    {R"((import "library" "memory" (memory 3)))", "(incompatible import type)"},
    {R"((import "library" "memory" (memory 2 3)))", "(incompatible import type)"},
    {R"((import "library" "table" (table 8 20 funcref)))", ""},
    {R"((import "library" "table" (table 8 20 externref)))", "(incompatible import type)"},
    {R"((import "library" "table" (table 9 20 funcref)))", "(incompatible import type)"},
    {R"((import "host" "zero" (func (result i32))))", ""},
    {R"((import "host" "zero" (func)))", "(incompatible import type)"},
    {R"((import "host" "one" (func)))", "(unknown import)"},
};

TEST(LinkErrorsTest, ByName) {
  Imports host;
  host.Add("host", "zero", Imports::Function{{{}, {ValueType::kI32}}});
  for (const Case& item : kCases) {
    const std::string main = "(module " + std::string(item.import) + ")";
    const auto linked =
        LinkText({{"library", kLibrary}, {"main", main}}, Instantiation::kAtStart, host);
    EXPECT_EQ(linked.ok(), *item.why == '\0') << item.import << linked.status().ToString();
    if (linked.ok()) continue;
    EXPECT_EQ(linked.status().reason(), Reason::kImportNotProvided);
    EXPECT_NE(linked.status().message().find(item.why), std::string::npos)
        << linked.status().ToString();
    ASSERT_EQ(linked.status().details().size(), 2u);
    EXPECT_EQ(linked.status().details()[0].key, "import");
    EXPECT_EQ(linked.status().details()[1].value, "main");
  }
}

std::string Refused(const std::vector<std::pair<std::string, std::string_view>>& modules) {
  return LinkText(modules).status().message();
}

TEST(LinkErrorsTest, AWrongTypeIsSaidInWords) {
  EXPECT_EQ(Refused({{"library", kLibrary},
                     {"", R"((module (import "library" "f" (func (param i64) (result i32)))))"}}),
            "Import [library.f] is wanted as (i64) -> i32, but [library] exports it as (i32) -> () "
            "(incompatible import type).");
  EXPECT_EQ(
      Refused({{"library", kLibrary}, {"", R"((module (import "library" "f" (global i32))))"}}),
      "Import [library.f] is wanted as a global, i32, but [library] exports it as a function, "
      "(i32) -> () (incompatible import type).");
}

TEST(LinkErrorsTest, AllModulesAreRefusedAtOnce) {
  EXPECT_EQ(Refused({{"library", kLibrary},
                     {"middle", R"((module (import "env" "log" (func)) (import "library" "g" (func))
                        (import "last" "f" (func)) (export "log" (func 0))))"},
                     {"last", R"((module))"},
                     {"", R"((module (import "middle" "log" (func)) (import "util" "f" (func))
                        (import "library" "memory" (memory 9))))"}}),
            "Imports [env.log] of [middle] (a function, () -> ()), [library.g] of [middle] (a "
            "function, () -> ()), [last.f] of [middle] (a function, () -> ()), [util.f] (a "
            "function, () -> ()) are not provided (unknown import). Give what exports them: "
            "--module env=FILE, --module util=FILE. Or bind functions and globals: --bind "
            "env.NAME=trap, --bind util.NAME=trap (or ignore, record, host, constant:TYPE:VALUE). "
            "Given, but without these exports: [library]. A "
            "module imports from those before it only; give these earlier: [last]. Import "
            "[library.memory] is wanted as 9 or more pages, but [library] exports it as 2..4 pages "
            "(incompatible import type).");
}

TEST(LinkErrorsTest, ALaterModuleProvidesNothing) {
  EXPECT_FALSE(LinkText({{"main", R"((module (import "library" "f" (func (param i32)))))"},
                         {"library", kLibrary}})
                   .ok());
  EXPECT_FALSE(LinkText({}).ok());
}

Status RefusedMemory(std::string_view wants, std::string_view later) {
  const auto bridge = DecodeText(wants);
  const auto last = DecodeText(later);
  return Link({{"bridge", bridge, {{"last", 1}}}, {"last", last, {}}}, {}, Instantiation::kAtStart)
      .status();
}

TEST(LinkErrorsTest, OfALaterModuleOnlyAMemoryThatItDefinesIsProvided) {
  const std::string_view wants = R"((module (import "last" "memory" (memory 2 4))))";
  const auto refused = [&](std::string_view later) {
    return RefusedMemory(wants, later).message();
  };
  EXPECT_EQ(refused(R"((module (memory (export "memory") 2 4)))"), "");
  EXPECT_NE(refused(R"((module (memory (export "memory") 2)))").find("incompatible"),
            std::string::npos);
  EXPECT_NE(refused(R"((module (memory (export "memory") 1 4)))").find("incompatible"),
            std::string::npos);
  for (const char* later :
       {"(module)", R"((module (memory (export "other") 2 4)))",
        R"((module (import "host" "m" (memory 2 4)) (export "memory" (memory 0))))",
        R"((module (func (export "memory"))))"}) {
    EXPECT_NE(refused(later).find("give these earlier: [last]"), std::string::npos) << later;
  }
  EXPECT_FALSE(
      RefusedMemory(R"((module (import "last" "f" (func))))", R"((module (func (export "f"))))")
          .ok());
}

TEST(LinkErrorsTest, WhatMayHaveGrownIsTestedAtInstantiation) {
  const std::string_view grows = R"((module (memory (export "memory") 1)
    (func (export "grow") (drop (memory.grow (i32.const 1))))))";
  const std::string_view wants = R"((module (import "library" "memory" (memory 2))))";
  const auto linked = LinkText({{"library", grows}, {"main", wants}});
  ASSERT_TRUE(linked.ok()) << linked.status().ToString();
  const Body& check = (*linked)->bodies[(*linked)->instances[1].instantiate];
  EXPECT_EQ(check.instructions[0].imm, 2u * 65536 - 1);
  EXPECT_EQ(check.instructions[3].opcode, Opcode::kMemoryCopy);
}

}  // namespace
}  // namespace wb::test
