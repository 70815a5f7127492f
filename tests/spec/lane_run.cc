#include "tests/spec/lane_run.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <string>

#include "scheduler/base/quoted.h"
#include "scheduler/run/seats/seating.h"
#include "tests/spec/windows.h"

namespace wb::spec {
namespace {

constexpr uint64_t kMaxFuel = uint64_t{1} << 36;
constexpr uint64_t kMaxLaunches = 1 << 16;
constexpr uint32_t kMaxPages = 65536;

// All but the memory reserve.
DispatchShape ShapeOf(Engine engine, const LoweredModule& module, const EncodedProgram& program,
                      uint32_t output_bytes) {
  DispatchShape shape;
  shape.lanes = LanesOn(engine);
  shape.max_pages = std::min(module.program.image.max_pages, kMaxPages);
  shape.max_fuel = kMaxFuel;
  shape.program = program.words;
  shape.steps = static_cast<uint32_t>(program.steps.size());
  shape.register_words = program.register_words;
  shape.output_bytes = output_bytes;
  return shape;
}

// One attempt: every lane from its start, or from where it was, to its end, or until it needs more.
Result<std::unique_ptr<Dispatch>> Attempt(Device& device, const PipelineRef& pipeline,
                                          const DispatchShape& shape, bool leave,
                                          std::span<const LanePlace> arriving) {
  WB_ASSIGN(auto dispatch, device.Allocate(pipeline, shape));
  const uint32_t words = shape.RecordWords();
  for (uint32_t lane = 0; lane < shape.lanes; ++lane) {
    MarkStart(dispatch->records().subspan(lane * words));
  }
  if (!arriving.empty()) {
    WB_ASSIGN(const std::vector<Status> put, device.ImportLanes(*dispatch, arriving));
    for (const Status& status : put) WB_TRY(status);
  }
  for (uint64_t launch = 0; launch < kMaxLaunches; ++launch) {
    LaunchLimits limits;
    if (leave) {
      limits.slice_fuel = LeavingSlice(launch);
      limits.slice_step = 1;
    }
    WB_ASSIGN(const LaunchReport report, device.Launch(*dispatch, limits));
    if (report.seats_left == 0) return dispatch;
  }
  return Status(Reason::kInternal,
                "Lanes are still running after " + Quoted(kMaxLaunches) + " launches.");
}

bool IsAnySeat(Dispatch& dispatch, uint32_t state) {
  const uint32_t words = dispatch.shape().RecordWords();
  for (uint32_t lane = 0; lane < dispatch.shape().lanes; ++lane) {
    if (dispatch.records()[lane * words + abi::RECORD_SEAT] == state) return true;
  }
  return false;
}

// The state of those who wait for memory.
Result<std::vector<LanePlace>> TakeOut(Device& device, Dispatch& dispatch) {
  std::vector<uint32_t> seats(dispatch.shape().lanes);
  std::iota(seats.begin(), seats.end(), 0u);
  WB_ASSIGN(auto images, device.ExportLanes(dispatch, seats));
  std::vector<LanePlace> places;
  for (const uint32_t seat : seats) {
    const size_t words = dispatch.shape().RecordWords();
    if (images[seat] && IsLeftMidway(dispatch.records().subspan(seat * words, words))) {
      places.push_back({seat, std::make_shared<LaneImage>(*std::move(images[seat]))});
    }
  }
  return places;
}

// With a part of the memory first, where the device takes one: what rows come to without a test,
// and little more. Nothing leaves it but a miss, behind which lanes hold all.
Result<std::optional<std::vector<uint32_t>>> RunInWindow(Device& device,
                                                         const LoweredModule& module,
                                                         const PipelineRef& pipeline,
                                                         DispatchShape shape, bool leave) {
  std::optional<std::vector<uint32_t>> records;
  const WindowForm form = WindowFormOf(module.program, device.info().options);
  if (form == WindowForm::kNone) return records;
  shape.window = test::SmallestWindow(module.program, form);
  shape.capacity_pages = shape.max_pages;
  WB_ASSIGN(auto dispatch, Attempt(device, pipeline, shape, leave, {}));
  if (IsAnySeat(*dispatch, abi::SEAT_NEEDS_STACK) || IsAnySeat(*dispatch, abi::SEAT_NEEDS_MEMORY)) {
    return records;
  }
  records.emplace(dispatch->records().begin(), dispatch->records().end());
  return records;
}

// Attempts with ever more memory or stack, as an engine status asks for: from the start each time,
// but who leaves and waits for memory goes on with the state it has.
Result<std::vector<uint32_t>> RunToEnd(Device& device, const LoweredModule& module,
                                       const PipelineRef& pipeline, DispatchShape shape,
                                       bool leave) {
  WB_ASSIGN(auto in_window, RunInWindow(device, module, pipeline, shape, leave));
  if (in_window) return *std::move(in_window);
  const uint32_t min_pages = module.program.image.min_pages;
  shape.capacity_pages = std::max(min_pages, std::min(shape.max_pages, 1u));
  shape.further_pages = 0;
  shape.capacity_stack = kFirstStackSlots;
  std::vector<LanePlace> arriving;
  for (;;) {
    WB_ASSIGN(auto dispatch, Attempt(device, pipeline, shape, leave, arriving));
    arriving.clear();
    if (IsAnySeat(*dispatch, abi::SEAT_NEEDS_STACK)) {
      if (shape.capacity_stack >= shape.max_stack) {
        return Status(Reason::kInternal, "A lane asks for more stack than its budget.");
      }
      shape.capacity_stack = GrownStack(shape.capacity_stack, shape.max_stack);
      continue;
    }
    if (!IsAnySeat(*dispatch, abi::SEAT_NEEDS_MEMORY)) {
      return std::vector<uint32_t>(dispatch->records().begin(), dispatch->records().end());
    }
    if (shape.ReservesAll()) {
      return Status(Reason::kInternal, "A lane asks for more memory than its maximum of " +
                                           Quoted(shape.max_pages) + " pages.");
    }
    if (leave && device.info().moves_lanes) {
      WB_ASSIGN(arriving, TakeOut(device, *dispatch));
    }
    shape.capacity_pages = std::min(shape.max_pages, shape.capacity_pages * 4);
    shape.further_pages = std::min(shape.max_pages, shape.further_pages * 4 + 1);
  }
}

Status CheckLanes(std::span<const uint32_t> records, size_t words, const char* run) {
  const auto first = records.first(words);
  for (uint32_t lane = 1; lane < records.size() / words; ++lane) {
    WB_TRY(CompareRecords("In the " + std::string(run) + " run lane [0] and lane " + Quoted(lane),
                          first, records.subspan(lane * words, words)));
  }
  if (first[abi::RECORD_SEAT] == abi::SEAT_DONE) return {};
  return Status(Reason::kInternal, "No lane is left, but the seats are in state " +
                                       Quoted(first[abi::RECORD_SEAT]) + ".");
}

}  // namespace

Status CompareRecords(const std::string& who, std::span<const uint32_t> a,
                      std::span<const uint32_t> b) {
  const auto [one, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (one == a.end() && other == b.end()) return {};
  const auto word = static_cast<uint64_t>(one - a.begin());
  if (one == a.end() || other == b.end()) {
    return Status(Reason::kInternal, who + " have records of different length.");
  }
  return Status(Reason::kInternal, who + " differ in record word " + Quoted(word) + ": " +
                                       Quoted(*one) + " and " + Quoted(*other) + "; fuel " +
                                       Quoted(a[abi::RECORD_FUEL_LO]) + " and " +
                                       Quoted(b[abi::RECORD_FUEL_LO]) + ".");
}

uint64_t LeavingSlice(uint64_t launch) {
  constexpr uint64_t kTiny = 4096;
  constexpr uint64_t kDoublesEvery = 256;
  if (launch < kTiny) return 1;
  return uint64_t{1} << std::min<uint64_t>(40, (launch - kTiny) / kDoublesEvery + 1);
}

Observed DecodeRecord(std::span<const uint32_t> record, const EncodedProgram& program) {
  Observed seen;
  seen.end = static_cast<End>(record[abi::RECORD_END]);
  if (seen.end == End::kTrapped) seen.trap = static_cast<Trap>(record[abi::RECORD_TRAP]);
  const uint32_t number = record[abi::RECORD_STEP];  // 0: instantiation, i + 1: step i
  // Every call goes on after a trap, so one that ended the instance was before the first.
  seen.instantiated = number > 0 && seen.end != End::kTrapped;
  seen.fuel = record[abi::RECORD_FUEL_LO] | uint64_t{record[abi::RECORD_FUEL_HI]} << 32;
  const auto registers = record.subspan(abi::RECORD_REGISTERS);
  for (size_t i = 0; i < program.steps.size(); ++i) {
    const StepLayout& layout = program.steps[i];
    StepSeen step;
    step.reached = i + 1 < number;
    if (layout.trap_at != abi::NONE) step.trap = static_cast<Trap>(registers[layout.trap_at]);
    uint32_t at = layout.results_at;
    for (const ValueType type : layout.results) {
      Value value;
      value.type = type;
      for (uint32_t word = 0; word < TypeWords(type); ++word) value.words[word] = registers[at++];
      if (IsReference(type)) value.words[0] = Value::ReferenceFromLane(value.words[0]);
      step.results.push_back(value);
    }
    seen.steps.push_back(std::move(step));
  }
  const auto output = registers.subspan(program.register_words);
  seen.output.resize(record[abi::RECORD_OUT_BYTES]);
  for (size_t i = 0; i < seen.output.size(); ++i) {
    seen.output[i] = static_cast<uint8_t>(output[i / 4] >> 8 * (i % 4));
  }
  return seen;
}

Result<Observed> RunLanes(Device& device, const std::shared_ptr<const LoweredModule>& module,
                          const PipelineRef& pipeline, const EncodedProgram& program, bool leave,
                          uint32_t output_bytes) {
  const DispatchShape shape = ShapeOf(device.info().engine, *module, program, output_bytes);
  WB_ASSIGN(const auto records, RunToEnd(device, *module, pipeline, shape, false));
  const size_t words = shape.RecordWords();
  WB_TRY(CheckLanes(records, words, "plain"));
  const auto first = std::span(records).first(words);
  if (leave) {
    WB_ASSIGN(const auto left, RunToEnd(device, *module, pipeline, shape, true));
    WB_TRY(CheckLanes(left, words, "leaving"));
    const auto other = std::span(left).first(words);
    WB_TRY(CompareRecords("The plain and the leaving run", first, other));
  }
  Observed observed = DecodeRecord(first, program);
  observed.record.assign(first.begin(), first.end());
  return observed;
}

}  // namespace wb::spec
