// A WASI program on every engine, whole and in slices: arguments, streams, files, clock, exit.

#include "compiler/system/system_layer.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "tests/compiler/system/file_set.h"
#include "tests/compiler/wasm/assemble.h"
#include "tests/scheduler/devices/rig.h"

namespace wb::test {
namespace {

std::shared_ptr<const LoweredModule> LowerProgram(std::string_view wat) {
  auto guest = Module::Decode(MustAssemble(wat)).value();
  auto parts = WithSystemLayer({{"", std::move(guest), {}}}).value();
  return Lower(Link(parts, {}, Instantiation::kAtStart).value()).value();
}

// Inputs by number; the texts of an input are those of the lanes in turn.
struct ProgramWork {
  Work work;
  std::string blob;

  void Add(const std::vector<std::string>& texts) {
    std::vector<uint32_t> offsets, lengths, starts;
    for (const std::string& text : texts) {
      starts.push_back(static_cast<uint32_t>(blob.size()));
      blob += text;
    }
    for (uint32_t lane = 0; lane < work.lanes; ++lane) {
      offsets.push_back(starts[lane % texts.size()]);
      lengths.push_back(static_cast<uint32_t>(texts[lane % texts.size()].size()));
    }
    work.columns.push_back(offsets);
    work.columns.push_back(lengths);
    ++work.bytes_columns;
    work.blob_bytes = blob.size();
  }
};

Record RunOn(Device& device, const ProgramWork& program, uint32_t lane, const Slicing& slicing,
             std::vector<uint32_t>* records) {
  const auto dispatch = Seat(device, LoadOn(device, program.work.module), program.work);
  std::copy(program.blob.begin(), program.blob.end(), dispatch->blob().begin());
  RunToEnd(device, *dispatch, slicing);
  *records = OfInstances(dispatch->records(), dispatch->shape().RecordWords());
  return RecordOf(*records, dispatch->shape(), lane);
}

// Of one lane; the records of all are the same on every engine.
Record SameEverywhere(const ProgramWork& program, uint32_t lane) {
  std::vector<uint32_t> expected, records;
  Record record = RunOn(Interpreter(), program, lane, {}, &expected);
  for (const NamedDevice& engine : Engines()) {
    for (const Slicing& slicing : {Slicing{}, Slicing{1000, 3}, Slicing{170, 1, 7}}) {
      RunOn(*engine.device, program, lane, slicing, &records);
      EXPECT_EQ(records, expected) << engine.name << " in slices of " << slicing.slice;
    }
  }
  return record;
}

// Writes its argument, copies its input to its output, writes the file in/data to standard error,
// makes the file out, appends 8 random bytes and the time, and ends with 5.
constexpr std::string_view kProgram = R"((module
  (import "wasi_snapshot_preview1" "args_get" (func $args_get (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "args_sizes_get" (func $args_sizes (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_open"
    (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "random_get" (func $random (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "clock_time_get" (func $time (param i32 i64 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 1)
  (data (i32.const 16) "in/data") (data (i32.const 32) "out")
  (func $must (param i32) (if (local.get 0) (then (call $exit (local.get 0)))))
  (func $put (param $fd i32) (param $at i32) (param $bytes i32)
    (i32.store (i32.const 64) (local.get $at))
    (i32.store (i32.const 68) (local.get $bytes))
    (call $must (call $write (local.get $fd) (i32.const 64) (i32.const 1) (i32.const 72))))
  (func $copy (param $from i32) (param $to i32)
    (loop $more
      (i32.store (i32.const 64) (i32.const 1024))
      (i32.store (i32.const 68) (i32.const 7))
      (call $must (call $read (local.get $from) (i32.const 64) (i32.const 1) (i32.const 72)))
      (if (i32.load (i32.const 72)) (then
        (call $put (local.get $to) (i32.const 1024) (i32.load (i32.const 72)))
        (br $more)))))
  (func (export "_start")
    (call $must (call $args_sizes (i32.const 80) (i32.const 84)))
    (call $must (call $args_get (i32.const 96) (i32.const 2048)))
    (call $put (i32.const 1) (i32.load (i32.const 96)) (i32.load (i32.const 84)))
    (call $copy (i32.const 0) (i32.const 1))
    (call $must (call $open (i32.const 3) (i32.const 0) (i32.const 16) (i32.const 7) (i32.const 0)
      (i64.const 2) (i64.const 0) (i32.const 0) (i32.const 88)))
    (call $copy (i32.load (i32.const 88)) (i32.const 2))
    (call $must (call $open (i32.const 3) (i32.const 0) (i32.const 32) (i32.const 3) (i32.const 9)
      (i64.const 64) (i64.const 0) (i32.const 0) (i32.const 88)))
    (call $put (i32.load (i32.const 88)) (i32.const 16) (i32.const 7))
    (call $must (call $random (i32.const 1024) (i32.const 8)))
    (call $must (call $time (i32.const 0) (i64.const 0) (i32.const 1032)))
    (call $put (i32.load (i32.const 88)) (i32.const 1024) (i32.const 16))
    (call $exit (i32.const 5)))))";

ProgramWork Everything() {
  ProgramWork program;
  program.work = WorkOf(LowerProgram(kProgram), 7);
  program.work.steps = {Call("_start")};
  program.work.output_bytes = 512;
  InstanceInputs inputs;
  inputs.args = {"argument"};
  inputs.standard_input = "";
  inputs.file_set = FileSet({{"in/data", "bytes of the set"}, {"x", "y"}});
  inputs.outputs = {"out"};
  inputs.clock_start = 1'000'000'000'000;
  program.Add({Configuration(inputs)});
  program.Add({"first input", "", "the second one is longer"});
  program.Add({*inputs.file_set});
  program.Add({"argument"});
  return program;
}

std::string StreamOf(const Record& record, uint32_t stream) {
  std::string text;
  for (const Frame& frame : FramesOf(record, 0)) {
    if (frame.stream == stream) text += frame.bytes;
  }
  return text;
}

TEST(SystemLayerOnDevicesTest, AProgramReadsWritesAndEnds) {
  const Record record = SameEverywhere(Everything(), 2);
  ASSERT_EQ(record.end, static_cast<uint32_t>(End::kExited));
  EXPECT_EQ(record.trap, 5u);
  EXPECT_EQ(StreamOf(record, 1), std::string("argument\0", 9) + "the second one is longer");
  EXPECT_EQ(StreamOf(record, 2), "bytes of the set");
  EXPECT_EQ(StreamOf(record, 3).substr(0, 7), "in/data");
  ASSERT_EQ(StreamOf(record, 3).size(), 23u);
  uint64_t time = 0;
  std::memcpy(&time, StreamOf(record, 3).data() + 15, 8);
  EXPECT_GT(time, 1'000'000'000'000u);
  EXPECT_LT(time, 1'000'000'000'000u + record.fuel);
}

TEST(SystemLayerOnDevicesTest, AProgramThatReturnsIsFinishedByAStep) {
  ProgramWork program;
  program.work = WorkOf(LowerProgram(R"((module
    (import "wasi_snapshot_preview1" "path_open"
      (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
    (memory (export "memory") 1)
    (data (i32.const 0) "\10\00\00\00\03\00\00\00") (data (i32.const 16) "out")
    (func (export "_start")
      (drop (call $open (i32.const 3) (i32.const 0) (i32.const 16) (i32.const 3) (i32.const 1)
        (i64.const 68) (i64.const 0) (i32.const 0) (i32.const 32)))
      (drop (call $write (i32.load (i32.const 32)) (i32.const 0) (i32.const 1) (i32.const 36))))))"),
                        5);
  CallStep finish = Call(std::string(kFinishExport));
  finish.instance = "system";
  program.work.steps = {Call("_start"), finish};
  program.work.output_bytes = 64;
  InstanceInputs inputs;
  inputs.outputs = {"out"};
  program.Add({Configuration(inputs)});
  const Record record = SameEverywhere(program, 4);
  ASSERT_EQ(record.end, static_cast<uint32_t>(End::kReturned));
  EXPECT_EQ(StreamOf(record, 3), "out");
}

TEST(SystemLayerOnDevicesTest, LargeWritesCostTheirBytesAndEndAtTheLimit) {
  ProgramWork program;
  program.work = WorkOf(LowerProgram(R"((module
    (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
    (memory (export "memory") 2)
    (data (i32.const 0) "\10\00\00\00\00\00\01\00")
    (func (export "_start")
      (loop $more
        (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))
        (br $more)))))"),
                        3);
  program.work.steps = {Call("_start")};
  program.work.output_bytes = 1 << 20;
  InstanceInputs inputs;
  program.Add({Configuration(inputs)});
  const Record record = SameEverywhere(program, 1);
  ASSERT_EQ(record.end, static_cast<uint32_t>(End::kOutputLimit));
  EXPECT_EQ(StreamOf(record, 1).size(), (1u << 20) - 4);
  EXPECT_LT(record.fuel, (1u << 20) / 16 + 12000);
}

// Makes so many files, named by a number, in one directory.
constexpr std::string_view kMakeFiles = R"((module
  (import "wasi_snapshot_preview1" "path_open"
    (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_close" (func $close (param i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 1)
  (func (export "make") (param $count i32) (local $error i32)
    (loop $files
      (i32.store (i32.const 100) (i32.or (local.get $count) (i32.const 0x40404040)))
      (i32.store8 (i32.const 101)
        (i32.or (i32.shr_u (local.get $count) (i32.const 6)) (i32.const 0x40)))
      (local.set $error
        (call $open (i32.const 3) (i32.const 0) (i32.const 100) (i32.const 4) (i32.const 5)
          (i64.const 64) (i64.const 0) (i32.const 0) (i32.const 200)))
      (if (local.get $error) (then (call $exit (local.get $error))))
      (drop (call $close (i32.load (i32.const 200))))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $files (local.get $count))))))";

uint64_t FuelOfMaking(uint32_t files) {
  ProgramWork program;
  program.work = WorkOf(LowerProgram(kMakeFiles), 1);
  program.work.steps = {Call("make", {Arg(files)})};
  program.work.output_bytes = 64;
  InstanceInputs inputs;
  inputs.scratch_bytes = 1 << 20;
  program.Add({Configuration(inputs)});
  std::vector<uint32_t> records;
  const Record record = RunOn(Interpreter(), program, 0, {}, &records);
  EXPECT_EQ(record.end, static_cast<uint32_t>(End::kReturned)) << record.trap;
  return record.fuel;
}

TEST(SystemLayerOnDevicesTest, AFileCostsTheSameWhateverTheNumberInItsDirectory) {
  EXPECT_LT(FuelOfMaking(2000), 3 * FuelOfMaking(1000));
}

}  // namespace
}  // namespace wb::test
