#include "bench/cuda/probe_work.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "compiler/base/check.h"
#include "scheduler/devices/cpu/cpu_device.h"
#include "scheduler/devices/interpreter/interpreter_device.h"
#include "scheduler/job/program_encoder.h"

namespace wb {

uint64_t Argument::At(uint32_t lane) const {
  const double value = start + step * lane;
  if (type != ValueType::kF64) return static_cast<uint64_t>(value);
  uint64_t bits;
  std::memcpy(&bits, &value, 8);
  return bits;
}

Argument ParseArgument(const std::string& text) {
  Argument argument;
  if (text.starts_with("f64:")) argument.type = ValueType::kF64;
  if (text.starts_with("i64:")) argument.type = ValueType::kI64;
  char* end = nullptr;
  argument.start = std::strtod(text.c_str() + 4, &end);
  if (*end == '+') argument.step = std::strtod(end + 1, nullptr);
  return argument;
}

std::vector<uint32_t> Work::Columns() const {
  std::vector<uint32_t> words(size_t{shape.column_words} * shape.Seats());
  for (size_t i = 0; i < arguments.size(); ++i) {
    for (uint32_t seat = 0; seat < shape.Seats(); ++seat) {
      const uint64_t bits = arguments[i].At(seat);
      for (uint32_t word = 0; word < TypeWords(arguments[i].type); ++word) {
        words[size_t{program.column_at[i] + word} * shape.Seats() + seat] =
            static_cast<uint32_t>(bits >> (32 * word));
      }
    }
  }
  return words;
}

Work PrepareWork(const std::string& file, const std::string& function, uint32_t lanes,
                 std::vector<Argument> arguments) {
  std::ifstream stream(file, std::ios::binary);
  Bytes wasm{std::istreambuf_iterator<char>(stream), {}};
  return PrepareWork(Must(Module::Decode(wasm), file.c_str()), function, lanes,
                     std::move(arguments));
}

Work PrepareWork(std::shared_ptr<const Module> module, const std::string& function, uint32_t lanes,
                 std::vector<Argument> arguments) {
  Work work;
  work.module = Must(Lower(module), "lower");
  work.arguments = std::move(arguments);
  CallStep call;
  call.function = function;
  std::vector<ColumnType> columns;
  for (const Argument& argument : work.arguments) {
    Operand operand;
    operand.source = Operand::Source::kColumn;
    operand.column = static_cast<uint32_t>(columns.size());
    operand.value.type = argument.type;
    call.args.push_back(operand);
    columns.push_back({false, argument.type});
  }
  work.program = Must(EncodeProgram(*module, {call}, columns), "program");
  work.shape.lanes = lanes;
  work.shape.capacity_pages = work.module->program.image.min_pages;
  work.shape.max_pages = work.shape.capacity_pages;
  work.shape.program = work.program.words;
  work.shape.steps = 1;
  work.shape.column_words = work.program.column_words;
  work.shape.register_words = work.program.register_words;
  return work;
}

void SeatAll(const Work& work, std::span<uint32_t> records) {
  for (uint32_t seat = 0; seat < work.shape.Seats(); ++seat) {
    MarkStart(records.subspan(size_t{seat} * work.shape.RecordWords()));
  }
}

std::vector<uint32_t> Digests(const Work& work, std::span<const uint32_t> records,
                              uint32_t* failed) {
  std::vector<uint32_t> digests;
  const uint32_t at = abi::RECORD_REGISTERS + work.program.steps.at(0).results_at;
  for (uint32_t seat = 0; seat < work.shape.Seats(); ++seat) {
    const uint32_t* record = &records[size_t{seat} * work.shape.RecordWords()];
    const bool returned = record[abi::RECORD_SEAT] == abi::SEAT_DONE &&
                          record[abi::RECORD_END] == static_cast<uint32_t>(End::kReturned);
    if (!returned) ++*failed;
    digests.push_back(record[at]);
  }
  return digests;
}

Bytes BestBuild(Device& device, const LoweredModule& module, const KernelSource& source) {
  Bytes binary = Must(device.Build(module, source, Effort::kBest), "build");
  return binary.empty() ? Must(device.Build(module, source, Effort::kFull), "build") : binary;
}

DeviceWork::DeviceWork(Device& device, const Work& work, Bytes built)
    : device_(device), work_(work), built_(std::move(built)) {
  dispatch_ = Must(device.Allocate(PipelineOf(Effort::kFull), work.shape), "allocate");
  const auto columns = work.Columns();
  std::copy(columns.begin(), columns.end(), dispatch_->columns().begin());
}

const PipelineRef& DeviceWork::PipelineOf(Effort effort) {
  PipelineRef& pipeline = pipelines_[effort == Effort::kQuick ? 1 : 0];
  if (pipeline) return pipeline;
  const auto source = Must(EmitKernel(*work_.module, device_.info().options), "emit");
  Bytes binary;
  if (effort == Effort::kQuick) {
    binary = Must(device_.Build(*work_.module, source, effort), "build");
  } else {
    binary = built_.empty() ? BestBuild(device_, *work_.module, source) : std::exchange(built_, {});
  }
  pipeline = Must(device_.Load(work_.module, binary), "load");
  return pipeline;
}

void DeviceWork::Use(Effort effort) {
  const Status adopted = device_.Adopt(*dispatch_, PipelineOf(effort));
  WB_CHECK(adopted.ok());
}

std::chrono::nanoseconds DeviceWork::Launch(const Occupancy& occupancy) {
  SeatAll(work_, dispatch_->records());
  LaunchLimits limits;
  limits.max_duration = std::chrono::hours(1);
  limits.occupancy = occupancy;
  const LaunchReport report = Must(device_.Launch(*dispatch_, limits), "launch");
  WB_CHECK(report.seats_left == 0);
  return report.busy;
}

std::vector<uint32_t> DeviceWork::Records() const {
  return {dispatch_->records().begin(), dispatch_->records().end()};
}

std::unique_ptr<Device> ReferenceDevice() {
  auto cpu = CreateCpuDevice({});
  return cpu.ok() ? std::move(cpu).value() : CreateInterpreterDevice({});
}

}  // namespace wb
