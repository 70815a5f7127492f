#include "scheduler/result_batch.h"

namespace wb {

uint64_t HeldBytes(const InstanceResult& result) {
  uint64_t bytes = sizeof(InstanceResult) + result.device.size();
  for (const StepResult& step : result.steps) {
    bytes += sizeof(StepResult) + step.values.size() * sizeof(Value);
  }
  for (const Output& output : result.outputs) {
    bytes += sizeof(Output) + output.name.size() + output.bytes.size();
  }
  return bytes;
}

uint64_t ResultBytes(const InstanceResult& result) {
  uint64_t bytes = 0;
  for (const StepResult& step : result.steps) {
    for (const Value& value : step.values) bytes += uint64_t{TypeWords(value.type)} * 4;
  }
  for (const Output& output : result.outputs) bytes += output.bytes.size();
  return bytes;
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
  held_bytes_ += HeldBytes(result);
}

}  // namespace wb
