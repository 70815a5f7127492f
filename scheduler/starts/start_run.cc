#include "scheduler/starts/start_run.h"

#include <algorithm>
#include <utility>

#include "scheduler/job/resident/resident_state.h"
#include "scheduler/starts/start_call.h"

namespace wb {
namespace {

constexpr uint64_t kZerosBetween = 64;  // ranges with more between them are apart
constexpr uint64_t kLeastFuel = 1024;   // less is not worth a text of its own
constexpr uint64_t kFuelOfWord = 4;     // that writing a word of the image takes, about

uint32_t WordsOf(const std::vector<ValueType>& results) {
  uint32_t words = 1;  // whether it came to the point
  for (const ValueType type : results) words += TypeWords(type);
  return words;
}

// One call, whose arguments nothing reads. A module with primitives has a row of inputs.
std::vector<uint32_t> ProgramOf(uint32_t function, uint32_t result_words) {
  std::vector<uint32_t> program(2 * abi::STEP_WORDS);
  program[abi::STEP_KIND] = abi::STEP_CALL;
  program[abi::STEP_FUNCTION] = function;
  program[abi::STEP_OPERANDS] = static_cast<uint32_t>(program.size());
  program[abi::STEP_RESULT_WORDS] = result_words;
  program[abi::STEP_TRAP_REGISTER] = abi::NONE;
  program[abi::STEP_WORDS + abi::STEP_KIND] = abi::STEP_INPUTS;
  program[abi::STEP_WORDS + abi::STEP_OPERANDS] = static_cast<uint32_t>(program.size());
  return program;
}

DispatchShape ShapeOf(const LoweredModule& module, uint32_t result_words) {
  const ir::Image& image = module.program.image;
  DispatchShape shape;
  shape.lanes = 1;
  shape.capacity_pages = shape.max_pages = image.min_pages;
  shape.further_pages = 0;
  shape.max_stack = kMostStartStack;
  shape.max_fuel = kMostStartFuel;
  shape.program = ProgramOf(module.program.module->common_start->function, result_words);
  shape.steps = 1;
  shape.register_words = result_words;
  shape.output_bytes = abi::LEAST_BUFFER;
  return shape;
}

bool IsZero(uint8_t byte) { return byte == 0; }

// What of a memory is not zero, in ranges that begin and end at words.
void AddRanges(uint32_t memory, const Bytes& bytes, std::vector<StartedMemory>& ranges) {
  auto at = std::find_if_not(bytes.begin(), bytes.end(), IsZero);
  while (at != bytes.end()) {
    auto end = at;
    auto zeros = at;
    while (end != bytes.end() && zeros - end < static_cast<ptrdiff_t>(kZerosBetween)) {
      end = std::find_if(zeros, bytes.end(), IsZero);
      zeros = std::find_if_not(end, bytes.end(), IsZero);
      if (zeros == bytes.end()) break;
    }
    const auto from = static_cast<uint64_t>(at - bytes.begin()) & ~uint64_t{3};
    const auto to = (static_cast<uint64_t>(end - bytes.begin()) + 3) & ~uint64_t{3};
    ranges.push_back({memory, static_cast<uint32_t>(from),
                      Bytes(bytes.begin() + static_cast<ptrdiff_t>(from),
                            bytes.begin() + static_cast<ptrdiff_t>(to))});
    at = zeros;
  }
}

std::vector<uint64_t> ValuesOf(std::span<const uint32_t> registers,
                               const std::vector<ValueType>& results) {
  std::vector<uint64_t> values;
  for (const ValueType type : results) {
    const uint64_t high = TypeWords(type) == 2 ? registers[1] : 0;
    values.push_back(registers[0] | high << 32);
    registers = registers.subspan(TypeWords(type));
  }
  return values;
}

uint64_t BytesOf(const StartPicture& picture) {
  uint64_t bytes = 0;
  for (const StartedMemory& range : picture.memory) bytes += range.bytes.size();
  return bytes;
}

// nullopt: there is too much of it.
Result<std::optional<StartPicture>> PictureOf(const LoweredModule& module, LaneImage image) {
  WB_ASSIGN(const ResidentState resting, RestingStateOf(module, std::move(image)));
  StartPicture picture;
  const auto globals = resting.words().subspan(1 + module.layout.globals_at);
  picture.globals.assign(globals.begin(), globals.begin() + module.program.globals_size);
  for (uint32_t memory = 0; memory < module.program.memories.size(); ++memory) {
    const uint64_t bytes = uint64_t{resting.memories[memory].pages} * abi::PAGE_BYTES;
    WB_ASSIGN(const Bytes all, ReadResident(resting, memory, 0, bytes));
    AddRanges(memory, all, picture.memory);
  }
  if (BytesOf(picture) > kMostStartBytes) return std::optional<StartPicture>();
  return std::optional<StartPicture>(std::move(picture));
}

uint64_t MemoryBytes(const ir::Program& program) {
  uint64_t pages = 0;
  for (const ir::Memory& memory : program.memories) pages += memory.min_pages;
  return pages * abi::PAGE_BYTES;
}

}  // namespace

Result<std::optional<StartPicture>> TakeStartPicture(Device& device,
                                                     const LoweredModuleRef& beginning,
                                                     const std::vector<ValueType>& results) {
  if (MemoryBytes(beginning->program) > kMostStartMemory) return std::optional<StartPicture>();
  WB_ASSIGN(const PipelineRef pipeline,
            device.Load(beginning, beginning->program.module->binary()));
  const DispatchShape shape = ShapeOf(*beginning, WordsOf(results));
  WB_ASSIGN(const std::unique_ptr<Dispatch> dispatch, device.Allocate(pipeline, shape));
  const std::span<uint32_t> record = dispatch->records().first(shape.RecordWords());
  MarkStart(record);
  LaunchLimits limits;
  limits.max_duration = kMostStartTime;
  WB_TRY(device.Launch(*dispatch, limits).status());
  const bool has_returned = record[abi::RECORD_SEAT] == abi::SEAT_DONE &&
                            record[abi::RECORD_END] == static_cast<uint32_t>(End::kReturned);
  const auto registers = record.subspan(abi::RECORD_REGISTERS, shape.register_words);
  if (!has_returned || registers.back() == 0) return std::optional<StartPicture>();
  const uint32_t seat = 0;
  WB_ASSIGN(auto images, device.ExportLanes(*dispatch, {&seat, 1}));
  if (!images[0]) return std::optional<StartPicture>();
  WB_ASSIGN(auto picture, PictureOf(*beginning, *std::move(images[0])));
  if (!picture) return picture;
  picture->fuel = record[abi::RECORD_FUEL_LO];  // less than kMostStartFuel
  picture->values = ValuesOf(registers, results);
  return picture;
}

bool IsWorthIt(const StartPicture& picture) {
  return picture.fuel >= kLeastFuel && picture.fuel >= BytesOf(picture) / 4 * kFuelOfWord;
}

}  // namespace wb
