#include "tests/scheduler/devices/rig.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>

#include "scheduler/devices/cpu/cpu_device.h"
#include "scheduler/devices/interpreter/interpreter_device.h"
#include "scheduler/devices/metal/metal_device.h"
#include "scheduler/job/program_encoder.h"
#include "tests/built_objects/built_objects.h"
#include "tests/compiler/wasm/assemble.h"

namespace wb::test {
namespace {

template <typename T>
T Must(Result<T> result) {
  if (!result.ok()) {
    std::cerr << result.status().ToString() << std::endl;
    std::abort();
  }
  return std::move(result).value();
}

std::unique_ptr<Device> MakeCpu(MemoryLayout layout) {
  CpuSettings settings;
  settings.threads = 3;
  settings.layout = layout;
  // Its lanes hold all of their memory but in windows_test.
  if (layout != MemoryLayout::kContiguous) settings.windows = Windows::kAnywhere;
  return Must(CreateCpuDevice(settings));
}

std::unique_ptr<Device> MakeInterpreter() {
  InterpreterSettings settings;
  settings.threads = 3;
  settings.asserts_facts = true;
  return CreateInterpreterDevice(settings);
}

}  // namespace

const std::vector<NamedDevice>& Engines() {
  static const auto contiguous = MakeCpu(MemoryLayout::kContiguous);
  static const auto interleaved = MakeCpu(MemoryLayout::kInterleaved);
  static const auto tiled = MakeCpu(MemoryLayout::kTiled);
  static const auto interpreter = MakeInterpreter();
#ifdef WB_METAL_STANDIN
  static const auto metal = Must(CreateMetalDevice({}));
#else
  static const std::unique_ptr<Device> metal;
#endif
  static std::vector<NamedDevice> engines = {{"cpu", contiguous.get()},
                                             {"interleaved", interleaved.get()},
                                             {"interpreter", interpreter.get()},
                                             {"tiled", tiled.get()},
                                             {"metal", metal.get()}};
  engines.resize(kEngines);
  return engines;
}
Device& Cpu() { return *Engines()[0].device; }
Device& Interpreter() { return *Engines()[2].device; }

std::shared_ptr<const LoweredModule> LowerText(std::string_view wat) {
  static std::map<std::string, std::shared_ptr<const LoweredModule>, std::less<>> known;
  const auto found = known.find(wat);
  if (found != known.end()) return found->second;
  auto module = Must(Lower(Must(Module::Decode(MustAssemble(wat)))));
  known.emplace(wat, module);
  return module;
}

PipelineRef BuildOn(Device& device, std::shared_ptr<const LoweredModule> module) {
  return BuildOn(device, std::move(module), device.info().options);
}

PipelineRef BuildOn(Device& device, std::shared_ptr<const LoweredModule> module,
                    const CompileOptions& options) {
  KernelSource source;
  if (device.info().engine != Engine::kInterpreter) {
    source = Must(EmitKernel(*module, options));
  }
  const Bytes binary = Must(BuildShared(device, *module, source, kEffortForDevices));
  return Must(device.Load(std::move(module), binary));
}

PipelineRef LoadOn(Device& device, const std::shared_ptr<const LoweredModule>& module) {
  // The pipelines keep their modules, so that no address is used twice.
  static std::map<std::pair<Device*, const LoweredModule*>, PipelineRef> known;
  PipelineRef& pipeline = known[{&device, module.get()}];
  if (pipeline == nullptr) pipeline = BuildOn(device, module);
  return pipeline;
}

EncodedProgram Work::Encode() const {
  std::vector<ColumnType> types(columns.size() - bytes_columns);
  ProgramInputs inputs;
  for (size_t i = types.size() - bytes_columns; i < types.size(); ++i) {
    types[i].bytes = true;
    inputs.columns.push_back(static_cast<uint32_t>(i));
  }
  if (kept_bytes != 0) {
    inputs.kept = static_cast<uint32_t>(types.size());
    inputs.kept_bytes = kept_bytes;
    inputs.columns.insert(inputs.columns.begin(), *inputs.kept);
    types.push_back({true, ValueType::kI32});
  }
  inputs.instances = lanes;
  const bool asks = module->program.asks;
  return Must(EncodeProgram(*module->program.module, steps, types, asks ? &inputs : nullptr));
}

DispatchShape Work::Shape() const {
  const EncodedProgram program = Encode();
  DispatchShape shape;
  shape.lanes = lanes;
  shape.seats = seats;
  shape.capacity_pages = capacity_pages;
  shape.max_pages = std::min(max_pages, module->program.image.max_pages);
  shape.capacity_pages = std::min(capacity_pages, shape.max_pages);
  shape.further_pages = further_pages;
  shape.mapped_pages = mapped_pages;
  shape.max_stack = max_stack;
  shape.capacity_stack = capacity_stack;
  shape.max_fuel = max_fuel;
  shape.program = program.words;
  shape.steps = static_cast<uint32_t>(steps.size());
  shape.column_words = program.column_words;
  shape.register_words = program.register_words;
  shape.output_bytes = output_bytes;
  shape.output_buffer = output_buffer;
  shape.blob_bytes = blob_bytes;
  shape.kept = kept;
  return shape;
}

Work WorkOf(std::shared_ptr<const LoweredModule> module, uint32_t lanes) {
  Work work;
  work.module = std::move(module);
  work.lanes = lanes;
  work.columns.resize(1);
  for (uint32_t lane = 0; lane < lanes; ++lane) work.columns[0].push_back(lane);
  if (work.module->program.asks) work.columns.emplace_back(lanes);  // high halves of numbers
  return work;
}

void AddRoomForFrames(Work& work) {
  if (work.module->program.asks) work.output_bytes += 1024;
}

Work WorkOf(std::string_view wat, const char* function, uint32_t lanes) {
  Work work = WorkOf(LowerText(wat), lanes);
  work.steps = {Call(function, {ColumnArg(0)}, true)};
  return work;
}

Operand Arg(uint32_t value) {
  Operand operand;
  operand.value = Value::I32(value);
  return operand;
}

Operand ColumnArg(uint32_t column) {
  Operand operand;
  operand.source = Operand::Source::kColumn;
  operand.column = column;
  return operand;
}

CallStep Call(std::string function, std::vector<Operand> args, bool go_on) {
  return {std::move(function), std::move(args), go_on};
}

ReadStep Read(uint32_t pointer, uint32_t length) {
  return {Arg(pointer), Arg(length), "read at " + std::to_string(pointer)};
}

std::unique_ptr<Dispatch> Seat(Device& device, const PipelineRef& pipeline, const Work& work) {
  auto dispatch = Must(device.Allocate(pipeline, work.Shape()));
  const uint32_t seats = dispatch->shape().Seats();
  for (size_t column = 0; column < work.columns.size(); ++column) {
    std::copy(work.columns[column].begin(), work.columns[column].end(),
              dispatch->columns().begin() + static_cast<ptrdiff_t>(column * seats));
  }
  for (uint32_t seat = 0; seat < seats; ++seat) {
    MarkStart(dispatch->records().subspan(size_t{seat} * dispatch->shape().RecordWords()));
  }
  return dispatch;
}

uint32_t SeatState(Dispatch& dispatch, uint32_t seat) {
  return dispatch.records()[size_t{seat} * dispatch.shape().RecordWords() + abi::RECORD_SEAT];
}

uint32_t CountSeats(Dispatch& dispatch, uint32_t state) {
  uint32_t count = 0;
  for (uint32_t seat = 0; seat < dispatch.shape().Seats(); ++seat) {
    count += SeatState(dispatch, seat) == state ? 1 : 0;
  }
  return count;
}

void RunToEnd(Device& device, Dispatch& dispatch, const Slicing& slicing, int launches) {
  LaunchLimits limits;
  limits.max_duration = std::chrono::hours(1);
  limits.slice_fuel = slicing.slice;
  limits.slice_step = slicing.step;
  limits.quantum = slicing.quantum;
  static uint32_t all = 0;  // launches
  for (int i = 0; i < launches; ++i) {
    limits.occupancy.tiled = ++all % 16 < 5;
    if (Must(device.Launch(dispatch, limits)).seats_left == 0) return;
  }
  ADD_FAILURE() << "Lanes are left after " << launches << " launches.";
}

std::vector<uint32_t> Records(Device& device, const Work& work, const Slicing& slicing) {
  const PipelineRef pipeline = LoadOn(device, work.module);
  const auto dispatch = Seat(device, pipeline, work);
  RunToEnd(device, *dispatch, slicing);
  return {dispatch->records().begin(), dispatch->records().end()};
}

std::vector<uint32_t> OfInstances(std::span<const uint32_t> records, size_t words) {
  std::vector<uint32_t> of(records.begin(), records.end());
  for (size_t at = 0; at < of.size(); at += words) {
    for (const uint32_t word : {abi::RECORD_QUEUED, abi::RECORD_TURN, abi::RECORD_LANE}) {
      of[at + word] = 0;
    }
  }
  return of;
}

Record RecordOf(const std::vector<uint32_t>& records, const DispatchShape& shape, uint32_t lane) {
  const uint32_t* word = records.data() + size_t{lane} * shape.RecordWords();
  Record record;
  record.seat = word[abi::RECORD_SEAT];
  record.end = word[abi::RECORD_END];
  record.trap = word[abi::RECORD_TRAP];
  record.function = word[abi::RECORD_TRAP_FUNCTION];
  record.offset = word[abi::RECORD_TRAP_OFFSET];
  record.pages = word[abi::RECORD_PAGES];
  record.out_bytes = word[abi::RECORD_OUT_BYTES];
  record.fuel = word[abi::RECORD_FUEL_LO] | uint64_t{word[abi::RECORD_FUEL_HI]} << 32;
  record.registers.assign(word + abi::RECORD_REGISTERS, word + shape.RecordWords());
  return record;
}

std::vector<Frame> FramesOf(const Record& record, size_t registers) {
  std::vector<uint8_t> output(record.registers.size() * 4 - registers * 4);
  if (output.empty()) return {};
  std::memcpy(output.data(), record.registers.data() + registers, output.size());
  std::vector<Frame> frames;
  for (size_t at = 0; at < record.out_bytes;) {
    uint32_t header = 0;
    std::memcpy(&header, output.data() + at, 4);
    const size_t bytes = header >> abi::FRAME_BYTES_SHIFT;
    const auto* text = reinterpret_cast<const char*>(output.data()) + at + 4;
    frames.push_back({header & abi::FRAME_STREAM, std::string(text, bytes)});
    at = (at + 4 + bytes + 3) / 4 * 4;
  }
  return frames;
}

}  // namespace wb::test
