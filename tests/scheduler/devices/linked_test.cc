// Linked modules on every engine: memories, tables and globals shared or not, instantiation,
// growth.

#include <gtest/gtest.h>

#include "compiler/link/link.h"
#include "tests/compiler/wasm/assemble.h"
#include "tests/scheduler/devices/rig.h"

namespace wb::test {
namespace {

using Texts = std::vector<std::pair<std::string, std::string_view>>;

std::shared_ptr<const LoweredModule> LowerLinked(const Texts& texts, Instantiation when) {
  std::vector<std::pair<std::string, std::shared_ptr<const Module>>> modules;
  for (const auto& [name, wat] : texts) {
    modules.emplace_back(name, Module::Decode(MustAssemble(wat)).value());
  }
  return Lower(Link(PartsByName(modules), {}, when).value()).value();
}

constexpr std::string_view kHeap = R"((module
  (memory (export "memory") 1 6) (data (i32.const 100) "heap")
  (global (export "top") (mut i32) (i32.const 1000))
  (func (export "grow") (param i32) (result i32) (memory.grow (local.get 0)))
  (func (export "fill") (param i32)
    (memory.fill (i32.const 60000) (local.get 0) (i32.const 5000))
    (memory.copy (i32.const 50000) (i32.const 60000) (i32.const 5000)))
  (func (export "load") (param i32) (result i32) (i32.load (local.get 0)))))";

constexpr std::string_view kMain = R"((module
  (import "heap" "grow" (func $grow (param i32) (result i32)))
  (import "heap" "fill" (func $fill (param i32)))
  (import "heap" "load" (func $load (param i32) (result i32)))
  (import "heap" "top" (global $top (mut i32)))
  (memory 2 4) (data (i32.const 100) "main") (data $more "0123456789")
  (func $sum (param $n i32) (result i32) (local $i i32) (local $s i32)
    (loop $l
      (i32.store8 (i32.add (local.get $i) (i32.const 7)) (local.get $i))
      (local.set $s (i32.add (i32.mul (local.get $s) (i32.const 31))
        (i32.add (call $load (local.get $i)) (i32.load (local.get $i)))))
      (local.set $i (i32.add (local.get $i) (i32.const 3)))
      (br_if $l (i32.lt_u (local.get $i) (local.get $n))))
    (local.get $s))
  (func (export "run") (param $n i32) (result i32)
    (local $s i32)
    (call $fill (local.get $n))
    (memory.init $more (i32.const 131060) (i32.const 0) (i32.const 10))
    (local.set $s (call $grow (i32.and (local.get $n) (i32.const 7))))
    (local.set $s (i32.add (local.get $s) (i32.mul (memory.grow (i32.const 1)) (i32.const 10))))
    (local.set $s (i32.add (local.get $s) (i32.mul (memory.size) (i32.const 100))))
    (global.set $top (i32.add (global.get $top) (local.get $s)))
    (i32.add (global.get $top) (call $sum (i32.const 120))))
  (func (export "beyond") (param i32) (result i32)
    (call $load (i32.sub (i32.shl (i32.and (local.get 0) (i32.const 7)) (i32.const 16))
      (i32.const 4))))))";

void ExpectEqualEverywhere(const Work& work) {
  const auto expected = Records(Interpreter(), work);
  for (const NamedDevice& engine : Engines()) {
    EXPECT_EQ(Records(*engine.device, work), expected) << engine.name;
    EXPECT_EQ(Records(*engine.device, work, {1, 3}), expected) << engine.name << " in slices";
  }
}

TEST(LinkedTest, TwoMemoriesOnEveryEngine) {
  Work work = WorkOf(LowerLinked({{"heap", kHeap}, {"main", kMain}}, Instantiation::kAtStart));
  CallStep beyond = Call("beyond", {ColumnArg(0)}, /*go_on=*/true);
  work.steps = {Call("run", {ColumnArg(0)}), Call("run", {ColumnArg(0)}), beyond, Read(96, 16)};
  work.output_bytes = 16;
  ExpectEqualEverywhere(work);
  const auto records = Records(Cpu(), work);
  const Record record = RecordOf(records, work.Shape(), 1);
  EXPECT_EQ(record.end, static_cast<uint32_t>(End::kReturned));
  EXPECT_EQ(record.pages, 4u);  // of the last module's memory
}

TEST(LinkedTest, SecondInstancesFindCleanMemories) {
  Work work = WorkOf(LowerLinked({{"heap", kHeap}, {"main", kMain}}, Instantiation::kAtStart));
  work.steps = {Call("run", {ColumnArg(0)})};
  for (const NamedDevice& engine : Engines()) {
    const auto dispatch = Seat(*engine.device, LoadOn(*engine.device, work.module), work);
    RunToEnd(*engine.device, *dispatch);
    const size_t words = dispatch->shape().RecordWords();
    const std::vector<uint32_t> first = OfInstances(dispatch->records(), words);
    for (uint32_t lane = 0; lane < work.lanes; ++lane) {
      MarkStart(dispatch->records().subspan(lane * words));
    }
    RunToEnd(*engine.device, *dispatch);
    EXPECT_EQ(OfInstances(dispatch->records(), words), first) << engine.name;
  }
}

TEST(LinkedTest, AReserveThatIsTooSmallForAnyMemoryEndsTheAttempt) {
  Work work = WorkOf(LowerLinked({{"heap", kHeap}, {"main", kMain}}, Instantiation::kAtStart), 4);
  work.steps = {Call("run", {ColumnArg(0)})};
  work.max_pages = 6;
  const uint32_t heap = 1u << abi::WANTED_MEMORY_SHIFT;
  struct Case {
    uint32_t pages, further_pages, wanted;
  };
  // Lane 3: the main module's memory grows from 2 pages to 3, the heap from 1 page to 4.
  for (const Case& one : {Case{1, 6, 0}, {2, 6, 3}, {6, 0, heap | 4}, {6, 2, heap | 4}}) {
    work.capacity_pages = one.pages;
    work.further_pages = one.further_pages;
    for (const NamedDevice& engine : Engines()) {
      const auto records = Records(*engine.device, work);
      const uint32_t* record = &records[3 * work.Shape().RecordWords()];
      EXPECT_EQ(record[abi::RECORD_SEAT], uint32_t{abi::SEAT_NEEDS_MEMORY}) << engine.name;
      EXPECT_EQ(record[abi::RECORD_WANTED_PAGES], one.wanted) << engine.name;
    }
  }
}

// Nothing of a memory lies in another one's reserve: all that is there is written and read again.
TEST(LinkedTest, JustEnoughOfEach) {
  Work work = WorkOf(LowerLinked({{"heap", kHeap}, {"main", kMain}}, Instantiation::kAtStart), 4);
  work.steps = {Call("run", {ColumnArg(0)}), Call("fill", {Arg(0xe7)}), Call("run", {Arg(0)}, true),
                Read(131000, 65608)};
  std::get<CallStep>(work.steps[1]).instance = "heap";
  work.output_bytes = 65608;
  const auto wanted = Records(Interpreter(), work);
  work.capacity_pages = 4;
  work.further_pages = 3;
  const uint64_t pages = work.module->layout.MemoryWords(work.Shape().Reserve()) / kWordsPerPage;
  EXPECT_EQ(pages, 8u);
  for (const NamedDevice& engine : Engines()) {
    EXPECT_EQ(Records(*engine.device, work), wanted) << engine.name;
    EXPECT_EQ(Records(*engine.device, work, {1, 3}), wanted) << engine.name << " in slices";
  }
}

// The second module's segments and start function act on the first one's table and memory; its
// second data segment does not fit, and what came before stays.
constexpr std::string_view kHolder = R"((module
  (memory (export "memory") 1) (table (export "table") 4 funcref)
  (type $f (func (result i32)))
  (func (export "call") (param i32) (result i32) (call_indirect (type $f) (local.get 0)))
  (func (export "load") (param i32) (result i32) (i32.load8_u (local.get 0)))))";
constexpr std::string_view kGuest = R"((module
  (import "holder" "memory" (memory 1)) (import "holder" "table" (table 1 funcref))
  (global $g (mut i32) (i32.const 70))
  (elem (i32.const 1) func $f $f)
  (data (i32.const 5) "abc") (data (i32.const 65535) "zz")
  (func $f (result i32) (global.set $g (i32.add (global.get $g) (i32.const 1))) (global.get $g))))";

TEST(LinkedTest, ATrapInInstantiationLeavesWhatCameBefore) {
  Work work =
      WorkOf(LowerLinked({{"holder", kHolder}, {"guest", kGuest}}, Instantiation::kBySteps));
  const auto step = [](std::string instance, std::string function, std::vector<Operand> args) {
    CallStep call = Call(std::move(function), std::move(args), /*go_on=*/true);
    call.instance = std::move(instance);
    return call;
  };
  const std::string instantiate(kInstantiateExport);
  work.steps = {step("holder", instantiate, {}),  step("holder", "call", {Arg(1)}),
                step("holder", "load", {Arg(5)}), step("guest", instantiate, {}),
                step("holder", "call", {Arg(1)}), step("holder", "call", {Arg(2)}),
                step("holder", "load", {Arg(6)}), step("holder", "load", {Arg(65535)})};
  ExpectEqualEverywhere(work);
  const EncodedProgram program = work.Encode();
  const Record record = RecordOf(Records(Cpu(), work), work.Shape(), 0);
  const auto result = [&](size_t at) { return record.registers[program.steps[at].results_at]; };
  const auto trap = [&](size_t at) {
    return static_cast<Trap>(record.registers[program.steps[at].trap_at]);
  };
  EXPECT_EQ(trap(1), Trap::kUninitializedElement);
  EXPECT_EQ(result(2), 0u);
  EXPECT_EQ(trap(3), Trap::kOutOfBoundsMemory);
  EXPECT_EQ(result(4), 71u);
  EXPECT_EQ(result(5), 72u);
  EXPECT_EQ(result(6), uint32_t{'b'});
  EXPECT_EQ(result(7), 0u);
  const FunctionPlace place =
      work.module->program.module->PlaceOf(record.registers[program.steps[3].trap_at + 1]);
  ASSERT_NE(place.instance, nullptr);
  EXPECT_EQ(place.instance->name, "guest");
  EXPECT_FALSE(place.function.has_value());
}

constexpr std::string_view kGiver = R"((module
  (func $f (result i32) (i32.const 71))
  (global (export "f") funcref (ref.func $f)) (global (export "null") funcref (ref.null func))))";

// The elements' globals are written as functions, since wabt's text has no such globals.
constexpr std::string_view kTaker = R"((module
  (import "giver" "f" (global funcref)) (import "giver" "null" (global funcref))
  (type $t (func (result i32))) (table $a 4 funcref) (table $b 4 funcref)
  (elem (table $a) (i32.const 1) funcref (item (ref.func 0)) (item (ref.func 1)) (item (ref.null func)))
  (elem $later funcref (item (ref.func 1)) (item (ref.func 0)) (item (ref.null func)))
  (func $x (result i32) (i32.const 1)) (func $y (result i32) (i32.const 2))
  (elem declare func $x)
  (func (export "init") (table.init $b $later (i32.const 0) (i32.const 0) (i32.const 2)))
  (func (export "a") (param i32) (result i32)
    (call_indirect $a (type $t) (i32.and (local.get 0) (i32.const 3))))
  (func (export "b") (param i32) (result i32)
    (call_indirect $b (type $t) (i32.and (local.get 0) (i32.const 3))))))";

TEST(LinkedTest, ImportedGlobalsAsElements) {
  Bytes taker = MustAssemble(kTaker);
  size_t globals = 0;
  for (size_t at = 0; at + 2 < taker.size(); ++at) {
    if (taker[at] != 0xd2 || taker[at + 1] > 1 || taker[at + 2] != 0x0b) continue;
    taker[at] = 0x23;
    ++globals;
  }
  ASSERT_EQ(globals, 4u);
  const std::vector<std::pair<std::string, std::shared_ptr<const Module>>> modules = {
      {"giver", Module::Decode(MustAssemble(kGiver)).value()},
      {"taker", Module::Decode(taker).value()}};
  Work work =
      WorkOf(Lower(Link(PartsByName(modules), {}, Instantiation::kAtStart).value()).value());
  const auto call = [](const char* name, uint32_t at) { return Call(name, {Arg(at)}, true); };
  work.steps = {call("a", 1), call("a", 2), Call("init", {}), call("b", 0), call("b", 1)};
  ExpectEqualEverywhere(work);
  const EncodedProgram program = work.Encode();
  const Record record = RecordOf(Records(Cpu(), work), work.Shape(), 0);
  EXPECT_EQ(record.registers[program.steps[0].results_at], 71u);
  EXPECT_EQ(static_cast<Trap>(record.registers[program.steps[1].trap_at]),
            Trap::kUninitializedElement);
  EXPECT_EQ(static_cast<Trap>(record.registers[program.steps[3].trap_at]),
            Trap::kUninitializedElement);
  EXPECT_EQ(record.registers[program.steps[4].results_at], 71u);
}

}  // namespace
}  // namespace wb::test
