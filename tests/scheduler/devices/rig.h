#pragma once

// Runs lane programs of modules in the text format on the engines of this machine's processor.

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/compiler.h"
#include "scheduler/devices/device.h"
#include "scheduler/job/lane_program.h"

namespace wb::test {

// The engines under test, made once: cpu contiguous, cpu interleaved, interpreter, and metal over
// its stand-in where that was built.
#ifdef WB_METAL_STANDIN
inline constexpr size_t kEngines = 5;
#else
inline constexpr size_t kEngines = 4;
#endif
struct NamedDevice {
  std::string name;
  Device* device = nullptr;
};
const std::vector<NamedDevice>& Engines();
Device& Cpu();
Device& Interpreter();

std::shared_ptr<const LoweredModule> LowerText(std::string_view wat);  // stops on an error
PipelineRef BuildOn(Device& device, std::shared_ptr<const LoweredModule> module);
PipelineRef BuildOn(Device& device, std::shared_ptr<const LoweredModule> module,
                    const CompileOptions& options);
// The same, remembered; only for the Engines().
PipelineRef LoadOn(Device& device, const std::shared_ptr<const LoweredModule>& module);

// A job in small: one i32 column per entry of `columns`, each with one value per lane.
struct Work {
  std::shared_ptr<const LoweredModule> module;
  std::vector<Step> steps;
  std::vector<std::vector<uint32_t>> columns;
  uint32_t lanes = 33;
  uint32_t seats = 0;  // as in DispatchShape: 0, or more than lanes
  uint32_t max_pages = 16;
  uint32_t capacity_pages = 16;
  uint32_t further_pages = ~0u;  // as in DispatchShape
  uint32_t mapped_pages = 0;     // likewise
  uint32_t max_stack = 32768;
  uint32_t capacity_stack = ~0u;
  uint64_t max_fuel = ~uint64_t{0};
  uint32_t output_bytes = 0;
  uint32_t output_buffer = ~0u;
  // Behind the others; each has two of the last rows of `columns`. Inputs 0, 1 ... of a module with
  // primitives, where the first two columns are the halves of an instance's number.
  uint32_t bytes_columns = 0;
  uint64_t blob_bytes = 0;
  // Not 0: input 0 has so many bytes, which `kept`, of the device, holds.
  uint64_t kept_bytes = 0;
  KeptInputRef kept;

  EncodedProgram Encode() const;
  DispatchShape Shape() const;
};

// Each lane with its own number in the one column; without a step.
Work WorkOf(std::shared_ptr<const LoweredModule> module, uint32_t lanes = 33);
// ... and one: to call `function` with it.
Work WorkOf(std::string_view wat, const char* function, uint32_t lanes = 33);

// Of a module with primitives: for what it writes itself.
void AddRoomForFrames(Work& work);

// For tests of what a launch is: for ever, so many rounds, or at once.
inline constexpr std::string_view kSpin = R"((module
  (func (export "forever") (param i32) loop $l br $l end)
  (func (export "run") (param $n i32) (result i32) (local $i i32)
    loop $l
      local.get $i i32.const 1 i32.add local.tee $i local.get $n i32.lt_u br_if $l
    end
    local.get $i)
  (func (export "twice") (param i32) (result i32) local.get 0 i32.const 2 i32.mul)))";

Operand Arg(uint32_t value);
Operand ColumnArg(uint32_t column);
CallStep Call(std::string function, std::vector<Operand> args = {}, bool go_on = false);
ReadStep Read(uint32_t pointer, uint32_t length);

// A dispatch with its columns written and every seat to be started.
std::unique_ptr<Dispatch> Seat(Device& device, const PipelineRef& pipeline, const Work& work);

uint32_t SeatState(Dispatch& dispatch, uint32_t seat);
uint32_t CountSeats(Dispatch& dispatch, uint32_t state);

struct Slicing {
  uint64_t slice = uint64_t{1} << 62;
  uint32_t step = 0;
  uint32_t quantum = 1u << 20;
};

// Launches until no lane is left (at most `launches` times, else the test fails).
void RunToEnd(Device& device, Dispatch& dispatch, const Slicing& slicing = {},
              int launches = 100000);

// All records of the work, run to the end on one of the Engines().
std::vector<uint32_t> Records(Device& device, const Work& work, const Slicing& slicing = {});

// What records of so many words say of instances; what they say of seats and lanes becomes zero.
std::vector<uint32_t> OfInstances(std::span<const uint32_t> records, size_t words);

// One lane's record, taken apart.
struct Record {
  uint32_t seat = 0, end = 0, trap = 0, function = 0, offset = 0, pages = 0, out_bytes = 0;
  uint64_t fuel = 0;
  std::vector<uint32_t> registers;  // and output
};
Record RecordOf(const std::vector<uint32_t>& records, const DispatchShape& shape, uint32_t lane);

// What a module with primitives wrote, behind so many words of registers.
struct Frame {
  uint32_t stream = 0;
  std::string bytes;
  bool operator==(const Frame&) const = default;
};
std::vector<Frame> FramesOf(const Record& record, size_t registers);

}  // namespace wb::test
