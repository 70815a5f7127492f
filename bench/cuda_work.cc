#include "bench/cuda_work.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "scheduler/devices/cpu/cpu_device.h"
#include "scheduler/devices/interpreter/interpreter_device.h"

namespace wb {
namespace {

Argument ParseArgument(const std::string& text) {
  Argument argument;
  if (text.starts_with("f64:")) argument.type = ValueType::kF64;
  if (text.starts_with("i64:")) argument.type = ValueType::kI64;
  char* end = nullptr;
  argument.start = std::strtod(text.c_str() + 4, &end);
  if (*end == '+') argument.step = std::strtod(end + 1, nullptr);
  return argument;
}

// The cpu device, or where no compiler is at hand the interpreter.
std::unique_ptr<Device> ReferenceDevice() {
  auto cpu = CreateCpuDevice({});
  return cpu.ok() ? std::move(cpu).value() : CreateInterpreterDevice({});
}

}  // namespace

Work PrepareWork(char** argv, int argc) {
  std::ifstream file(argv[1], std::ios::binary);
  Bytes wasm{std::istreambuf_iterator<char>(file), {}};
  auto module = Must(Module::Decode(wasm), argv[1]);
  Work work;
  work.module = Must(Lower(module), "lower");
  CallStep call;
  call.function = argv[2];
  std::vector<ColumnType> columns;
  for (int i = 4; i < argc; ++i) {
    Argument argument = ParseArgument(argv[i]);
    Operand operand;
    operand.source = Operand::Source::kColumn;
    operand.column = static_cast<uint32_t>(columns.size());
    operand.value.type = argument.type;
    call.args.push_back(operand);
    columns.push_back({false, argument.type});
    work.arguments.push_back(argument);
  }
  work.program = Must(EncodeProgram(*module, {call}, columns), "program");
  work.shape.lanes = static_cast<uint32_t>(std::atoi(argv[3]));
  work.shape.capacity_pages = work.module->program.image.min_pages;
  work.shape.max_pages = work.shape.capacity_pages;
  work.shape.program = work.program.words;
  work.shape.steps = 1;
  work.shape.column_words = work.program.column_words;
  work.shape.register_words = work.program.register_words;
  return work;
}

std::vector<uint32_t> RunOnCpu(const Work& work) {
  const auto device = ReferenceDevice();
  auto source = Must(EmitKernel(*work.module, device->info().options), "emit");
  auto pipeline =
      Must(device->Load(work.module, Must(device->Build(*work.module, source), "build")), "load");
  auto dispatch = Must(device->Allocate(pipeline, work.shape), "allocate");
  auto columns = work.Columns();
  std::copy(columns.begin(), columns.end(), dispatch->columns().begin());
  for (uint32_t lane = 0; lane < work.shape.lanes; ++lane) {
    dispatch->records()[size_t{lane} * work.shape.RecordWords()] = abi::SEAT_START;
  }
  const auto start = std::chrono::steady_clock::now();
  LaunchLimits limits;
  limits.max_duration = std::chrono::hours(1);
  Must(device->Launch(*dispatch, limits), "launch");
  std::printf("%s (%u threads): %.2f ms\n", device->info().id.c_str(), device->info().threads,
              Milliseconds(start));
  return {dispatch->records().begin(), dispatch->records().end()};
}

}  // namespace wb
