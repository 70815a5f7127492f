// Lane programs that follow pointers, on every engine: results behind a pointer, exported pointers,
// lengths of bytes, loads that are out of bounds.

#include <gtest/gtest.h>

#include <cstring>

#include "compiler/link/link.h"
#include "tests/compiler/wasm/assemble.h"
#include "tests/scheduler/devices/rig.h"

namespace wb::test {
namespace {

Operand Global(const std::string& name, uint32_t added = 0, const std::string& instance = "") {
  Operand operand{Operand::Source::kGlobal, Value::I32(added)};
  operand.global = std::make_shared<GlobalName>(GlobalName{name, instance});
  return operand;
}
Operand Load(const Operand& pointer, uint32_t added = 0) {
  Operand operand{Operand::Source::kLoad32, Value::I32(added)};
  operand.pointer = std::make_shared<Operand>(pointer);
  return operand;
}
Operand ResultOf(uint32_t step, uint32_t added = 0) {
  return {Operand::Source::kResult, Value::I32(added), 0, step, 0};
}

ReadStep ReadAt(Operand pointer, Operand length) {
  return {std::move(pointer), std::move(length), "output"};
}

std::string OutputOf(const std::vector<uint32_t>& records, const Work& work, uint32_t lane) {
  const DispatchShape shape = work.Shape();
  const Record record = RecordOf(records, shape, lane);
  const auto* bytes = reinterpret_cast<const char*>(record.registers.data() + shape.register_words);
  return std::string(bytes, record.out_bytes);
}

// The interpreter's records, which every engine and every slicing must give.
std::vector<uint32_t> RecordsEverywhere(const Work& work) {
  std::vector<uint32_t> expected = Records(Interpreter(), work);
  for (const NamedDevice& engine : Engines()) {
    EXPECT_EQ(Records(*engine.device, work), expected) << engine.name;
    EXPECT_EQ(Records(*engine.device, work, {1, 3}), expected) << engine.name << " in slices";
  }
  return expected;
}

// As wasm-bindgen returns a String: pointer and length at an address that the caller gives.
constexpr std::string_view kBehindAPointer = R"((module (memory 1)
  (global $top (mut i32) (i32.const 1024))
  (func (export "__wbindgen_add_to_stack_pointer") (param i32) (result i32)
    (global.set $top (i32.add (global.get $top) (local.get 0)))
    (global.get $top))
  (func (export "greet") (param $at i32) (param $n i32) (local $i i32)
    (loop $l
      (i32.store8 (i32.add (i32.const 2000) (local.get $i))
        (i32.add (i32.const 97) (i32.rem_u (i32.add (local.get $n) (local.get $i)) (i32.const 26))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $l (i32.lt_u (local.get $i) (i32.add (local.get $n) (i32.const 1)))))
    (i32.store (local.get $at) (i32.const 2000))
    (i32.store offset=4 (local.get $at) (local.get $i)))))";

TEST(PointersTest, AStringBehindAPointer) {
  Work work = WorkOf(LowerText(kBehindAPointer));
  work.output_bytes = 64;
  work.steps = {Call("__wbindgen_add_to_stack_pointer", {Arg(static_cast<uint32_t>(-16))}),
                Call("greet", {ResultOf(0), ColumnArg(0)}),
                ReadAt(Load(ResultOf(0)), Load(ResultOf(0, 4)))};
  const auto records = RecordsEverywhere(work);
  EXPECT_EQ(OutputOf(records, work, 0), "a");
  EXPECT_EQ(OutputOf(records, work, 3), "defg");
  EXPECT_EQ(OutputOf(records, work, 32).size(), 33u);
}

// A structure of two words, as AssemblyScript's typed arrays: a pointer that was loaded, and a
// length.
TEST(PointersTest, AStructureOfPointersIsStored) {
  Work work = WorkOf(LowerText(kBehindAPointer));
  work.output_bytes = 64;
  work.steps = {Call("greet", {Arg(512), ColumnArg(0)}),
                Call("__wbindgen_add_to_stack_pointer", {Arg(static_cast<uint32_t>(-16))}),
                StoreStep{ResultOf(1, 1), Load(Arg(512))}, StoreStep{ResultOf(1, 5), ColumnArg(0)},
                ReadAt(Load(ResultOf(1, 1)), Load(ResultOf(1, 5)))};
  const auto records = RecordsEverywhere(work);
  EXPECT_EQ(OutputOf(records, work, 0), "");
  EXPECT_EQ(OutputOf(records, work, 3), "def");
  EXPECT_EQ(OutputOf(records, work, 32).size(), 32u);
}

// As C returns a text: it ends with a zero byte.
TEST(PointersTest, ATextThatEndsWithAZero) {
  Work work = WorkOf(LowerText(R"((module (memory 1)
    (data (i32.const 1001) "ab\00one\00a longer text\00")
    (func (export "text") (param i32) (result i32)
      (i32.add (i32.const 1001)
        (i32.mul (i32.rem_u (local.get 0) (i32.const 3)) (i32.const 3))))))"));
  work.output_bytes = 64;
  ReadStep read = ReadAt(ResultOf(0), Arg(6));
  read.until_zero = true;
  work.steps = {Call("text", {ColumnArg(0)}), read};
  const auto records = RecordsEverywhere(work);
  EXPECT_EQ(OutputOf(records, work, 0), "ab");
  EXPECT_EQ(OutputOf(records, work, 1), "one");
  EXPECT_EQ(OutputOf(records, work, 2), "");
}

// As AssemblyScript programs export the places of their buffers.
constexpr std::string_view kExportedPointers = R"((module (memory 1)
  (global (export "input") i32 (i32.const 256))
  (global $output (export "output") (mut i32) (i32.const 0))
  (global $length (export "length") (mut i64) (i64.const 0))
  (global $wide (export "wide") (mut v128) (v128.const i32x4 1 2 3 4))
  (global $real (export "real") (mut f64) (f64.const 0.5))
  (func (export "double") (param $n i32) (local $i i32)
    (global.set $output (i32.add (i32.const 512) (local.get $n)))
    (global.set $length (i64.extend_i32_u (i32.mul (local.get $n) (i32.const 2))))
    (loop $l
      (if (i32.lt_u (local.get $i) (i32.wrap_i64 (global.get $length))) (then
        (i32.store8 (i32.add (global.get $output) (local.get $i))
          (i32.load8_u (i32.add (i32.const 256) (i32.shr_u (local.get $i) (i32.const 1)))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $l)))))
  (func (export "numbers") (param i64 v128 f64) (result i64 i32 f64)
    (local.get 0) (i32x4.extract_lane 3 (local.get 1)) (local.get 2))
  (func (export "small") (param i64) (result i32) (i32.wrap_i64 (local.get 0)))))";

// Each lane has its number as so many of the letters "abc...", up to eight.
Work BytesWork(std::shared_ptr<const LoweredModule> module) {
  Work work = WorkOf(std::move(module));
  work.bytes_columns = 1;
  work.blob_bytes = 64;
  work.columns.resize(3);
  for (uint32_t lane = 0; lane < work.lanes; ++lane) {
    work.columns[1].push_back(lane % 3);
    work.columns[2].push_back(lane % 8);
  }
  return work;
}

std::vector<uint32_t> BytesRecords(Device& device, const Work& work) {
  const auto dispatch = Seat(device, LoadOn(device, work.module), work);
  std::memcpy(dispatch->blob().data(), "abcdefghijklmnop", 16);
  RunToEnd(device, *dispatch);
  return OfInstances(dispatch->records(), dispatch->shape().RecordWords());
}

TEST(PointersTest, BuffersBehindExportedGlobalsAndALengthOfBytes) {
  Work work = BytesWork(LowerText(kExportedPointers));
  work.output_bytes = 64;
  const Operand length{Operand::Source::kColumnLength, {}, 1};
  work.steps = {WriteStep{Global("input"), 1}, Call("double", {length}),
                Call("small", {Global("length")}), ReadAt(Global("output"), ResultOf(2)),
                Call("numbers", {Global("length"), Global("wide"), Global("real")})};
  const auto expected = BytesRecords(Interpreter(), work);
  for (const NamedDevice& engine : Engines()) {
    EXPECT_EQ(BytesRecords(*engine.device, work), expected) << engine.name;
  }
  EXPECT_EQ(OutputOf(expected, work, 0), "");
  EXPECT_EQ(OutputOf(expected, work, 2), "ccdd");
  EXPECT_EQ(OutputOf(expected, work, 31), "bbccddeeffgghh");
  const Record record = RecordOf(expected, work.Shape(), 31);
  const std::vector<uint32_t> numbers(record.registers.begin() + 3, record.registers.begin() + 8);
  EXPECT_EQ(numbers, (std::vector<uint32_t>{14, 0, 4, 0, 0x3fe00000}));
}

TEST(PointersTest, PointersToPointers) {
  constexpr std::string_view kChain = R"((module (memory 1)
    (data (i32.const 16) "\20\00\00\00") (data (i32.const 40) "\fe\ff\00\00")
    (data (i32.const 65530) "0123\40")
    (func (export "run") (param i32 i32) (result i32) (i32.add (local.get 0) (local.get 1)))))";
  Work work = WorkOf(LowerText(kChain));
  // 16: 32; 40: 65534, whose last four bytes begin at 65532.
  const Operand second = Load(Load(Arg(16), 8));
  work.steps = {Call("run", {second, Load(Load(Load(Arg(16), 8), static_cast<uint32_t>(-2)), 1)}),
                Call("run", {Load(second), ColumnArg(0)}, /*go_on=*/true)};
  const Record record = RecordOf(RecordsEverywhere(work), work.Shape(), 5);
  EXPECT_EQ(record.registers[0], 65534u + 0x00403332u + 1);
  EXPECT_EQ(record.registers[2], static_cast<uint32_t>(Trap::kOutOfBoundsMemory));
  EXPECT_EQ(record.end, static_cast<uint32_t>(End::kReturned));
}

TEST(PointersTest, ALoadOutOfBoundsTrapsTheStepAlone) {
  Work work = WorkOf(R"((module (memory 1) (func (export "run") (param i32) (result i32)
      (local.get 0))))",
                     "run");
  Operand pointer = ColumnArg(0);
  pointer.value = Value::I32(65516);  // the last lanes are beyond 65532
  work.steps = {Call("run", {Load(pointer, 5)})};
  const auto records = RecordsEverywhere(work);
  Work queued = work;  // those that trap end before others begin
  queued.lanes = 5;
  queued.seats = work.lanes;
  const size_t words = work.Shape().RecordWords();
  for (const NamedDevice& engine : Engines()) {
    EXPECT_EQ(OfInstances(Records(*engine.device, queued), words), OfInstances(records, words))
        << engine.name;
  }
  for (uint32_t lane = 0; lane < work.lanes; ++lane) {
    const Record record = RecordOf(records, work.Shape(), lane);
    if (lane <= 16) {
      EXPECT_EQ(record.end, static_cast<uint32_t>(End::kReturned)) << lane;
      EXPECT_EQ(record.registers[0], 5u);
      continue;
    }
    EXPECT_EQ(record.end, static_cast<uint32_t>(End::kTrapped)) << lane;
    EXPECT_EQ(record.trap, static_cast<uint32_t>(Trap::kOutOfBoundsMemory));
    EXPECT_EQ(record.function, uint32_t{abi::NONE});
    EXPECT_EQ(record.offset, uint32_t{abi::NONE});
    EXPECT_EQ(record.fuel, 0u);
  }
}

TEST(PointersTest, GlobalsAndMemoryOfLinkedModules) {
  constexpr std::string_view kHeapModule = R"((module (memory (export "memory") 1)
    (global f64 (f64.const 1)) (global $top (export "top") (mut i32) (i32.const 8))
    (func (export "take") (param i32) (result i32)
      (global.set $top (i32.add (global.get $top) (local.get 0))) (global.get $top))))";
  constexpr std::string_view kMainModule =
      R"((module (import "heap" "take" (func $take (param i32) (result i32)))
    (memory 1) (data (i32.const 12) "\07\00\00\00")
    (global (export "own") i32 (i32.const 4))
    (func (export "run") (param i32) (result i32) (call $take (local.get 0)))
    (func (export "sum") (param i32 i32 i32) (result i32)
      (i32.add (local.get 0) (i32.add (local.get 1) (local.get 2))))))";
  const auto decoded = [](std::string_view wat) {
    return Module::Decode(MustAssemble(wat)).value();
  };
  Work work = WorkOf(
      Lower(Link(PartsByName({{"heap", decoded(kHeapModule)}, {"main", decoded(kMainModule)}}), {},
                 Instantiation::kAtStart)
                .value())
          .value());
  work.steps = {Call("run", {ColumnArg(0)}), Call("sum", {Global("top", 0, "heap"), Global("own"),
                                                          Load(Global("own", 8), 100)})};
  const auto records = RecordsEverywhere(work);
  for (uint32_t lane : {0u, 9u}) {
    EXPECT_EQ(RecordOf(records, work.Shape(), lane).registers[1], 8 + lane + 4 + 107);
  }
}

}  // namespace
}  // namespace wb::test
