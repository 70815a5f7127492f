#include "tests/compiler/emit/lanes_under_test.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "compiler/base/digest.h"
#include "scheduler/job/lane_program.h"
#include "scheduler/job/program_encoder.h"
#include "tests/built_objects/built_objects.h"

namespace wb::test {
namespace {

constexpr uint64_t kMaxLaunches = 100'000;
constexpr uint32_t kReadBytes = 1024;

Operand Column(uint32_t column, ValueType type) {
  Operand operand;
  operand.source = Operand::Source::kColumn;
  operand.column = column;
  operand.value.type = type;
  return operand;
}

Operand Constant(uint32_t value) {
  Operand operand;
  operand.value = Value::I32(value);
  return operand;
}

constexpr ValueType kParams[] = {ValueType::kI32, ValueType::kI64, ValueType::kF32,
                                 ValueType::kF64};

// Small numbers, corners, and not-a-numbers whose bits must survive moves.
uint64_t Argument(uint32_t param, uint32_t lane) {
  static constexpr float kFloats[] = {0, -0.0f, 1, -2.5f, 1e30f, 3e-41f, 7, 0.1f};
  static constexpr double kDoubles[] = {0, -1, 2.75, 1e300, 5e-320, -0.0, 4294967296.5, 0.3};
  switch (param) {
    case 0: return lane % 11 == 10 ? 0x80000000u : lane;
    case 1: return lane * 0x9e3779b97f4a7c15ull >> (lane % 40);
    case 2:
      if (lane % 9 == 8) return 0x7fa00000u + lane;
      return std::bit_cast<uint32_t>(kFloats[lane % 8]);
    default:
      if (lane % 10 == 9) return 0xfff4000000000000ull + lane;
      return std::bit_cast<uint64_t>(kDoubles[lane % 8]);
  }
}

}  // namespace

std::vector<uint64_t> ArgumentsOf(uint32_t lane) {
  std::vector<uint64_t> bits;
  for (uint32_t param = 0; param < std::size(kParams); ++param) {
    bits.push_back(Argument(param, lane));
  }
  return bits;
}

namespace {

Result<EncodedProgram> ProgramOf(const Module& module, const std::string& name) {
  CallStep call;
  call.function = name;
  call.go_on_after_trap = true;
  std::vector<ColumnType> columns;
  for (ValueType type : kParams) {
    call.args.push_back(Column(static_cast<uint32_t>(columns.size()), type));
    columns.push_back({false, type});
  }
  ReadStep read;
  read.pointer = Constant(0);
  read.length = Constant(kReadBytes);
  read.output = "memory";
  return EncodeProgram(module, {call, read}, columns);
}

void FillColumns(const EncodedProgram& program, Dispatch& dispatch) {
  for (uint32_t param = 0; param < std::size(kParams); ++param) {
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      const uint64_t bits = Argument(param, lane);
      for (uint32_t word = 0; word < std::min(TypeWords(kParams[param]), 2u); ++word) {
        dispatch.columns()[(program.column_at[param] + word) * kLanes + lane] =
            static_cast<uint32_t>(bits >> (32 * word));
      }
    }
  }
}

}  // namespace

Result<LanesUnderTest> LanesUnderTest::Build(std::unique_ptr<Device> device,
                                             std::shared_ptr<const LoweredModule> module,
                                             const BuildChoice& choice) {
  LanesUnderTest lanes;
  CompileOptions options = device->info().options;
  options.most_copies = choice.copies;
  options.most_copied_rows = 0xffffffffu;
  options.flattening = choice.flattening;
  WB_ASSIGN(KernelSource source, EmitKernel(*module, options));
  if (choice.change) {
    choice.change(source.text);
    source.digest = DigestBuilder().Add(source.text).Finish();
  }
  WB_ASSIGN(const Bytes binary, BuildShared(*device, *module, source, choice.effort));
  WB_ASSIGN(lanes.pipeline_, device->Load(module, binary));
  lanes.device_ = std::move(device);
  lanes.module_ = std::move(module);
  return lanes;
}

Result<LaneRun> LanesUnderTest::Run(const std::string& name, uint32_t slice, uint64_t max_fuel,
                                    uint32_t max_stack) {
  WB_ASSIGN(const EncodedProgram program, ProgramOf(*module_->program.module, name));
  DispatchShape shape;
  shape.lanes = kLanes;
  shape.capacity_pages = module_->program.image.max_pages;
  shape.max_pages = module_->program.image.max_pages;
  shape.max_fuel = max_fuel;
  shape.max_stack = max_stack;
  shape.program = program.words;
  shape.steps = static_cast<uint32_t>(program.steps.size());
  shape.column_words = program.column_words;
  shape.register_words = program.register_words;
  shape.output_bytes = kReadBytes;
  WB_ASSIGN(auto dispatch, device_->Allocate(pipeline_, shape));
  FillColumns(program, *dispatch);
  LaneRun run;
  run.record_words = shape.RecordWords();
  run.trap_at = program.steps[0].trap_at;
  run.output_at = abi::RECORD_REGISTERS + shape.register_words;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    MarkStart(dispatch->records().subspan(lane * run.record_words));
  }
  LaunchLimits limits;
  if (slice != 0) {
    limits.slice_fuel = slice;
    limits.slice_step = slice;
  }
  for (uint32_t left = kLanes; left != 0; ++run.launches) {
    if (run.launches == kMaxLaunches) return Status(Reason::kInternal, "Lanes never end.");
    WB_ASSIGN(const LaunchReport report, device_->Launch(*dispatch, limits));
    left = report.seats_left;
  }
  run.records.assign(dispatch->records().begin(), dispatch->records().end());
  return run;
}

std::string Difference(const LaneRun& one, const LaneRun& other) {
  for (size_t i = 0; i < one.records.size(); ++i) {
    if (one.records[i] == other.records[i]) continue;
    const uint32_t* a = &one.records[i / one.record_words * one.record_words];
    const uint32_t* b = &other.records[i / one.record_words * one.record_words];
    return "Lane [" + std::to_string(i / one.record_words) + "] differs in record word [" +
           std::to_string(i % one.record_words) + "]: [" + std::to_string(one.records[i]) +
           "] and [" + std::to_string(other.records[i]) + "]; ends " +
           std::to_string(a[abi::RECORD_END]) + " and " + std::to_string(b[abi::RECORD_END]) +
           ", fuel " + std::to_string(a[abi::RECORD_FUEL_LO]) + " and " +
           std::to_string(b[abi::RECORD_FUEL_LO]) + ".";
  }
  return "";
}

}  // namespace wb::test
