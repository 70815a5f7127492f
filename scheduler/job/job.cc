#include "scheduler/job/job.h"

#include <algorithm>
#include <bit>

#include "compiler/base/check.h"
#include "compiler/imports/primitive.h"

namespace wb {
namespace {

float AsF32(const Value& value) { return std::bit_cast<float>(value.words[0]); }
double AsF64(const Value& value) { return std::bit_cast<double>(value.bits()); }

// Floats are computed in f64, product and sum each rounded, then rounded once more to f32.
double RangeAt(double start, double step, uint64_t instance) {
  // Volatile keeps a compiler from contracting the two operations into one.
  const volatile double product = static_cast<double>(instance) * step;
  return start + product;
}

Value NumberOf(ValueType type, uint64_t bits) {
  Value value = Value::I64(bits);
  value.type = type;
  return value;
}

}  // namespace

uint64_t JobSpec::InstancesToRun() const {
  return instances - (before ? before->finished.count() : 0);
}

uint64_t JobSpec::InstancesPlanned() const {
  if (before == nullptr || before->midway.empty()) return InstancesToRun();
  return before->midway_planned != 0 ? before->midway_planned : instances;
}

std::string StreamName(const JobSpec& spec, uint32_t number) {
  if (number >= 1 && number <= spec.streams.size()) return spec.streams[number - 1];
  if (number == abi::LOG_STREAM && spec.module != nullptr && Logs(*spec.module)) return "log";
  return "stream " + std::to_string(number);
}

std::string_view PlacementName(Placement placement) {
  switch (placement) {
    case Placement::kAuto: return "auto";
    case Placement::kCpu: return "cpu";
    case Placement::kInterpreter: return "interpreter";
    case Placement::kGpu: return "gpu";
  }
  return "unknown";
}

std::string_view LaneHintName(LaneHint hint) {
  switch (hint) {
    case LaneHint::kNone: return "";
    case LaneHint::kDivergent: return "divergent";
    case LaneHint::kUniform: return "uniform";
  }
  return "";
}

std::optional<LaneHint> LaneHintNamed(std::string_view name) {
  for (const LaneHint hint : {LaneHint::kDivergent, LaneHint::kUniform}) {
    if (LaneHintName(hint) == name) return hint;
  }
  return std::nullopt;
}

Value Column::At(uint64_t instance) const {
  switch (kind) {
    case Kind::kConstant: return values[0];
    case Kind::kList: return data ? NumberOf(type, data->Number(instance)) : values[instance];
    case Kind::kRange: break;
    case Kind::kBytes: WB_CHECK(kind != Kind::kBytes);
  }
  switch (type) {
    case ValueType::kI32: return Value::I32(start.words[0] + uint32_t(instance) * step.words[0]);
    case ValueType::kI64: return Value::I64(start.bits() + instance * step.bits());
    case ValueType::kF32:
      return Value::F32(static_cast<float>(RangeAt(AsF32(start), AsF32(step), instance)));
    case ValueType::kF64: return Value::F64(RangeAt(AsF64(start), AsF64(step), instance));
    default: WB_CHECK(type == ValueType::kF64); return {};
  }
}

uint64_t Column::count() const {
  if (data) return data->count();
  return kind == Kind::kBytes ? bytes.size() : values.size();
}

ByteView Column::BytesAt(uint64_t instance) const {
  const uint64_t at = count() == 1 ? 0 : instance;
  return data ? data->String(at) : ByteView(bytes[at]);
}

uint64_t Column::LongestBytes() const {
  if (data) return data->longest();
  uint64_t longest = 0;
  for (const Bytes& row : bytes) longest = std::max<uint64_t>(longest, row.size());
  return longest;
}

}  // namespace wb
