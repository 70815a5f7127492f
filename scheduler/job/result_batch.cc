#include "scheduler/job/result_batch.h"

#include <algorithm>
#include <variant>

namespace wb {
namespace {

constexpr uint64_t kLongestDeviceName = 32;
constexpr uint64_t kFrameHeadBytes = 4;
constexpr uint64_t kStreamNameBytes = 32;

}  // namespace

uint64_t HeldBytes(const InstanceResult& result) {
  uint64_t bytes = sizeof(InstanceResult) + result.device.size() + result.host_error.size();
  for (const StepResult& step : result.steps) {
    bytes += sizeof(StepResult) + step.values.size() * sizeof(Value);
  }
  for (const Output& output : result.outputs) {
    bytes += sizeof(Output) + output.name.size() + output.bytes.size();
  }
  return bytes;
}

uint64_t MostHeldBytes(const EncodedProgram& program, const std::vector<Step>& steps,
                       uint32_t max_output_bytes) {
  uint64_t bytes = sizeof(InstanceResult) + kLongestDeviceName;
  for (const StepLayout& step : program.steps) {
    bytes += sizeof(StepResult) + step.results.size() * sizeof(Value);
  }
  uint64_t outputs = program.asks ? max_output_bytes : 0;
  for (const Step& step : steps) {
    const auto* read = std::get_if<ReadStep>(&step);
    if (read == nullptr) continue;
    bytes += sizeof(Output) + read->output.size();
    const bool constant = read->length.source == Operand::Source::kConstant;
    outputs += constant ? read->length.value.words[0] : max_output_bytes;
  }
  if (program.asks) {
    const uint64_t streams =
        std::min<uint64_t>(abi::MOST_STREAM, max_output_bytes / kFrameHeadBytes);
    bytes += streams * (sizeof(Output) + kStreamNameBytes);
  }
  return bytes + std::min<uint64_t>(outputs, max_output_bytes);
}

uint64_t ResultBytes(const InstanceResult& result) {
  uint64_t bytes = 0;
  for (const StepResult& step : result.steps) {
    for (const Value& value : step.values) bytes += uint64_t{TypeWords(value.type)} * 4;
  }
  for (const Output& output : result.outputs) bytes += output.bytes.size();
  return bytes;
}

std::vector<InstanceResult> ResultsOf(const EndedRange& range, uint64_t first, uint64_t count) {
  std::vector<InstanceResult> results(count);
  for (uint64_t i = 0; i < count; ++i) {
    results[i].instance = first + i;
    results[i].attempt = range.attempt;
    results[i].end = range.end;
  }
  return results;
}

ResultBatch::ResultBatch(std::vector<InstanceResult> results) : results_(std::move(results)) {
  for (const InstanceResult& result : results_) Count(result);
}

void ResultBatch::Add(InstanceResult result) {
  Count(result);
  results_.push_back(std::move(result));
}

void ResultBatch::Count(const InstanceResult& result) {
  ++by_end_[static_cast<size_t>(result.end)];
  fuel_ += result.fuel;
  const double fuel = static_cast<double>(result.fuel);
  fuel_squares_ += fuel * fuel;
  bytes_ += ResultBytes(result);
  const uint64_t held = HeldBytes(result);
  held_bytes_ += held;
  largest_ = std::max(largest_, held);
}

}  // namespace wb
