#include "scheduler/run/seats/record.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "scheduler/base/quoted.h"
#include "scheduler/run/seats/output_frames.h"

namespace wb {
namespace {

void PutColumnWords(std::span<uint32_t> columns, uint32_t seats, uint32_t at, uint32_t seat,
                    std::span<const uint32_t> words) {
  for (size_t w = 0; w < words.size(); ++w) columns[(at + w) * size_t{seats} + seat] = words[w];
}

void PutBytes(std::span<uint8_t> blob, uint64_t at, ByteView bytes) {
  if (!bytes.empty()) std::memcpy(blob.data() + at, bytes.data(), bytes.size());
}

void FillBytes(const JobPlan& plan, const BlobPlan& blob, uint64_t instance, size_t column,
               uint32_t seat, const SeatMemory& memory) {
  const ByteView bytes = plan.spec.columns[column].BytesAt(instance);
  uint64_t at = blob.column_at[column];
  if (blob.all_in_slots || !plan.shared_bytes(column)) {
    at += blob.shared_bytes + seat * blob.slot_bytes;
    PutBytes(memory.blob, at, bytes);
  }
  const uint32_t words[2] = {static_cast<uint32_t>(at), static_cast<uint32_t>(bytes.size())};
  PutColumnWords(memory.columns, memory.seats, plan.program.column_at[column], seat, words);
}

// Of `first` and those that follow it, for as many seats.
void FillNumbers(const JobPlan& plan, uint64_t first, size_t column,
                 std::span<const uint32_t> seats, const SeatMemory& memory) {
  const Column& its = plan.spec.columns[column];
  const size_t words = TypeWords(its.type);
  const size_t stride = memory.seats;
  const auto to = memory.columns.subspan(plan.program.column_at[column] * stride, words * stride);
  Value value = its.At(first);
  for (size_t i = 0; i < seats.size(); ++i) {
    if (its.kind != Column::Kind::kConstant) value = its.At(first + i);
    for (size_t w = 0; w < words; ++w) to[w * stride + seats[i]] = value.words[w];
  }
}

// A finished record, its registers copied out, bounds-checked as it is read.
class RecordReader {
 public:
  // `drained`: the whole output, where some of it was drained.
  RecordReader(const JobPlan& plan, std::span<const uint32_t> record, const DrainedOutput* drained)
      : plan_(plan),
        record_(record),
        head_(record.begin(), record.begin() + abi::RECORD_REGISTERS + plan.program.register_words),
        output_(reinterpret_cast<const uint8_t*>(record.data() + head_.size()),
                (record.size() - head_.size()) * sizeof(uint32_t)),
        drained_(drained) {
    if (drained != nullptr) output_ = drained->bytes();
  }

  std::optional<InstanceResult> Read();

 private:
  bool ReadEnd(InstanceResult& result) const;
  bool ReadStep(size_t step, InstanceResult& result) const;
  // Of a module with primitives: what it wrote to its streams.
  bool ReadStreams(InstanceResult& result) const;
  bool ReadOutput(const StepLayout& layout, const std::string& name, InstanceResult& result) const;
  // A trap's place as the module that it is in counts; Outcome: InstanceResult or StepResult.
  template <typename Outcome>
  void PlaceTrap(uint32_t function, uint32_t offset, Outcome& outcome) const {
    const FunctionPlace place = plan_.spec.module->PlaceOf(function);
    outcome.trap_function = place.function.value_or(uint32_t{abi::NONE});
    outcome.trap_offset = offset;
    if (place.instance == nullptr) return;
    outcome.trap_module = place.instance->name;
    if (!place.instance->is_bound) return;
    outcome.trap = Trap::kImportCalled;
    outcome.trap_module += "." + NameOfBound(*place.instance, function);
  }
  // The export of a module made of bindings has the import's name.
  std::string NameOfBound(const LinkedInstance& instance, uint32_t function) const;
  uint32_t Register(uint32_t at) const { return head_[abi::RECORD_REGISTERS + at]; }

  const JobPlan& plan_;
  const std::span<const uint32_t> record_;
  const absl::InlinedVector<uint32_t, 32> head_;
  ByteView output_;
  const DrainedOutput* const drained_;
};

std::string RecordReader::NameOfBound(const LinkedInstance& instance, uint32_t function) const {
  const Module& module = *plan_.spec.module;
  const auto number = static_cast<uint32_t>(&instance - module.instances.data());
  for (const Export& item : module.exports) {
    const bool is_it = item.kind == ExternKind::kFunction && item.index == function;
    if (is_it && item.instance == number) return item.name;
  }
  return "";
}

bool RecordReader::ReadEnd(InstanceResult& result) const {
  const uint32_t end = head_[abi::RECORD_END];
  if (end > static_cast<uint32_t>(End::kOutputLimit)) return false;  // others are the scheduler's
  result.end = static_cast<End>(end);
  result.fuel = RecordFuel(head_);
  result.memory_pages = head_[abi::RECORD_PAGES];
  const uint32_t number = head_[abi::RECORD_STEP];  // 0: the start function, i + 1: step i
  result.step = number == 0 ? 0 : number - 1;
  const size_t steps = plan_.program.steps.size();
  if (result.end == End::kReturned && number != steps + 1) return false;
  if (result.end == End::kExited) result.exit_code = head_[abi::RECORD_TRAP];
  if (result.end != End::kTrapped) return true;
  if (!IsTrap(head_[abi::RECORD_TRAP])) return false;
  result.trap = static_cast<Trap>(head_[abi::RECORD_TRAP]);
  if (result.trap == Trap::kAssertionFailed) {
    result.exit_code = head_[abi::RECORD_TRAP_OFFSET];
    PlaceTrap(abi::NONE, abi::NONE, result);
    return true;
  }
  PlaceTrap(head_[abi::RECORD_TRAP_FUNCTION], head_[abi::RECORD_TRAP_OFFSET], result);
  return true;
}

bool RecordReader::ReadOutput(const StepLayout& layout, const std::string& name,
                              InstanceResult& result) const {
  const uint64_t offset = Register(layout.results_at);
  const uint64_t length = Register(layout.results_at + 1);
  if (offset + length > plan_.output_bytes || offset + length > output_.size()) return false;
  const ByteView bytes = output_.subspan(offset, length);
  result.outputs.push_back({name, Bytes(bytes.begin(), bytes.end())});
  return true;
}

bool RecordReader::ReadStreams(InstanceResult& result) const {
  std::optional<Bytes> part;
  if (drained_ == nullptr) part = OutputPart(plan_, record_);
  if (drained_ == nullptr && !part) return false;
  std::optional<std::vector<StreamBytes>> streams = SplitOutput(part ? *part : drained_->bytes());
  if (!streams) return false;
  for (StreamBytes& stream : *streams) {
    result.outputs.push_back({StreamName(plan_.spec, stream.stream), std::move(stream.bytes)});
  }
  return true;
}

bool RecordReader::ReadStep(size_t step, InstanceResult& result) const {
  const StepLayout& layout = plan_.program.steps[step];
  StepResult& out = result.steps.emplace_back();
  if (const wb::ReadStep* read = std::get_if<wb::ReadStep>(&plan_.spec.steps[step])) {
    return ReadOutput(layout, read->output, result);
  }
  if (layout.trap_at != abi::NONE && Register(layout.trap_at) != 0) {
    if (!IsTrap(Register(layout.trap_at))) return false;
    out.trap = static_cast<Trap>(Register(layout.trap_at));
    PlaceTrap(Register(layout.trap_at + 1), Register(layout.trap_at + 2), out);
    return true;
  }
  uint32_t at = layout.results_at;
  for (ValueType type : layout.results) {
    Value& value = out.values.emplace_back();
    value.type = type;
    for (uint32_t w = 0; w < TypeWords(type); ++w) value.words[w] = Register(at++);
    if (IsReference(type)) value.words[0] = Value::ReferenceFromLane(value.words[0]);
  }
  return true;
}

std::optional<InstanceResult> RecordReader::Read() {
  InstanceResult result;
  if (!ReadEnd(result)) return std::nullopt;
  const size_t steps = plan_.program.steps.size();
  if (result.step > steps) return std::nullopt;
  const size_t ran = result.end == End::kReturned ? steps : std::min<size_t>(result.step, steps);
  result.steps.reserve(ran);
  for (size_t i = 0; i < ran; ++i) {
    if (!ReadStep(i, result)) return std::nullopt;
  }
  if (plan_.program.asks && !ReadStreams(result)) return std::nullopt;
  return result;
}

}  // namespace

void FillShared(const JobPlan& plan, Dispatch& dispatch) {
  for (size_t i = 0; i < plan.spec.columns.size(); ++i) {
    if (plan.spec.columns[i].kind != Column::Kind::kBytes || !plan.shared_bytes(i)) continue;
    if (plan.keeps(i)) continue;
    PutBytes(dispatch.blob(), plan.blob.column_at[i], plan.spec.columns[i].BytesAt(0));
  }
}

void FillSeats(const JobPlan& plan, const BlobPlan& blob, uint64_t first,
               std::span<const uint32_t> seats, const SeatMemory& memory) {
  if (seats.empty()) return;
  for (size_t i = 0; i < plan.spec.columns.size(); ++i) {
    if (plan.keeps(i)) continue;
    if (plan.spec.columns[i].kind != Column::Kind::kBytes) {
      FillNumbers(plan, first, i, seats, memory);
      continue;
    }
    uint64_t instance = first;
    for (const uint32_t seat : seats) FillBytes(plan, blob, instance++, i, seat, memory);
  }
  const size_t head = abi::RECORD_REGISTERS + plan.program.register_words;
  for (size_t i = 0; i < seats.size(); ++i) {
    memory.Expect(seats[std::min(i + SeatMemory::kAhead, seats.size() - 1)]);
    const uint32_t seat = seats[i];
    const std::span<uint32_t> record = memory.RecordOf(seat).first(head);
    std::fill(record.begin() + abi::RECORD_END, record.end(), 0u);
    MarkStart(record);
  }
}

uint64_t RecordFuel(std::span<const uint32_t> record) {
  return record[abi::RECORD_FUEL_LO] | uint64_t{record[abi::RECORD_FUEL_HI]} << 32;
}

std::optional<Bytes> OutputPart(const JobPlan& plan, std::span<const uint32_t> record) {
  const size_t head = abi::RECORD_REGISTERS + plan.program.register_words;
  const uint32_t length = record[abi::RECORD_OUT_BYTES];
  const size_t room = (record.size() - head) * sizeof(uint32_t);
  if (length > plan.output_bytes || length > room) return std::nullopt;
  const uint8_t* from = reinterpret_cast<const uint8_t*>(record.data() + head);
  return Bytes(from, from + length);
}

std::optional<InstanceResult> DecodeRecord(const JobPlan& plan, std::span<const uint32_t> record,
                                           std::optional<DrainedOutput> drained) {
  if (record.size() < abi::RECORD_REGISTERS + plan.program.register_words) return std::nullopt;
  if (!drained) return RecordReader(plan, record, nullptr).Read();
  const std::optional<Bytes> rest = OutputPart(plan, record);
  if (!rest || !drained->Join(*rest, plan.output_bytes)) return std::nullopt;
  return RecordReader(plan, record, &*drained).Read();
}

Status UnsoundRecord(const std::string& device) {
  return {Reason::kDeviceLost,
          "The device " + Quoted(device) + " wrote a record that no sound engine writes."};
}

}  // namespace wb
