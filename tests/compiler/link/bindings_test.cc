// Bindings: which imports they are for, what they stand for, and how wrong ones are refused.

#include "compiler/link/bindings.h"

#include <gtest/gtest.h>

#include "compiler/link/bundle.h"
#include "tests/compiler/link/linked_text.h"

namespace wb::test {
namespace {

using Way = Binding::Way;

constexpr std::string_view kMain = R"((module
  (import "env" "now" (func (result i64)))
  (import "env" "print" (func (param i32 f64)))
  (import "env" "base" (global i32))
  (import "env" "heap" (memory 1))
  (import "a.b" "c" (func (param externref)))
  (import "library" "f" (func))
  (import "wasi_snapshot_preview1" "fd_close" (func (param i32) (result i32)))
  (import "wasmburst" "exit" (func (param i32)))))";

NamedModules Modules() {
  return {{"library", DecodeText(R"((module (func (export "f"))))")}, {"", DecodeText(kMain)}};
}

BoundValue I32(uint32_t bits) { return {ValueType::kI32, bits}; }
BoundValue I64(uint64_t bits) { return {ValueType::kI64, bits}; }

struct Case {
  std::vector<Binding> bindings;
  const char* why;
};

TEST(BindingsTest, WrongOnesAreRefusedByName) {
  const Case cases[] = {
      {{{"env.nothing", Way::kTrap, {}}}, "[env.nothing] binds nothing"},
      {{{"env.nothing", Way::kTrap, {}}}, "Missing are [a.b.c], [env.base]"},
      {{{"other.*", Way::kTrap, {}}}, "[other.*] binds nothing"},
      {{{"env.now", Way::kTrap, {}}, {"env.now", Way::kIgnore, {}}}, "[env.now] is given twice"},
      {{{"library.f", Way::kTrap, {}}}, "is for what a module of the job gives"},
      {{{"wasi_snapshot_preview1.fd_close", Way::kTrap, {}}}, "cannot be bound"},
      {{{"wasmburst.exit", Way::kTrap, {}}}, "cannot be bound"},
      {{{"env.now", Way::kConstant, {I32(1)}}}, "gives (i32), but [env.now] is a function"},
      {{{"env.now", Way::kConstant, {}}},
       "gives (), but [env.now] is a function of the type () -> (i64)"},
      {{{"env.now", Way::kRecord, {I64(1), I64(1)}}}, "gives (i64, i64)"},
      {{{"env.base", Way::kConstant, {I64(1)}}}, "gives (i64), but [env.base] is a global"},
      {{{"env.base", Way::kTrap, {}}}, "is bound to a constant: constant:i32:VALUE"},
      {{{"env.heap", Way::kTrap, {}}}, "--module env=FILE"},
      {{{"a.b.c", Way::kRecord, {}}}, "records no references"},
  };
  for (const Case& item : cases) {
    const auto bound = BindModules(Modules(), item.bindings);
    ASSERT_FALSE(bound.ok()) << item.why;
    EXPECT_EQ(bound.status().reason(), Reason::kInvalidArgument);
    EXPECT_NE(bound.status().message().find(item.why), std::string::npos)
        << bound.status().message();
  }
}

TEST(BindingsTest, AWholeNameCountsBeforeAPattern) {
  const auto bound = BindModules(Modules(), {{"*", Way::kIgnore, {}},
                                             {"env.base", Way::kConstant, {I32(7)}},
                                             {"env.print", Way::kRecord, {}}});
  ASSERT_TRUE(bound.ok()) << bound.status().message();
  ASSERT_EQ(bound->modules.size(), 4u);
  EXPECT_EQ(bound->is_bound, (std::vector<bool>{true, true, false, false}));
  EXPECT_EQ(bound->modules[0].first, "a.b");
  EXPECT_EQ(bound->modules[1].first, "env");
  const Module& env = *bound->modules[1].second;
  ASSERT_EQ(env.globals.size(), 1u);
  EXPECT_EQ(env.globals[0].init.instruction.imm, 7u);
  EXPECT_NE(env.FindExport("now", ExternKind::kFunction), nullptr);
  EXPECT_EQ(env.FindExport("heap", ExternKind::kMemory), nullptr);
  ASSERT_EQ(bound->recorded.size(), 1u);
  EXPECT_EQ(bound->recorded[0].name, "env.print");
  EXPECT_EQ(bound->recorded[0].params, (std::vector{ValueType::kI32, ValueType::kF64}));
}

LookupTable Squares(uint32_t rows) {
  LookupTable table{{{ValueType::kI32}, {ValueType::kI64}}, {}};
  for (uint64_t i = rows; i > 0; --i) {
    table.cells.insert(table.cells.end(), {i - 1, (i - 1) * (i - 1)});
  }
  return table;
}

TEST(BindingsTest, ALookUpThatDoesNotFitIsRefused) {
  const NamedModules modules = {{"", DecodeText(R"((module
    (import "env" "square" (func (param i32) (result i64)))
    (import "env" "other" (func (param i64) (result i64)))))")}};
  LookupTable repeated = Squares(40);
  repeated.cells[0] = 5;
  const std::pair<Binding, const char*> cases[] = {
      {{"env.*", Way::kLookup, {}, {}, Squares(3)}, "looks up the results of one function"},
      {{"env.other", Way::kLookup, {}, {}, Squares(3)},
       "looks up (i32) -> (i64), but [env.other] is a function of the type (i64) -> (i64)"},
      {{"env.square", Way::kLookup, {I32(1)}, {}, Squares(3)}, "gives (i32) where no row fits"},
      {{"env.square", Way::kLookup, {}, {}, repeated}, "the same arguments in rows [1] and [35]"},
      {{"env.square", Way::kLookup, {}, {}, Squares(65'537)},
       "it may have [65536], and 4 MiB in all"},
  };
  for (const auto& [binding, why] : cases) {
    const Status status = BindModules(modules, {binding}).status();
    EXPECT_EQ(status.reason(), Reason::kInvalidArgument) << why;
    EXPECT_NE(status.message().find(why), std::string::npos) << status.message();
  }
}

TEST(BindingsTest, OnlyALookUpOfManyRowsHasAMemory) {
  const NamedModules modules = {
      {"", DecodeText(R"((module (import "env" "square" (func (param i32) (result i64)))))")}};
  for (const auto& [rows, memories] : {std::pair{16u, 0u}, {17u, 1u}, {65'536u, 1u}}) {
    const auto bound = BindModules(modules, {{"env.square", Way::kLookup, {}, {}, Squares(rows)}});
    ASSERT_TRUE(bound.ok()) << bound.status().message();
    const Module& made = *bound->modules[0].second;
    ASSERT_EQ(made.memories.size(), memories) << rows;
    if (memories == 0) continue;
    EXPECT_EQ(made.data[0].bytes.size(), rows * 12u);
    EXPECT_EQ(made.memories[0].limits.max, (rows * 12u + 65'535) / 65'536);
  }
}

TEST(BindingsTest, WhatIsBoundLinksAndTheRestIsListedWithItsWayOut) {
  const NamedModules modules = {{"", DecodeText(R"((module
    (import "env" "one" (func (param v128 f32) (result i32 f64 v128 funcref)))
    (import "env" "two" (func)) (import "env" "level" (global (mut f32)))))")}};
  const auto bound = BindModules(modules, {{"env.one", Way::kIgnore, {}},
                                           {"env.level", Way::kConstant, {{ValueType::kF32, 5}}}});
  ASSERT_TRUE(bound.ok()) << bound.status().message();
  const auto linked = Link(PartsOf(*bound), {}, Instantiation::kAtStart);
  ASSERT_FALSE(linked.ok());
  EXPECT_EQ(linked.status().message(),
            "Import [env.two] (a function, () -> ()) is not provided (unknown import). Give what "
            "exports them: --module env=FILE. Or bind functions and globals: --bind env.NAME=trap "
            "(or ignore, record, host, constant:TYPE:VALUE, lookup:FILE.csv).");
}

TEST(BindingsTest, AModuleMayGiveAPartOfWhatIsImportedFromIt) {
  const NamedModules modules = {
      {"env",
       DecodeText(R"((module (memory (export "memory") 2 3) (table (export "table") 4 funcref)
        (global (export "g") (mut i64) (i64.const 9)) (func (export "f") (param i32) (result f32)
          (f32.const 0))))")},
      {"", DecodeText(R"((module (import "env" "abort" (func $abort))
        (import "env" "f" (func (param i32) (result f32))) (import "env" "memory" (memory 2))
        (import "env" "table" (table 4 funcref)) (import "env" "g" (global (mut i64)))
        (import "env" "base" (global i32)) (func (export "run") call $abort)))")}};
  const auto bound = BindModules(
      modules, {{"env.abort", Way::kRecord, {}}, {"env.base", Way::kConstant, {I32(3)}}});
  ASSERT_TRUE(bound.ok()) << bound.status().message();
  EXPECT_EQ(bound->is_bound, (std::vector<bool>{false, true, false}));
  const auto linked = Link(PartsOf(*bound), {}, Instantiation::kAtStart);
  ASSERT_TRUE(linked.ok()) << linked.status().message();
  EXPECT_EQ((*linked)->memories.size(), 1u);
  EXPECT_EQ((*linked)->tables.size(), 1u);
  EXPECT_EQ((*linked)->globals.size(), 2u);
  const auto again = LoadModule((*linked)->binary());
  ASSERT_TRUE(again.ok()) << again.status().message();
  EXPECT_EQ((*again)->digest(), (*linked)->digest());
}

constexpr std::string_view kAsking = R"((module
  (import "env" "ask" (func $ask (param i32 i64) (result f64)))
  (import "env" "vector" (func (param v128)))
  (import "env" "tick" (func $tick))
  (memory (export "memory") 1)
  (func (export "run") (drop (call $ask (i32.const 1) (i64.const 2))) (call $tick))))";

TEST(BindingsTest, WhatTheCallerAnswersMeansTheMemoryOfTheModuleThatImportsIt) {
  const NamedModules modules = {{"", DecodeText(kAsking)}};
  const auto bound =
      BindModules(modules, {{"env.ask", Way::kHost, {}, {{0, CallBytes::Length::kConstant, 8}}},
                            {"env.*", Way::kIgnore, {}, {}}});
  ASSERT_TRUE(bound.ok()) << bound.status().message();
  ASSERT_EQ(bound->host.size(), 1u);
  EXPECT_EQ(bound->host[0].name, "env.ask");
  EXPECT_EQ(bound->host[0].type.ToString(), "(i32, i64) -> (f64)");
  EXPECT_TRUE(bound->host[0].has_memory);
  const auto linked = Link(PartsOf(*bound), {}, Instantiation::kAtStart);
  ASSERT_TRUE(linked.ok()) << linked.status().message();
  EXPECT_EQ((*linked)->memories.size(), 1u);
  size_t asking = 0;
  for (const Body& body : (*linked)->bodies) {
    if (body.primitive != Primitive::kHostCall) continue;
    ++asking;
    EXPECT_EQ(body.host_import, 0u);
    EXPECT_EQ(body.primitive_memory, 0u);
  }
  EXPECT_EQ(asking, 1u);
  const auto again = LoadModule((*linked)->binary());
  ASSERT_TRUE(again.ok()) << again.status().message();
  EXPECT_EQ((*again)->digest(), (*linked)->digest());
}

TEST(BindingsTest, WhatTheCallerCannotAnswerIsRefusedByName) {
  const Case cases[] = {
      {{{"env.vector", Way::kHost, {}, {}}}, "[env.vector] is a function of the type (v128) -> ()"},
      {{{"env.ask", Way::kHost, {}, {{2, CallBytes::Length::kUntilZero, 0}}}},
       "where the argument [2] says, which is no i32"},
      {{{"env.ask", Way::kHost, {}, {{0, CallBytes::Length::kArgument, 1}}}},
       "where the argument [1] says, which is no i32"},
  };
  for (const Case& item : cases) {
    const auto bound = BindModules({{"", DecodeText(kAsking)}}, item.bindings);
    ASSERT_FALSE(bound.ok()) << item.why;
    EXPECT_NE(bound.status().message().find(item.why), std::string::npos)
        << bound.status().message();
  }
  const NamedModules two = {{"first", DecodeText(kAsking)}, {"", DecodeText(kAsking)}};
  const Status status = BindModules(two, {{"env.ask", Way::kHost, {}, {}}}).status();
  EXPECT_NE(status.message().find("another module imports [env.ask] too"), std::string::npos)
      << status.message();
  const NamedModules bare = {
      {"", DecodeText(R"((module (import "env" "ask" (func (param i32)))))")}};
  const Status no_memory =
      BindModules(bare, {{"env.ask", Way::kHost, {}, {{0, CallBytes::Length::kUntilZero, 0}}}})
          .status();
  EXPECT_NE(no_memory.message().find("defines and exports no memory 0"), std::string::npos);
}

}  // namespace
}  // namespace wb::test
