// Primitives on every engine, whole and in slices: inputs, output in frames, numbers, exit.

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "compiler/link/link.h"
#include "tests/compiler/wasm/assemble.h"
#include "tests/scheduler/devices/rig.h"

namespace wb::test {
namespace {

constexpr std::string_view kImports = R"(
  (import "wasmburst" "input_size" (func $input_size (param i32) (result i64)))
  (import "wasmburst" "input_read" (func $input_read (param i32 i64 i32 i32) (result i32)))
  (import "wasmburst" "output_write" (func $output_write (param i32 i32 i32) (result i32)))
  (import "wasmburst" "instance" (func $instance (result i64)))
  (import "wasmburst" "instance_count" (func $instance_count (result i64)))
  (import "wasmburst" "fuel_used" (func $fuel_used (result i64)))
  (import "wasmburst" "exit" (func $exit (param i32)))
)";

std::string Wat(std::string_view rest) {
  return "(module " + std::string(kImports) + std::string(rest) + ")";
}

// The input of each lane is so many bytes of the blob, from its own offset on.
Work WithInputs(const std::string& wat) {
  Work work = WorkOf(LowerText(wat));
  work.bytes_columns = 1;
  work.blob_bytes = 4096;
  std::vector<uint32_t> offsets, lengths;
  for (uint32_t lane = 0; lane < work.lanes; ++lane) {
    offsets.push_back(3 + lane * 7);
    lengths.push_back(lane * 5);
  }
  work.columns.push_back(offsets);
  work.columns.push_back(lengths);
  return work;
}

struct Answers {
  std::vector<uint32_t> records;
  DispatchShape shape;
  Record of(uint32_t lane) const { return RecordOf(records, shape, lane); }
};

uint8_t BlobByte(size_t at) { return static_cast<uint8_t>(at * 37 + (at >> 8)); }

Answers RunOn(Device& device, const Work& work, const Slicing& slicing = {}) {
  const auto dispatch = Seat(device, LoadOn(device, work.module), work);
  for (size_t i = 0; i < dispatch->blob().size(); ++i) dispatch->blob()[i] = BlobByte(i);
  RunToEnd(device, *dispatch, slicing);
  return {OfInstances(dispatch->records(), dispatch->shape().RecordWords()), dispatch->shape()};
}

Answers SameEverywhere(const Work& work) {
  Answers expected = RunOn(Interpreter(), work);
  for (const NamedDevice& engine : Engines()) {
    EXPECT_EQ(RunOn(*engine.device, work).records, expected.records) << engine.name;
    for (const Slicing& slicing : {Slicing{1, 3}, Slicing{40, 1, 7}}) {
      EXPECT_EQ(RunOn(*engine.device, work, slicing).records, expected.records)
          << engine.name << " in slices";
    }
  }
  return expected;
}

constexpr std::string_view kCopy = R"(
  (memory (export "memory") 1)
  (func (export "run") (result i64) (local $at i64) (local $n i32)
    (loop $more
      (local.set $n (call $input_read (i32.const 0) (local.get $at) (i32.const 101) (i32.const 13)))
      (drop (call $output_write (i32.const 1) (i32.const 101) (local.get $n)))
      (local.set $at (i64.add (local.get $at) (i64.extend_i32_u (local.get $n))))
      (br_if $more (local.get $n)))
    (i64.add (i64.mul (call $input_size (i32.const 0)) (i64.const 1000)) (local.get $at))))";

TEST(PrimitivesTest, AnInputIsReadInPiecesAndWritten) {
  Work work = WithInputs(Wat(kCopy));
  work.steps = {Call("run")};
  work.output_bytes = 512;
  const Answers run = SameEverywhere(work);
  for (uint32_t lane = 0; lane < work.lanes; ++lane) {
    const Record record = run.of(lane);
    ASSERT_EQ(record.end, static_cast<uint32_t>(End::kReturned)) << lane;
    EXPECT_EQ(record.registers[0], lane * 5 * 1001);
    std::string bytes;
    for (uint32_t i = 0; i < lane * 5; ++i) {
      bytes += static_cast<char>(BlobByte(3 + lane * 7 + i));
    }
    EXPECT_EQ(FramesOf(record, 2), (std::vector<Frame>{{1, bytes}})) << lane;
  }
}

constexpr std::string_view kStreams = R"(
  (memory (export "memory") 1) (data (i32.const 10) "outerrstepwhatisleft")
  (func (export "run")
    (drop (call $output_write (i32.const 1) (i32.const 10) (i32.const 3)))
    (drop (call $output_write (i32.const 2) (i32.const 13) (i32.const 3)))
    (drop (call $output_write (i32.const 2) (i32.const 10) (i32.const 2)))
    (drop (call $output_write (i32.const 2) (i32.const 0) (i32.const 0)))
    (drop (call $output_write (i32.const 1) (i32.const 10) (i32.const 3))))
  (func (export "wrong") (result i32)
    (i32.add (call $output_write (i32.const 0) (i32.const 10) (i32.const 3))
             (call $output_write (i32.const 255) (i32.const 10) (i32.const 3)))))";

TEST(PrimitivesTest, StreamsAndReadStepsHaveFramesOfTheirOwn) {
  Work work = WithInputs(Wat(kStreams));
  work.steps = {Call("run"), Read(16, 4), Call("run"), Call("wrong")};
  work.output_bytes = 256;
  const Answers run = SameEverywhere(work);
  const std::vector<Frame> frames = {{1, "out"}, {2, "errou"}, {1, "out"}, {255, "step"},
                                     {1, "out"}, {2, "errou"}, {1, "out"}};
  const Record record = run.of(7);
  EXPECT_EQ(FramesOf(record, 3), frames);
  EXPECT_EQ(record.registers[0], 32u);  // where the bytes of the read step begin
  EXPECT_EQ(record.registers[1], 4u);
  EXPECT_EQ(record.registers[2], static_cast<uint32_t>(-2));
}

constexpr std::string_view kEmpty = R"(
  (memory (export "memory") 1)
  (func (export "run") (result i32)
    (drop (call $output_write (i32.const 1) (i32.const 0) (i32.const 2)))
    (drop (call $output_write (i32.const 1) (i32.const 0) (i32.const 0)))
    (drop (call $output_write (i32.const 3) (i32.const -1) (i32.const 0)))
    (drop (call $output_write (i32.const 4) (i32.const 0) (i32.const 0)))
    (call $output_write (i32.const 4) (i32.const 0) (i32.const 0))))";

TEST(PrimitivesTest, AWriteOfNoBytesMakesAFrame) {
  Work work = WithInputs(Wat(kEmpty));
  work.steps = {Call("run")};
  work.output_bytes = 16;
  const std::vector<Frame> frames = {{1, std::string(2, '\0')}, {3, ""}, {4, ""}};
  EXPECT_EQ(FramesOf(SameEverywhere(work).of(2), 1), frames);
  work.output_bytes = 15;
  EXPECT_EQ(SameEverywhere(work).of(2).end, static_cast<uint32_t>(End::kOutputLimit));
}

TEST(PrimitivesTest, AnOutputThatIsFullHoldsWhatFits) {
  Work work = WithInputs(Wat(kStreams));
  work.steps = {Call("run")};
  for (const uint32_t bytes : {0u, 3u, 4u, 5u, 8u, 14u, 17u, 23u, 24u, 27u}) {
    work.output_bytes = bytes;
    const Answers run = SameEverywhere(work);
    const Record record = run.of(3);
    const bool all = bytes >= 27;
    EXPECT_EQ(record.end, static_cast<uint32_t>(all ? End::kReturned : End::kOutputLimit)) << bytes;
    EXPECT_LE(record.out_bytes, bytes);
    std::string text;
    for (const Frame& frame : FramesOf(record, 0)) text += frame.bytes;
    EXPECT_EQ(std::string("outerrouout").substr(0, text.size()), text);
  }
}

constexpr std::string_view kNumbers = R"(
  (memory 1)
  (func $exits (export "run") (param $n i32) (result i64 i64 i64 i64)
    (if (i32.eq (i32.rem_u (local.get $n) (i32.const 3)) (i32.const 1))
      (then (call $exit (i32.sub (local.get $n) (i32.const 8)))))
    (call $fuel_used) (call $instance) (call $instance_count) (call $fuel_used)))";

TEST(PrimitivesTest, NumbersAndExit) {
  Work work = WithInputs(Wat(kNumbers));
  work.steps = {Call("run", {ColumnArg(0)})};
  const Answers run = SameEverywhere(work);
  for (uint32_t lane = 0; lane < work.lanes; ++lane) {
    const Record record = run.of(lane);
    if (lane % 3 == 1) {
      EXPECT_EQ(record.end, static_cast<uint32_t>(End::kExited)) << lane;
      EXPECT_EQ(record.trap, lane - 8);
      continue;
    }
    ASSERT_EQ(record.end, static_cast<uint32_t>(End::kReturned)) << lane;
    EXPECT_EQ(record.registers[2], lane);
    EXPECT_EQ(record.registers[4], work.lanes);
    EXPECT_LE(record.registers[0], record.registers[6]);
    EXPECT_LE(record.registers[6], record.fuel);
  }
}

TEST(PrimitivesTest, ValuesAreAppendedUpToFourAndToStreamsThatThereAre) {
  Work work = WorkOf(LowerText(R"((module
    (import "wasmburst" "output_values" (func $put (param i32 i32 i64 i64 i64 i64) (result i32)))
    (func $call (param i32 i32) (result i32) (call $put (local.get 0) (local.get 1)
      (i64.const 1) (i64.const -2) (i64.const 3) (i64.const 4)))
    (func (export "run") (result i32 i32 i32 i32 i32)
      (call $call (i32.const 9) (i32.const 2)) (call $call (i32.const 9) (i32.const 0))
      (call $call (i32.const 9) (i32.const 5)) (call $call (i32.const 0) (i32.const 1))
      (call $call (i32.const 255) (i32.const 1)))))"));
  work.steps = {Call("run")};
  work.output_bytes = 64;
  const Record record = SameEverywhere(work).of(0);
  ASSERT_EQ(record.end, static_cast<uint32_t>(End::kReturned));
  EXPECT_EQ(std::vector(record.registers.begin(), record.registers.begin() + 5),
            (std::vector<uint32_t>{2, 0, 0xffffffff, 0xffffffff, 0xffffffff}));
  const uint64_t values[] = {1, ~uint64_t{1}};
  const std::string bytes(reinterpret_cast<const char*>(values), sizeof values);
  EXPECT_EQ(FramesOf(record, 5), (std::vector<Frame>{{9, bytes}}));
}

constexpr std::string_view kBad = R"(
  (memory 1)
  (func (export "read") (param i32 i32) (result i32)
    (call $input_read (i32.const 0) (i64.const 0) (local.get 0) (local.get 1)))
  (func (export "write") (param i32 i32) (result i32)
    (call $output_write (i32.const 1) (local.get 0) (local.get 1)))
  (func (export "none") (result i64 i32 i32)
    (call $input_size (i32.const 1))
    (call $input_read (i32.const -1) (i64.const 0) (i32.const -1) (i32.const 9))
    (call $input_read (i32.const 0) (i64.const -1) (i32.const -1) (i32.const 9))))";

TEST(PrimitivesTest, AddressesOutsideOfMemoryTrapAndWhatIsNotThereIsEmpty) {
  Work work = WithInputs(Wat(kBad));
  work.output_bytes = 64;
  const auto call = [](const char* name, uint32_t at, uint32_t n) {
    return Call(name, {Arg(at), Arg(n)}, /*go_on=*/true);
  };
  work.steps = {call("read", 65536 - 20, 9999), call("read", 65531, 20),
                call("write", 65531, 5),        call("write", 65532, 5),
                call("write", 0xffffffff, 5),   Call("none")};
  const Answers run = SameEverywhere(work);
  const Record record = run.of(4);  // 20 bytes of input
  ASSERT_EQ(record.end, static_cast<uint32_t>(End::kReturned));
  const auto trap_of = [&](size_t step) { return record.registers[step * 4 + 1]; };
  const auto outside = static_cast<uint32_t>(Trap::kOutOfBoundsMemory);
  EXPECT_EQ(record.registers[0], 20u);
  EXPECT_EQ(trap_of(0), 0u);
  EXPECT_EQ(trap_of(1), outside);
  EXPECT_EQ(trap_of(2), 0u);
  EXPECT_EQ(trap_of(3), outside);
  EXPECT_EQ(trap_of(4), outside);
  EXPECT_EQ(record.registers[20], 0xffffffffu);
  EXPECT_EQ(record.registers[21], 0xffffffffu);
  EXPECT_EQ(record.registers[22], 0u);
  EXPECT_EQ(record.registers[23], 0u);
}

// Bytes that are moved cost fuel, which is compared at the call.
TEST(PrimitivesTest, ALimitOfFuelEndsAnInstanceAtTheCall) {
  Work work = WithInputs(Wat(kCopy));
  work.steps = {Call("run")};
  work.output_bytes = 512;
  const Answers whole = SameEverywhere(work);
  for (const uint64_t less : {1u, 5u, 30u, 57u}) {
    work.max_fuel = whole.of(30).fuel - less;
    const Answers run = SameEverywhere(work);
    EXPECT_EQ(run.of(30).end, static_cast<uint32_t>(less == 1 ? run.of(30).end : 3u));
    EXPECT_EQ(run.of(3).end, static_cast<uint32_t>(End::kReturned));
  }
}

// A primitive that is imported by two modules means the memory of each; one may be exported on.
TEST(PrimitivesTest, EachLinkedModuleMeansItsOwnMemory) {
  const std::string system = R"((module
    (import "wasmburst" "output_write" (func $w (param i32 i32 i32) (result i32)))
    (memory (export "memory") 1) (data (i32.const 10) "system")
    (export "raw" (func $w))
    (func (export "say") (drop (call $w (i32.const 1) (i32.const 10) (i32.const 6))))))";
  const std::string guest = R"((module
    (import "system" "raw" (func $raw (param i32 i32 i32) (result i32)))
    (import "system" "say" (func $say))
    (import "wasmburst" "output_write" (func $w (param i32 i32 i32) (result i32)))
    (import "wasmburst" "input_read" (func $r (param i32 i64 i32 i32) (result i32)))
    (memory 1) (data (i32.const 10) "guest!")
    (table 2 funcref) (elem (i32.const 0) func $w $raw)
    (type $t (func (param i32 i32 i32) (result i32)))
    (func (export "run") (result i32)
      (call $say)
      (drop (call_indirect (type $t) (i32.const 2) (i32.const 10) (i32.const 6) (i32.const 0)))
      (drop (call_indirect (type $t) (i32.const 3) (i32.const 10) (i32.const 6) (i32.const 1)))
      (drop (call $r (i32.const 0) (i64.const 0) (i32.const 300) (i32.const 4)))
      (i32.load (i32.const 300)))))";
  std::vector<std::pair<std::string, std::shared_ptr<const Module>>> modules;
  for (const auto& [name, wat] : {std::pair("system", system), std::pair("guest", guest)}) {
    modules.emplace_back(name, Module::Decode(MustAssemble(wat)).value());
  }
  Work work = WithInputs(Wat(kCopy));
  work.module = Lower(Link(PartsByName(modules), {}, Instantiation::kAtStart).value()).value();
  work.steps = {Call("run")};
  work.output_bytes = 128;
  const Answers run = SameEverywhere(work);
  const Record record = run.of(6);
  ASSERT_EQ(record.end, static_cast<uint32_t>(End::kReturned));
  const std::vector<Frame> frames = {{1, "system"}, {2, "guest!"}, {3, "system"}};
  EXPECT_EQ(FramesOf(record, 1), frames);
  uint32_t word = 0;
  for (uint32_t i = 0; i < 4; ++i) word |= uint32_t{BlobByte(3 + 6 * 7 + i)} << (8 * i);
  EXPECT_EQ(record.registers[0], word);
}

}  // namespace
}  // namespace wb::test
