// Index spaces of linked modules, and what of their instantiation is in the initial image.

#include "compiler/link/link.h"

#include <gtest/gtest.h>

#include "compiler/compiler.h"
#include "tests/compiler/link/linked_text.h"

namespace wb::test {
namespace {

constexpr std::string_view kLibrary = R"((module
  (type $unused (func (param f64)))
  (memory (export "memory") 2 4)
  (table (export "table") 8 funcref)
  (global (export "base") i32 (i32.const 40))
  (global $counter (export "counter") (mut i64) (i64.const 7))
  (data (i32.const 8) "library")
  (func $hidden (result i32) (i32.const 1))
  (func (export "twice") (param i32) (result i32) (i32.mul (local.get 0) (i32.const 2)))))";

std::shared_ptr<const Module> Linked(const std::vector<NamedText>& modules,
                                     Instantiation when = Instantiation::kAtStart) {
  const auto linked = LinkText(modules, when);
  EXPECT_TRUE(linked.ok()) << linked.status().ToString();
  return linked.ok() ? *linked : nullptr;
}

TEST(LinkTest, WhatIsImportedHasTheIndexOfWhatIsExported) {
  const auto module = Linked({{"library", kLibrary}, {"main", R"((module
    (import "library" "twice" (func $twice (param i32) (result i32)))
    (import "library" "counter" (global $counter (mut i64)))
    (import "library" "memory" (memory 1))
    (func (export "run") (param i32) (result i32)
      (global.set $counter (i64.const 1))
      (i32.store (i32.const 0) (local.get 0))
      (call $twice (i32.load (i32.const 0))))))"}});
  ASSERT_NE(module, nullptr);
  EXPECT_TRUE(module->imports.empty());
  EXPECT_EQ(module->functions.size(), 3u);
  EXPECT_EQ(module->memories.size(), 1u);
  EXPECT_EQ(module->globals.size(), 2u);
  const Export* run = module->FindExport("run", ExternKind::kFunction);
  ASSERT_NE(run, nullptr);
  const std::vector<Instruction>& code = module->bodies[run->index].instructions;
  EXPECT_EQ(code[1].opcode, Opcode::kGlobalSet);
  EXPECT_EQ(code[1].imm, 1u);
  EXPECT_EQ(code.back().opcode, Opcode::kCall);
  EXPECT_EQ(code.back().imm, 1u);
  EXPECT_EQ(module->FindExport("twice", ExternKind::kFunction), nullptr);  // not of the last one
  EXPECT_NE(module->FindExport("twice", ExternKind::kFunction, 0), nullptr);
}

TEST(LinkTest, TheMemoryOfTheLastPartIsTheFirst) {
  const auto module = Linked({{"library", kLibrary},
                              {"other", "(module (memory 5 6))"},
                              {"main", R"((module (memory 3 9) (data (i32.const 1) "main")
                                (func (result i32) (i32.load (i32.const 0)))))"}});
  ASSERT_NE(module, nullptr);
  ASSERT_EQ(module->memories.size(), 3u);
  EXPECT_EQ(module->memories[0].limits.min, 3u);
  EXPECT_EQ(module->memories[1].limits.min, 5u);
  EXPECT_EQ(module->memories[2].limits.min, 2u);
  EXPECT_EQ(module->data[0].memory, 2u);
  EXPECT_EQ(module->data[1].memory, 0u);
  EXPECT_EQ(module->bodies.back().instructions[1].imm2, 0u);
  const auto lowered = Lower(module);
  ASSERT_TRUE(lowered.ok()) << lowered.status().ToString();
  EXPECT_EQ((*lowered)->layout.MemoryCount(), 3u);
  EXPECT_EQ((*lowered)->program.image.min_pages, 3u);
  EXPECT_EQ((*lowered)->program.image.max_pages, 9u);
}

// The first has what is reserved for it, the others what they begin with and so much more, up to
// their own maximum and the job's; one that no code grows has what it begins with.
TEST(LinkTest, EachMemoryHasAReserveOfItsOwn) {
  const auto module = Linked({{"grows", R"((module (memory 2 7)
                                (func (drop (memory.grow (i32.const 1))))))"},
                              {"fixed", "(module (memory 5))"},
                              {"main", R"((module (memory 3)
                                (func (result i32) (memory.grow (i32.const 1)))))"}});
  ASSERT_NE(module, nullptr);
  const auto lowered = Lower(module).value();
  const LaneLayout& layout = lowered->layout;
  const std::vector<MemoryBounds> bounds = {{3, 65536}, {5, 5}, {2, 7}};
  ASSERT_EQ(layout.memories, bounds);
  EXPECT_EQ(layout.globals_at,
            layout.stage_at + lowered->program.stage_words + 2 * abi::RESERVE_WORDS);
  const auto pages = [&](const MemoryReserve& reserve) {
    std::vector<uint32_t> all;
    for (uint32_t m = 0; m < layout.MemoryCount(); ++m) all.push_back(layout.PagesOf(m, reserve));
    return all;
  };
  EXPECT_EQ(pages({3, 0}), (std::vector<uint32_t>{3, 5, 2}));
  EXPECT_EQ(pages({40, 4}), (std::vector<uint32_t>{40, 5, 6}));
  EXPECT_EQ(pages({512, ~0u, 512}), (std::vector<uint32_t>{512, 5, 7}));
  EXPECT_EQ(pages({6, ~0u, 6}), (std::vector<uint32_t>{6, 5, 6}));
  EXPECT_EQ(pages({3, 9, 1}), (std::vector<uint32_t>{3, 5, 2}));  // no less than they begin with
  EXPECT_EQ(layout.MemoryAt(2, {40, 4}), layout.memory_at + 45 * kWordsPerPage);
  EXPECT_EQ(layout.MemoryWords({40, 4}), 51 * kWordsPerPage);
}

TEST(LinkTest, TheImageHoldsWhatNoInstanceCanTellFromIt) {
  const auto module = Linked({{"library", kLibrary}, {"main", R"((module
    (import "library" "memory" (memory 1)) (import "library" "table" (table 1 funcref))
    (import "library" "base" (global $base i32))
    (data (global.get $base) "main") (elem (i32.const 3) func $f) (func $f)))"}});
  ASSERT_NE(module, nullptr);
  EXPECT_FALSE(module->start.has_value());
  EXPECT_EQ(module->data[1].mode, SegmentMode::kActive);
  EXPECT_EQ(module->data[1].offset.instruction.imm, 40u);
  EXPECT_EQ(module->elements[0].elements[0].instruction.imm, 2u);
}

TEST(LinkTest, BehindAStartFunctionSharedSegmentsAreApplied) {
  const auto module =
      Linked({{"library", kLibrary},
              {"starts", "(module (func $s) (start $s))"},
              {"main", R"((module (import "library" "memory" (memory 1)) (table 2 funcref)
                                (elem (i32.const 1) func $f) (data (i32.const 0) "main") (func $f)))"}});
  ASSERT_NE(module, nullptr);
  ASSERT_TRUE(module->start.has_value());
  EXPECT_EQ(module->bodies[*module->start].instructions.size(), 2u);
  EXPECT_EQ(module->elements[0].mode, SegmentMode::kActive);  // into a table of its own
  EXPECT_EQ(module->data[1].mode, SegmentMode::kPassive);
  const Body& main = module->bodies[module->instances[2].instantiate];
  EXPECT_TRUE(main.instantiation);
  EXPECT_EQ(main.instructions[3].opcode, Opcode::kMemoryInit);
}

TEST(LinkTest, BySteppingSegmentsOfSharedTargetsWait) {
  const auto module = Linked({{"library", kLibrary}, {"main", R"((module
    (import "library" "memory" (memory 1)) (data (i32.const 0) "main")))"}},
                             Instantiation::kBySteps);
  ASSERT_NE(module, nullptr);
  EXPECT_FALSE(module->start.has_value());
  EXPECT_EQ(module->data[0].mode, SegmentMode::kActive);
  EXPECT_EQ(module->data[1].mode, SegmentMode::kPassive);
  for (uint32_t part : {0u, 1u}) {
    EXPECT_NE(module->FindExport(kInstantiateExport, ExternKind::kFunction, part), nullptr);
  }
}

// Two importers and the last part, which defines the memory, have one.
TEST(LinkTest, AMemoryOfALaterPartIsImported) {
  const auto first = DecodeText(R"((module (import "last" "m" (memory 1)) (memory 7)
    (func (export "size") (result i32) (memory.size 0))))");
  const auto second = DecodeText(R"((module (import "last" "m" (memory 1)) (memory 8)
    (data (i32.const 3) "second")))");
  const auto last = DecodeText(R"((module (import "first" "size" (func (result i32)))
    (memory 9) (memory (export "m") 5) (data (memory 1) (i32.const 0) "last")))");
  const auto linked = Link({{"first", first, {{"last", 2}}},
                            {"second", second, {{"last", 2}}},
                            {"last", last, {{"first", 0}}}},
                           {}, Instantiation::kAtStart);
  ASSERT_TRUE(linked.ok()) << linked.status().ToString();
  const Module& whole = **linked;
  ASSERT_EQ(whole.memories.size(), 4u);
  EXPECT_EQ(whole.memories[0].limits.min, 9u);  // the first of the last part
  const uint32_t shared = static_cast<uint32_t>(whole.bodies[0].instructions[0].imm);
  EXPECT_EQ(whole.memories[shared].limits.min, 5u);
  EXPECT_EQ(whole.data[0].memory, shared);
  EXPECT_EQ(whole.data[1].memory, shared);
  EXPECT_EQ(whole.data[0].mode, SegmentMode::kActive);
  const Export* exported = whole.FindExport("m", ExternKind::kMemory);
  ASSERT_NE(exported, nullptr);
  EXPECT_EQ(exported->index, shared);
  EXPECT_TRUE(Lower(*linked).ok());
}

TEST(LinkTest, AFunctionIsFoundInItsModule) {
  const auto module = Linked({{"library", kLibrary}, {"main", R"((module
    (import "library" "twice" (func (param i32) (result i32))) (func $f) (start $f)))"}});
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(module->PlaceOf(1).instance->name, "library");
  EXPECT_EQ(module->PlaceOf(1).function, 1u);
  EXPECT_EQ(module->PlaceOf(2).instance->name, "main");
  EXPECT_EQ(module->PlaceOf(2).function, 1u);  // behind the imported one
  EXPECT_EQ(module->PlaceOf(3).instance->name, "main");
  EXPECT_FALSE(module->PlaceOf(3).function.has_value());
}

TEST(LinkTest, ATrapOfModulesWithoutFunctionsIsPlacedToo) {
  const auto module = Linked({{"library", "(module (memory 1))"},
                              {"main", R"((module (memory 1) (data (i32.const 65536) "x")))"}});
  ASSERT_NE(module, nullptr);
  ASSERT_TRUE(module->start.has_value());
  const uint32_t instantiate = module->instances[1].instantiate;
  ASSERT_NE(instantiate, 0u);
  EXPECT_EQ(module->PlaceOf(instantiate).instance->name, "main");
  EXPECT_FALSE(module->PlaceOf(instantiate).function.has_value());
}

TEST(LinkTest, InstantiationCostsTheStartFunctionAlone) {
  const auto module = Linked({{"library", kLibrary}, {"main", R"((module
    (import "library" "memory" (memory 1))
    (func $f (drop (i32.const 1))) (start $f) (data (i32.const 0) "ma")))"}},
                             Instantiation::kBySteps);
  const auto lowered = Lower(module);
  ASSERT_TRUE(lowered.ok()) << lowered.status().ToString();
  const ir::Program& program = (*lowered)->program;
  const ir::Function& instantiate = program.function(module->instances[1].instantiate);
  EXPECT_TRUE(instantiate.bounded);
  EXPECT_EQ(instantiate.stack_slots, 0u);
  EXPECT_EQ(instantiate.worst_cost, program.function(2).worst_cost);
}

TEST(LinkTest, ExtendedConstantsOfImportedGlobalsAreKnown) {
  const auto module = Linked({{"library", kLibrary},
                              {"main", R"((module
    (import "library" "base" (global $base i32)) (import "library" "memory" (memory 1))
    (global $next i32 (i32.add (global.get $base) (i32.const 2)))
    (export "next" (global $next))
    (data (i32.mul (global.get $base) (i32.const 3)) "at 120")))"},
                              {"last", R"((module (import "main" "next" (global $next i32))
    (global i32 (i32.sub (global.get $next) (i32.const 50)))))"}});
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(module->data.back().offset.instruction.imm, 120u);
  EXPECT_EQ(module->globals[2].init.instruction.imm, 42u);
  EXPECT_EQ(module->globals[3].init.instruction.imm, 0xfffffff8u);
  EXPECT_TRUE(module->longer_expressions.empty());
}

TEST(LinkTest, PartsMayHaveSeveralMemories) {
  const auto module = Linked({{"library", kLibrary}, {"main", R"((module
    (import "library" "memory" (memory $theirs 1)) (memory $own 3) (memory $other 1)
    (func (export "run") (memory.copy $own $theirs (i32.const 0) (i32.const 1) (i32.const 9)))))"}});
  ASSERT_NE(module, nullptr);
  ASSERT_EQ(module->memories.size(), 3u);
  const Export* run = module->FindExport("run", ExternKind::kFunction);
  const Instruction& copy = module->bodies[run->index].instructions.back();
  EXPECT_EQ(copy.imm, 1u);
  EXPECT_EQ(copy.imm2, 0u);
}

}  // namespace
}  // namespace wb::test
